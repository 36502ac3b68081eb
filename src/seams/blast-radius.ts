import { filesWithWords } from '../git/grep.ts';
import type { Workspace } from './named-branches.ts';
import { type BlastRadius, type Dependents, enough, type Reach } from './owner.ts';
import type { Outline } from './side.ts';

interface Reached {
  readonly path: string;
  /** Empty: anything of the module. */
  readonly name: string;
}

/** Counts the files that depend on a symbol, directly or through other files: what may break when it changes. */
export function blastRadius({ scratch }: Workspace, base: string): BlastRadius {
  const known = new Map<string, Dependents>();
  const searches = new Map<string, Promise<string[]>>();
  const search: Search = (words) => {
    const question = words.join('\n');
    const found = searches.get(question) ?? filesWithWords(scratch.git, base, words);
    searches.set(question, found);
    return found;
  };
  return (side, symbol) => {
    const key = `${side.tree.git.id} ${symbol}`;
    const dependents = known.get(key) ?? new DependentsOf(symbol, side, search);
    known.set(key, dependents);
    return dependents;
  };
}

/** Files of base that hold one of the words. */
type Search = (words: readonly string[]) => Promise<readonly string[]>;

interface Level {
  readonly found: ReadonlySet<string>;
  /** Those that were found last. */
  readonly open: readonly Reached[];
}

class DependentsOf implements Dependents {
  readonly #side: Outline;
  readonly #search: Search;
  readonly #levels: Promise<Level>[];

  constructor(symbol: string, side: Outline, search: Search) {
    const at = symbol.lastIndexOf('#');
    const [path, name] = [symbol.slice(0, at), symbol.slice(at + 1).split('.')[0] ?? ''];
    this.#levels = [Promise.resolve({ found: new Set([path]), open: [{ path, name }] })];
    this.#side = side;
    this.#search = search;
  }

  async within(steps: number): Promise<Reach> {
    for (let last = this.#levels.at(-1); last && this.#levels.length <= steps; last = this.#levels.at(-1))
      this.#levels.push(last.then((level) => this.#widen(level)));
    const { found, open } = (await this.#levels[steps]) as Level;
    return { files: Math.min(found.size - 1, enough), isAll: open.length === 0 };
  }

  async #widen(level: Level): Promise<Level> {
    const { found, open } = level;
    if (open.length === 0 || found.size > enough) return level;
    const next = (await directDependents(this.#search, this.#side, open)).filter((path) => !found.has(path));
    return { found: new Set([...found, ...next]), open: next.map((path) => ({ path, name: '' })) };
  }
}

/**
 * Files that, when linked, turn out to lead there: of those that the branch changed all are asked, of the others those
 * that hold a name (of the symbol, or of a module) in base. git searches the whole tree for it, so all that was reached
 * last is asked for at once, and what one branch asked answers another.
 */
async function directDependents(
  search: Search,
  { tree }: Outline,
  reached: readonly Reached[],
): Promise<string[]> {
  const words = [...new Set(reached.map(({ path, name }) => name || moduleWord(path)))].sort();
  const { differences } = tree.git;
  const asInBase = (await search(words)).filter((path) => !differences.has(path));
  const candidates = [...differences.keys(), ...asInBase.slice(0, 4 * enough)];
  await tree.link(candidates);
  return candidates.filter((candidate) => {
    const names = tree.linked(candidate)?.trace.names;
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
