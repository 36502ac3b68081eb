import type { CodeTree } from '../code/code-tree.ts';
import type { Side } from './side.ts';

const barrelNames = ['index.ts', 'index.tsx', 'index.mts', 'index.js', '__init__.py'];

/**
 * Files above what a side adds that may pass it on, as `<barrel> <name>`. Two sides can clash in a barrel that neither
 * touches: each adds a name to another module behind it.
 */
export function barrelKeys(side: Side): ReadonlySet<string> {
  const keys = known.get(side) ?? readKeys(side);
  known.set(side, keys);
  return keys;
}

const known = new WeakMap<Side, ReadonlySet<string>>();

function readKeys(side: Side): Set<string> {
  const keys = new Set<string>();
  for (const changes of side.delta.values()) {
    for (const change of changes) {
      if (change.kind !== 'added' || change.after.definition.container !== null) continue;
      const { path, definition } = change.after;
      if (!isPassedOn(side, path, definition.name)) continue;
      for (const barrel of barrelsAbove(path, side.tree)) keys.add(`${barrel} ${definition.name}`);
    }
  }
  return keys;
}

/** Star exports and imports pass on what is exported, in Python what has no underscore. */
function isPassedOn(side: Side, path: string, name: string): boolean {
  const facts = side.tree.facts(path);
  if (facts?.module === 'python') return !name.startsWith('_');
  return facts?.exports.some((entry) => entry.name === name) ?? false;
}

/** Barrels that two sides may both have fed with one name. */
export function sharedBarrels(a: Side, b: Side): string[] {
  const ofA = barrelKeys(a);
  const shared = [...barrelKeys(b)].filter((key) => ofA.has(key));
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
