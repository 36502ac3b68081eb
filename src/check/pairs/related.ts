import type { Member } from '#check/members/member.ts';
import { meetingKeys } from '#check/rules/detect.ts';
import { packageOf } from '#code/languages/index.ts';

const noSides: readonly number[] = [];

/**
 * Pairs of sides (by index, lower first) that can meet at all: one changed what the other changed or depends on. Uses an inverted index
 * over paths, so that the work grows with what is shared, not with the number of pairs.
 */
export function relatedPairs(sides: readonly Member[]): Set<string> {
  const touching = new Map<string, number[]>();
  sides.forEach((side, index) => {
    for (const key of touchedKeys(side)) {
      const known = touching.get(key);
      if (known) known.push(index);
      else touching.set(key, [index]);
    }
  });
  const related = new Set<string>();
  const relate = (a: number, b: number) => {
    if (a !== b) related.add(pairKey(a, b));
  };
  sides.forEach((side, index) => {
    const relateBy = (key: string) => {
      for (const other of touching.get(key) ?? noSides) relate(index, other);
    };
    side.barrels.forEach(relateBy);
    // Everything its files depend on: by far the largest part.
    side.links.leadsTo.forEach(relateBy);
    for (const key of placesOf(side)) relateBy(key);
    // Git moves files into a renamed folder, and a changed tsconfig can redirect any import.
    if (side.changesResolution || side.renames.size > 0)
      for (const other of sides.keys()) relate(index, other);
  });
  return related;
}

export function pairKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function* touchedKeys(side: Member): Iterable<string> {
  const keys = new Set<string>();
  for (const { path, oldPath } of side.changes) {
    keys.add(path);
    if (oldPath !== null) keys.add(oldPath);
    for (const file of oldPath === null ? [path] : [path, oldPath]) {
      const folder = packageOf(file);
      if (folder !== null) keys.add(folder);
    }
    for (const key of meetingKeys(path)) keys.add(key);
  }
  yield* keys;
  yield* side.barrels;
}

/** Its own paths, and the folders above them: another side may replace a folder by a file. */
function* placesOf(side: Member): Iterable<string> {
  for (const { path } of side.changes) {
    yield path;
    yield* meetingKeys(path);
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
      yield path.slice(0, slash);
  }
}
