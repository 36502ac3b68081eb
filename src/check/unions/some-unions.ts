import type { LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext } from '#check/context.ts';
import { mergeMany } from './unions.ts';

/** Unions of some of the branches; each set is merged once. */
export class SomeUnions {
  readonly #context: Pick<CheckContext, 'workspace' | 'base' | 'trees'>;
  readonly #live: readonly LiveBranch[];
  readonly #known = new Map<string, Promise<string | null>>();

  constructor(context: Pick<CheckContext, 'workspace' | 'base' | 'trees'>, live: readonly LiveBranch[]) {
    this.#context = context;
    this.#live = live;
  }

  /** The tree of these live branches, by index; null when their text does not merge. */
  of(members: readonly number[]): Promise<string | null> {
    const sorted = [...members].sort((a, b) => a - b);
    const key = sorted.join(' ');
    const known = this.#known.get(key);
    if (known) return known;
    const built = mergeMany(this.#context, this.#live, sorted).then((merged) =>
      merged.members.length === sorted.length ? merged.tree : null,
    );
    this.#known.set(key, built);
    return built;
  }
}
