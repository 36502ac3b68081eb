import type { ChangedFile } from '#code/delta/symbol-delta.ts';
import type { Facts } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import { dialectOf, dialects } from '#code/languages/index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Member } from './member.ts';

const barrelNames = [...new Set(dialects.flatMap(({ imports }) => imports.indexFiles))];

/**
 * Files that may re-export a name that a changed file adds, as `<barrel> <name>`. Two sides can clash in a barrel that
 * neither changes: each adds the name to another module behind it.
 */
export function* barrelKeys({ path, before, after }: ChangedFile, tree: CodeTree): Generator<string> {
  if (!after || after.syntaxError || before?.syntaxError) return;
  const offered = new Set(before && offeredBy(before, path));
  for (const name of new Set(offeredBy(after, path))) {
    if (offered.has(name)) continue;
    for (const barrel of barrelsAbove(path, tree)) yield `${barrel} ${name}`;
  }
}

/** The names that star exports and star imports pass on. */
function offeredBy(facts: Facts, path: string): string[] {
  const { names } = dialectOf(path) ?? {};
  if (facts.module === 'namespace')
    return [...indexOf(facts).moduleNames.keys()].filter((name) => names?.isPublic(facts, name));
  return facts.exports.flatMap(({ name }) => (name === '*' || name === 'default' ? [] : [name]));
}

/** Barrels that may get the same name from both sides. */
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
