import { filesWithWord } from '../git/grep.ts';
import type { Workspace } from './branches.ts';
import type { BlastRadius } from './owner.ts';
import type { Side } from './side.ts';

/** Beyond this many dependents it no longer matters how many more there are. */
const enough = 200;

/** Counts the files that depend on a symbol, directly or through other files: what may break when it changes. */
export function blastRadius({ scratch }: Workspace): BlastRadius {
  return async (side, symbol) => {
    const at = symbol.lastIndexOf('#');
    const found = new Set<string>([symbol.slice(0, at)]);
    let open = [{ path: symbol.slice(0, at), name: symbol.slice(at + 1).split('.')[0] ?? '' }];
    while (open.length > 0 && found.size <= enough) {
      const next: typeof open = [];
      for (const { path, name } of open) {
        for (const dependent of await directDependents(scratch.git, side, path, name)) {
          if (found.has(dependent)) continue;
          found.add(dependent);
          next.push({ path: dependent, name: '' });
        }
      }
      open = next;
    }
    return found.size - 1;
  };
}

/** Files that hold the name (of the symbol, or of the module) and, when linked, turn out to lead there. */
async function directDependents(
  git: Workspace['scratch']['git'],
  side: Side,
  path: string,
  name: string,
): Promise<string[]> {
  const candidates = (await filesWithWord(git, side.tree.git.id, name || moduleWord(path))).slice(0, enough);
  await side.tree.link(candidates);
  return candidates.filter((candidate) => {
    const names = candidate === path ? undefined : side.tree.linked(candidate)?.trace.names.get(path);
    return names !== undefined && (name === '' || names.has(name));
  });
}

/** The word by which others import a module; an index file goes by its folder. */
function moduleWord(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  return stem === 'index' || stem === '__init__' ? (parts.at(-2) ?? stem) : stem;
}
