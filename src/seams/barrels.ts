import type { CodeTree } from '../code/code-tree.ts';
import type { SymbolDelta } from '../code/symbol-delta.ts';
import type { Outline } from './side.ts';

const barrelNames = ['index.ts', 'index.tsx', 'index.mts', 'index.js', '__init__.py'];

/**
 * Files above what a side adds that may pass it on, as `<barrel> <name>`. Two sides can clash in a barrel that neither
 * touches: each adds a name to another module behind it.
 */
export function barrelKeys(delta: SymbolDelta, tree: CodeTree): Set<string> {
  const keys = new Set<string>();
  for (const changes of delta.values()) {
    for (const change of changes) {
      if (change.kind !== 'added' || change.after.definition.container !== null) continue;
      const { path, definition } = change.after;
      if (!isPassedOn(tree, path, definition.name)) continue;
      for (const barrel of barrelsAbove(path, tree)) keys.add(`${barrel} ${definition.name}`);
    }
  }
  return keys;
}

/** Star exports and imports pass on what is exported, in Python what has no underscore. */
function isPassedOn(tree: CodeTree, path: string, name: string): boolean {
  const facts = tree.facts(path);
  if (facts?.module === 'python') return !name.startsWith('_');
  return facts?.exports.some((entry) => entry.name === name) ?? false;
}

/** Barrels that two sides may both have fed with one name. */
export function sharedBarrels(a: Outline, b: Outline): string[] {
  const shared = [...b.barrels].filter((key) => a.barrels.has(key));
  return [...new Set(shared.map((key) => key.slice(0, key.lastIndexOf(' '))))];
}

function* barrelsAbove(path: string, tree: CodeTree): Iterable<string> {
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
    const folder = path.slice(0, slash + 1);
    for (const name of barrelNames) {
      const barrel = `${folder}${name}`;
      if (barrel !== path && tree.git.blob(barrel) !== undefined) yield barrel;
    }
    if (slash === 0) return;
  }
}
