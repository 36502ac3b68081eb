import type { Git } from '#git/call/git.ts';
import { decodePath } from '#git/call/path-bytes.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import { isJoineryError } from '#schema/errors.ts';

/** From this many words on, one expression for all of them is cheaper: git searches for fixed words one after the other. */
const manyWords = 8;
/** Most words in one expression; longer expressions take git too much memory. */
const mostAtOnce = 400;

/** Files of a tree that contain at least one of the words. */
export async function filesWithWords(
  git: Git,
  tree: string,
  words: readonly string[],
  within: readonly string[] = [],
): Promise<string[]> {
  const usable = words.filter(isUsable);
  if (usable.length === 0) return [];
  const isOne = usable.length >= manyWords && usable.every(isBounded);
  const parts = isOne ? chunks(usable) : [usable];
  const found = new Set<string>();
  for (const part of parts)
    for (const name of (await grep(git, tree, part, { output: '-l', isOne, within })).split('\0'))
      if (name !== '') found.add(pathOf(name, tree));
  return [...found];
}

/** By word: the files of a tree that contain it, optionally limited to some files. Words without a match are not in the map. */
export async function filesByWord(
  git: Git,
  tree: string,
  words: readonly string[],
  within: readonly string[] = [],
): Promise<Map<string, Set<string>>> {
  const usable = [...new Set(words.filter(isUsable))];
  const found = new Map<string, Set<string>>();
  const add = (word: string, path: string) => found.set(word, (found.get(word) ?? new Set()).add(path));
  for (const word of usable.filter((each) => !isBounded(each)))
    for (const path of await filesWithWords(git, tree, [word], within)) add(word, path);
  for (const apart of groupsApart(usable.filter(isBounded)))
    for (const part of chunks(apart))
      for (const [word, path] of await matches(git, tree, part, within)) add(word, path);
  return found;
}

/** The word and the file of each match. */
async function matches(
  git: Git,
  tree: string,
  words: readonly string[],
  within: readonly string[],
): Promise<(readonly [string, string])[]> {
  try {
    const isOne = words.length >= manyWords;
    const lines = (await grep(git, tree, words, { output: '-o', isOne, within })).split('\n');
    return lines.flatMap((line) => {
      const [name, word] = line.split('\0');
      return name && word ? [[word, pathOf(name, tree)] as const] : [];
    });
  } catch (error) {
    if (!isJoineryError(error) || error.code !== 'too-large') throw error;
    const found: (readonly [string, string])[] = [];
    for (const word of words)
      for (const path of await filesWithWords(git, tree, [word], within)) found.push([word, path]);
    return found;
  }
}

/**
 * Groups words so that none hides another. Git reports the longest match at a position and continues after it: `page` is hidden in
 * `page-title`, and in `user-card-list` only one of `user-card` and `card-list` is reported.
 */
function groupsApart(words: readonly string[]): string[][] {
  const groups: { words: Set<string>; pieces: Set<string>; starts: Set<string>; ends: Set<string> }[] = [];
  for (const word of words) {
    const { pieces, starts, ends } = piecesOf(word);
    const isApart = (group: (typeof groups)[number]) =>
      !group.pieces.has(word) &&
      pieces.isDisjointFrom(group.words) &&
      starts.isDisjointFrom(group.ends) &&
      ends.isDisjointFrom(group.starts);
    let group = groups.find(isApart);
    if (!group) {
      group = { words: new Set(), pieces: new Set(), starts: new Set(), ends: new Set() };
      groups.push(group);
    }
    group.words.add(word);
    for (const piece of pieces) group.pieces.add(piece);
    for (const start of starts) group.starts.add(start);
    for (const end of ends) group.ends.add(end);
  }
  return groups.map((group) => [...group.words]);
}

/** The words within a word, and those it starts and ends with: `a`, `b`, `c`, `a-b`, `b-c` for `a-b-c`. */
function piecesOf(word: string): { pieces: Set<string>; starts: Set<string>; ends: Set<string> } {
  const simple = [...word.matchAll(/\w+/g)];
  const all = simple.flatMap((first, at) =>
    simple.slice(at).map((last) => ({ from: first.index, to: last.index + last[0].length })),
  );
  const textsOf = (places: typeof all) => new Set(places.map(({ from, to }) => word.slice(from, to)));
  const inner = all.filter(({ from, to }) => to - from < word.length);
  return {
    pieces: textsOf(inner),
    starts: textsOf(inner.filter(({ from }) => from === 0)),
    ends: textsOf(inner.filter(({ to }) => to === word.length)),
  };
}

/** For words that start or end with another character, the result depends on how git searches. */
function isBounded(word: string): boolean {
  return /^\w([ -~]*\w)?$/.test(word);
}

/** Git reads words line by line. */
export function isUsable(word: string): boolean {
  return word !== '' && !/[\n\0]/.test(word);
}

async function grep(
  git: Git,
  tree: string,
  words: readonly string[],
  { output, isOne, within }: { output: '-l' | '-o'; isOne: boolean; within: readonly string[] },
): Promise<string> {
  const patterns = !isOne
    ? { flag: '-F', input: words.map((word) => `${word}\n`).join('') }
    : {
        flag: '-E',
        input: `${words.map((word) => escapePattern(word)).join('|')}\n`,
      };
  const paths = within.length === 0 ? [] : ['--', ...within];
  const { stdout } = await git.run(
    ['grep', '-I', output, '-z', '-w', patterns.flag, '-f', '-', tree, ...paths],
    { accept: [0, 1], input: patterns.input },
  );
  return stdout.toString('latin1');
}

function pathOf(name: string, tree: string): string {
  return decodePath(Buffer.from(name, 'latin1')).slice(tree.length + 1);
}

function chunks(words: readonly string[]): string[][] {
  return [...Map.groupBy(words.entries(), ([index]) => Math.floor(index / mostAtOnce)).values()].map((part) =>
    part.map(([, word]) => word),
  );
}
