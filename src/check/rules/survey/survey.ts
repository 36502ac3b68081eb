import type { Member } from '#check/members/member.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { Category, Confidence, Severity } from '#schema/vocabulary.ts';
import type { FileNews } from './readings.ts';

/** Members whose changes are counted from one tree, seen all at once: the cost grows with their changes, not with pairs. */
export interface Survey {
  readonly sides: readonly SurveyedBranch[];
  /** The tree that their changes are counted from. */
  readonly from: GitTree;
  /** All of them merged; null when their text does not merge. */
  readonly union: GitTree | null;
  /** The text of a file in a tree; null when it is absent, binary or very long. */
  read(tree: GitTree, path: string): Promise<string | null>;
  /** The shared data of a file in a tree; null when there is none. */
  data(tree: GitTree, path: string): Promise<DataFacts | null>;
  /** Files of a tree that contain one of the words. */
  holding(tree: GitTree, words: readonly string[]): Promise<readonly string[]>;
  /** By word: files of a tree that contain it. One search for all words; words without a match are not in the map. */
  holders(tree: GitTree, words: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Whether a file of a tree that is not one of these paths contains the word. Files like the samples are searched first. */
  isHeldBeside(
    tree: GitTree,
    word: string,
    paths: ReadonlySet<string>,
    samples: readonly string[],
  ): Promise<boolean>;
  /** They share nothing but the tree that their changes are counted from. */
  isApart(a: SurveyedBranch, b: SurveyedBranch): boolean;
}

/** A branch as a survey sees it: its changes, read only on demand. `member()` gives the full member. */
export interface SurveyedBranch extends Pick<Member, 'ref' | 'isBase' | 'changes'> {
  readonly tree: GitTree;
  /** By path: what each changed file adds and removes. Cached by the versions of the file. */
  news(): Promise<ReadonlyMap<string, FileNews>>;
  member(): Promise<Member>;
}

/** A place in a branch. */
export interface Spot {
  readonly side: SurveyedBranch;
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** What a rule finds between members. */
export interface Sighting {
  /** The cause: sightings of one rule with the same key between the same branches are one finding. */
  readonly key: string;
  readonly provider: Spot & { readonly removed?: boolean };
  /** Where the other branch meets it; the first one decides who owns the finding. */
  readonly sites: readonly [Spot, ...Spot[]];
  /** The name it is about: a rule that gives way reports nothing where another one reports that name. */
  readonly subject: string | readonly string[];
  /** Symbols for the same thing in code: findings about them between the same branches become part of this one. */
  readonly symbols?: readonly string[];
  /** Both change one thing. Otherwise the same line on both sides is one addition, not a meeting of two. */
  readonly isOfOneThing?: true;
  readonly confidence: Confidence;
  readonly severity?: Severity;
  /** Other categories that it also belongs to. */
  readonly tags?: readonly Category[];
  readonly message: string;
  readonly suggestion: string;
}

/** Items of different sides with one key: the first of each side, paired with the first earlier one that is apart. */
export function meetings<Item extends { readonly side: SurveyedBranch; readonly file: string }>(
  survey: Survey,
  items: readonly Item[],
): [first: Item, second: Item][] {
  const met: [Item, Item][] = [];
  const told = new Set<SurveyedBranch>();
  // One per file is enough: generated code repeats the same thing thousands of times.
  const before = new Map<string, Item>();
  for (const item of items) {
    const place = JSON.stringify([item.side.ref, item.file]);
    if (before.has(place)) continue;
    const first = told.has(item.side)
      ? undefined
      : before.values().find((other) => areApart(survey, other, item));
    before.set(place, item);
    if (first === undefined) continue;
    told.add(item.side);
    met.push([first, item]);
  }
  return met;
}

/** The same version of the same file on both sides is one thing, not two. */
function areApart(
  survey: Survey,
  a: { readonly side: SurveyedBranch; readonly file: string },
  b: { readonly side: SurveyedBranch; readonly file: string },
): boolean {
  if (a.side === b.side || !survey.isApart(a.side, b.side)) return false;
  const has = (side: SurveyedBranch, file: string, other: SurveyedBranch) =>
    side.tree.blob(file) !== undefined && side.tree.blob(file) === other.tree.blob(file);
  return !has(a.side, a.file, b.side) && !has(b.side, b.file, a.side);
}

/** All items of one kind on the sides, by key. */
export async function gather<Found, Item>(
  survey: Survey,
  of: (news: FileNews) => readonly Found[],
  as: (
    found: Found,
    at: { readonly side: SurveyedBranch; readonly file: string },
  ) => readonly [key: string, item: Item] | null,
): Promise<Map<string, Item[]>> {
  const all = new Map<string, Item[]>();
  for (const side of survey.sides)
    for (const [file, news] of await side.news())
      for (const found of of(news)) {
        const entry = as(found, { side, file });
        if (!entry) continue;
        const [key, item] = entry;
        const known = all.get(key);
        if (known) known.push(item);
        else all.set(key, [item]);
      }
  return all;
}
