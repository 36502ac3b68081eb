import { type Change, directoriesAbove, type GitTree } from './tree.ts';

/** The changes of one side against base, and since it left base's history. */
export interface Work {
  readonly changes: readonly Change[];
  /** The oldest commits that base lacks, see `Fork`. */
  readonly first: readonly string[];
  /** Its merge may depend on paths that it did not change. */
  readonly isUnsure: boolean;
}

/**
 * For each side the other sides that only git can merge with it. Sides that are not entangled merge without conflicts in any order, and the
 * union has the changes of all: they touch no common path, none puts a file where another needs a directory, none adds to a directory that
 * is moved away, and they share only `base`. One index over all paths: the work grows with the changes, not with the number of pairs.
 */
export function entangledSides(sides: readonly Work[], base: GitTree): Set<number>[] {
  const entangled = sides.map(() => new Set<number>());
  const tie = (a: number, b: number) => {
    if (a === b) return;
    entangled[a]?.add(b);
    entangled[b]?.add(a);
  };
  const touching = new Claims();
  const adding = new Claims();
  const moving = new Claims();
  const emptied = new Map<string, Set<string>>();
  for (const [index, { changes, first, isUnsure }] of sides.entries()) {
    if (isUnsure) for (const other of sides.keys()) tie(index, other);
    // The colon keeps ids and paths apart: the key of a path starts with a slash.
    for (const id of first) touching.add(`:${id}`, index, tie);
    for (const { path, oldPath, status } of changes) {
      touching.add(`/${path}`, index, tie);
      if (status === 'added' || status === 'renamed') adding.add(path, index);
      const gone = status === 'deleted' ? path : oldPath;
      if (gone === null) continue;
      if (gone !== path) touching.add(`/${gone}`, index, tie);
      for (const directory of directoriesAbove(gone)) {
        moving.add(directory, index);
        emptied.set(directory, (emptied.get(directory) ?? new Set()).add(gone));
      }
    }
  }
  const isEmptied = (directory: string) => {
    const gone = emptied.get(directory);
    return gone !== undefined && gone.size >= base.filesBelow(directory);
  };
  for (const [index, { changes }] of sides.entries())
    for (const { path, oldPath, status } of changes) {
      const isNew = status === 'added' || status === 'renamed';
      for (const directory of [...directoriesAbove(path), ...directoriesAbove(oldPath ?? '')]) {
        for (const other of adding.of(directory)) tie(index, other);
        if (isNew && isEmptied(directory)) for (const other of moving.of(directory)) tie(index, other);
      }
    }
  return entangled;
}

/** Which sides claim a path. */
class Claims {
  readonly #claims = new Map<string, number[]>();

  add(key: string, index: number, meets?: (a: number, b: number) => void): void {
    const known = this.#claims.get(key);
    if (!known) this.#claims.set(key, [index]);
    else if (known.at(-1) !== index) {
      for (const other of known) meets?.(other, index);
      known.push(index);
    }
  }

  of(key: string): readonly number[] {
    return this.#claims.get(key) ?? [];
  }
}
