import type { Facts } from '#code/facts/facts.ts';
import type { AddedSymbol } from './added-symbols.ts';

/** A file that imports a module or re-exports from it. */
interface Edge {
  readonly from: string;
  /** `export * from`, `export { a } from`: files that import `from` get the exports of `to`. */
  readonly isPassedOn: boolean;
}

export interface ReadEdge extends Edge {
  readonly to: string;
}

/** Which added symbols tests reach. Updated with every file that is read. */
export class Reach {
  readonly #isTest: (path: string) => boolean;
  readonly #importers = new Map<string, Edge[]>();
  readonly #names = new Map<string, ReadonlySet<string>>();
  /** Symbols available by importing a module: its own and those it re-exports. */
  readonly #carried = new Map<string, Set<AddedSymbol>>();
  /** Symbols that run when a module runs: a test that reaches the module reaches them. */
  readonly #used = new Map<string, Set<AddedSymbol>>();
  readonly #open: Set<AddedSymbol>;

  constructor(symbols: readonly AddedSymbol[], isTest: (path: string) => boolean) {
    this.#isTest = isTest;
    this.#open = new Set(symbols);
    for (const symbol of symbols) add(this.#carried, symbol.path, symbol);
  }

  /** Symbols that no test reaches so far. */
  get open(): AddedSymbol[] {
    return [...this.#open];
  }

  /** Modules through which tests may reach symbols. */
  get modules(): string[] {
    return [...new Set([...this.#carried.keys(), ...this.#used.keys()])];
  }

  /** Adds a file with its imports. */
  read(path: string, facts: Facts, edges: readonly ReadEdge[]): void {
    this.#names.set(path, namesIn(facts));
    for (const { to, ...edge } of edges) this.#importers.set(to, [...(this.#importers.get(to) ?? []), edge]);
    for (const symbol of this.#carried.get(path) ?? [])
      if (symbol.path === path && isUsedInside(facts, symbol.name)) add(this.#used, path, symbol);
  }

  /** Recomputes reachability from what was read so far. */
  settle(): void {
    const queue = this.modules;
    for (let module = queue.pop(); module !== undefined; module = queue.pop())
      for (const edge of this.#importers.get(module) ?? [])
        if (this.#follow(module, edge)) queue.push(edge.from);
  }

  /** Returns whether the importer now carries or uses more than before. */
  #follow(module: string, { from, isPassedOn }: Edge): boolean {
    const isTest = this.#isTest(from);
    let hasGrown = false;
    const use = (symbol: AddedSymbol) => {
      if (isTest) this.#open.delete(symbol);
      else if (this.#open.has(symbol)) hasGrown = add(this.#used, from, symbol) || hasGrown;
    };
    for (const symbol of this.#used.get(module) ?? []) use(symbol);
    const names = this.#names.get(from);
    for (const symbol of this.#carried.get(module) ?? []) {
      if (isPassedOn && this.#open.has(symbol)) hasGrown = add(this.#carried, from, symbol) || hasGrown;
      if (names?.has(symbol.name)) use(symbol);
    }
    return hasGrown;
  }
}

function add(map: Map<string, Set<AddedSymbol>>, key: string, symbol: AddedSymbol): boolean {
  const set = map.get(key) ?? new Set();
  map.set(key, set);
  if (set.has(symbol)) return false;
  set.add(symbol);
  return true;
}

/** Names that a file takes from others: by import, or as a member of something imported. */
function namesIn({ imports, uses }: Facts): Set<string> {
  return new Set([...imports.map(({ imported }) => imported), ...uses.flatMap(({ path }) => path)]);
}

function isUsedInside({ uses }: Facts, name: string): boolean {
  return uses.some(
    ({ root, rootIs, scope }) => root === name && rootIs === 'name' && scope.split('.')[0] !== name,
  );
}
