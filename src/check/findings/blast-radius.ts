import type { LinkMemory, TreeRole } from '#check/link-memory/link-memory.ts';
import { moduleWord } from '#code/languages/module-word.ts';
import { dependenceOf } from '#code/link/linked-file.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { WordSearch } from '#git/trees/word-search.ts';
import { type BlastRadius, type Dependents, enough, type Reach } from './owner.ts';

/** A common word occurs in most files: at most this many are linked to see whether they reach the symbol. */
const mostCandidates = 4 * enough;
/** Between them it may turn out that enough were found. */
const linkedAtOnce = 25;

interface Reached {
  readonly path: string;
  /** Empty: any name of the module. */
  readonly name: string;
}

/** Counts the files that depend on a symbol, directly or through other files: what may break when it changes. */
export function blastRadius(words: WordSearch, base: GitTree, links: LinkMemory): BlastRadius {
  const known = new Map<string, Dependents>();
  const search: Search = async (asked) => (await words.holding(base, asked)).slice(0, mostCandidates + 1);
  return (side, symbol) => {
    const key = `${side.tree.git.id} ${symbol}`;
    const dependents =
      known.get(key) ?? new DependentsOf(symbol, { tree: side.tree.git.id, role: side.ref }, links, search);
    known.set(key, dependents);
    return dependents;
  };
}

/** Files of base that contain one of the words; at most one more than wanted. */
type Search = (words: readonly string[]) => Promise<readonly string[]>;

/** The result after some number of steps. */
interface Level {
  readonly found: ReadonlySet<string>;
  /** The files found in the last step: the next step starts from them. */
  readonly open: readonly Reached[];
  /** There were more candidates than were examined. */
  readonly isCut: boolean;
}

class DependentsOf implements Dependents {
  readonly #side: TreeRole;
  readonly #links: LinkMemory;
  readonly #search: Search;
  readonly #levels: Promise<Level>[];

  constructor(symbol: string, side: TreeRole, links: LinkMemory, search: Search) {
    const at = symbol.lastIndexOf('#');
    const [path, name] = [symbol.slice(0, at), symbol.slice(at + 1).split('.')[0] ?? ''];
    const first: Level = { found: new Set([path]), open: [{ path, name }], isCut: false };
    this.#levels = [Promise.resolve(first)];
    this.#side = side;
    this.#links = links;
    this.#search = search;
  }

  async within(steps: number): Promise<Reach> {
    const { found, open, isCut } = await this.#level(steps);
    const files = Math.min(found.size - 1, enough);
    if (files === enough) return { files, rest: 'uncounted' };
    if (open.length > 0) return { files, rest: 'further' };
    return { files, rest: isCut ? 'uncounted' : 'none' };
  }

  #level(steps: number): Promise<Level> {
    const level = this.#levels[steps] ?? this.#level(steps - 1).then((before) => this.#widen(before));
    this.#levels[steps] = level;
    return level;
  }

  /**
   * Files that reach one of the targets when they are linked. All files that the branch changed are linked; of the others, those that
   * contain a name of a target in base. Git searches the whole tree for names, so all targets are searched at once.
   */
  async #widen(level: Level): Promise<Level> {
    if (level.open.length === 0 || level.found.size > enough) return level;
    const words = level.open.map(({ path, name }) => name || moduleWord(path));
    const holding = await this.#search([...new Set(words)].sort());
    const tree = await this.#links.get(this.#side.tree, this.#side.role);
    const { differences } = tree.git;
    const asInBase = holding.slice(0, mostCandidates).filter((path) => !differences.has(path));
    const candidates = [...differences.keys(), ...asInBase].filter((path) => !level.found.has(path));
    const reaches = (candidate: string) => {
      const link = tree.linked(candidate);
      const asked = link && dependenceOf(link).asked;
      return level.open.some(({ path, name }) => {
        const names = asked?.(path);
        return names !== undefined && (name === '' || [...names].includes(name));
      });
    };
    const next: string[] = [];
    for (let at = 0; at < candidates.length && level.found.size + next.length <= enough; at += linkedAtOnce) {
      const part = candidates.slice(at, at + linkedAtOnce);
      await tree.link(part);
      next.push(...part.filter(reaches));
    }
    return {
      found: new Set([...level.found, ...next]),
      open: next.map((path) => ({ path, name: '' })),
      isCut: level.isCut || holding.length > mostCandidates,
    };
  }
}
