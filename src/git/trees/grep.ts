import type { Git } from '#git/call/git.ts';
import { decodePath } from '#git/call/path-bytes.ts';

/** From so many words on, one expression for all of them is cheaper: git looks for fixed words one after the other. */
const manyWords = 8;
/** Words in one expression; longer ones take git too much memory. */
const mostAtOnce = 400;

/** Files of a tree that hold at least one of the words. */
export async function filesWithWords(git: Git, tree: string, words: readonly string[]): Promise<string[]> {
  const usable = words.filter(isUsable);
  if (usable.length === 0) return [];
  const isOne = usable.length >= manyWords && usable.every(isBounded);
  const parts = isOne ? chunks(usable) : [usable];
  const found = new Set<string>();
  for (const part of parts)
    for (const name of (await grep(git, tree, part, '-l', isOne)).split('\0'))
      if (name !== '') found.add(pathOf(name, tree));
  return [...found];
}

/**
 * For each of the words the files of a tree that hold it, in one search. A word that only shows within another one, as
 * `page` in `page-title`, may lack files, but is in the map if any file holds it.
 */
export async function filesByWord(
  git: Git,
  tree: string,
  words: readonly string[],
): Promise<Map<string, Set<string>>> {
  const usable = [...new Set(words.filter(isUsable))];
  const found = new Map<string, Set<string>>();
  const add = (word: string, path: string) => found.set(word, (found.get(word) ?? new Set()).add(path));
  const together = usable.filter(isBounded);
  if (together.length >= manyWords)
    for (const part of chunks(together))
      for (const line of (await grep(git, tree, part, '-o', true)).split('\n')) {
        const [name, word] = line.split('\0');
        if (name && word) add(Buffer.from(word, 'latin1').toString(), pathOf(name, tree));
      }
  // git reports the longest match at a place: words within others, and those that overlap, are asked for one by one.
  const compounds = usable.filter((word) => /\W/.test(word));
  const parts = new Set(compounds.flatMap((word) => [word, ...(word.match(/\w+/g) ?? [])]));
  const isHidden = (word: string) => together.length < manyWords || parts.has(word);
  for (const word of usable.filter((each) => !found.has(each) && isHidden(each)))
    for (const path of await filesWithWords(git, tree, [word])) add(word, path);
  return found;
}

/** What a word is when it begins or ends with another character depends on how git searches. */
function isBounded(word: string): boolean {
  return /^\w([ -~]*\w)?$/.test(word);
}

function isUsable(word: string): boolean {
  return word !== '' && !/[\n\0]/.test(word);
}

async function grep(
  git: Git,
  tree: string,
  words: readonly string[],
  output: '-l' | '-o',
  isOne: boolean,
): Promise<string> {
  const patterns = !isOne
    ? { flag: '-F', input: words.map((word) => `${word}\n`).join('') }
    : {
        flag: '-E',
        input: `${words.map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')}\n`,
      };
  const { stdout } = await git.run(['grep', '-I', output, '-z', '-w', patterns.flag, '-f', '-', tree], {
    accept: [0, 1],
    input: patterns.input,
  });
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
