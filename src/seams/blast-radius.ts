import { filesWithWords } from '../git/grep.ts';
import type { Workspace } from './named-branches.ts';
import type { BlastRadius } from './owner.ts';
import type { Outline } from './side.ts';

/** Beyond this many dependents it no longer matters how many more there are. */
const enough = 50;

interface Reached {
  readonly path: string;
  /** Empty: anything of the module. */
  readonly name: string;
}

/** Counts the files that depend on a symbol, directly or through other files: what may break when it changes. */
export function blastRadius({ scratch }: Workspace): BlastRadius {
  const known = new Map<string, Promise<number>>();
  return (side, symbol) => {
    const key = `${side.tree.git.id} ${symbol}`;
    const radius = known.get(key) ?? countDependents(scratch.git, side, symbol);
    known.set(key, radius);
    return radius;
  };
}

async function countDependents(
  git: Workspace['scratch']['git'],
  side: Outline,
  symbol: string,
): Promise<number> {
  const at = symbol.lastIndexOf('#');
  const found = new Set<string>([symbol.slice(0, at)]);
  let open: Reached[] = [{ path: symbol.slice(0, at), name: symbol.slice(at + 1).split('.')[0] ?? '' }];
  while (open.length > 0 && found.size <= enough) {
    const next = (await directDependents(git, side, open)).filter((path) => !found.has(path));
    for (const path of next) found.add(path);
    open = next.map((path) => ({ path, name: '' }));
  }
  return Math.min(found.size - 1, enough);
}

/**
 * Files that hold a name (of the symbol, or of a module) and, when linked, turn out to lead there. git searches the
 * whole tree for it, so all that was reached last is asked for at once.
 */
async function directDependents(
  git: Workspace['scratch']['git'],
  side: Outline,
  reached: readonly Reached[],
): Promise<string[]> {
  const words = [...new Set(reached.map(({ path, name }) => name || moduleWord(path)))];
  const candidates = (await filesWithWords(git, side.tree.git.id, words)).slice(0, 4 * enough);
  await side.tree.link(candidates);
  return candidates.filter((candidate) => {
    const names = side.tree.linked(candidate)?.trace.names;
    return reached.some(({ path, name }) => {
      const used = candidate === path ? undefined : names?.get(path);
      return used !== undefined && (name === '' || used.has(name));
    });
  });
}

/** The word by which others import a module; an index file goes by its folder. */
function moduleWord(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  return stem === 'index' || stem === '__init__' ? (parts.at(-2) ?? stem) : stem;
}
