import type { ChangedFile } from '#code/delta/symbol-delta.ts';
import type { Facts } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Member } from './member.ts';

const barrelNames = ['index.ts', 'index.tsx', 'index.mts', 'index.js', '__init__.py'];

/**
 * Files above a changed file that may pass on a name it newly offers, as `<barrel> <name>`. Two sides can clash in a barrel
 * that neither touches: each offers a name in another module behind it.
 */
export function* barrelKeys({ path, before, after }: ChangedFile, tree: CodeTree): Generator<string> {
  if (!after || after.syntaxError || before?.syntaxError) return;
  const offered = new Set(before && offeredBy(before));
  for (const name of new Set(offeredBy(after))) {
    if (offered.has(name)) continue;
    for (const barrel of barrelsAbove(path, tree)) yield `${barrel} ${name}`;
  }
}

/** What star exports and imports pass on: what is exported, in Python what has no underscore. */
function offeredBy(facts: Facts): string[] {
  if (facts.module === 'python')
    return [...indexOf(facts).moduleNames.keys()].filter((name) => !name.startsWith('_'));
  return facts.exports.flatMap(({ name }) => (name === '*' || name === 'default' ? [] : [name]));
}

/** Barrels that two sides may both have fed with one name. */
export function sharedBarrels(a: Member, b: Member): string[] {
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
