import type { Git } from '#git/call/git.ts';
import { mostContent, type ObjectReader } from '#git/objects/object-reader.ts';
import { filesByWord, filesWithWords, isUsable } from './grep.ts';
import type { GitTree } from './tree.ts';

/**
 * Which files of a tree hold a word. Git reads every file of a tree to answer, so it searches base alone, once for each
 * question. Of another tree only the files are read that differ from base.
 */
export class WordSearch {
  readonly #git: Git;
  readonly #objects: Pick<ObjectReader, 'blob'>;
  readonly #base: GitTree;
  /** By word: the files of base that hold it. */
  readonly #inBase = new Map<string, ReadonlySet<string>>();
  /** By the words asked for: the files of base that hold at least one. */
  readonly #searches = new Map<string, Promise<readonly string[]>>();
  readonly #texts = new Map<string, Promise<string | null>>();

  constructor(git: Git, objects: Pick<ObjectReader, 'blob'>, base: GitTree) {
    this.#git = git;
    this.#objects = objects;
    this.#base = base;
  }

  /** Files of a tree that hold at least one of the words, in the order of their paths. */
  async holding(tree: GitTree, words: readonly string[]): Promise<string[]> {
    const changed = await this.#changedIn(tree);
    if (changed === null) return filesWithWords(this.#git, tree.id, words);
    const unchanged = (await this.#searchBase(words)).filter((path) => !tree.differences.has(path));
    const touched = [...changed].filter(([, text]) => wordsIn(text, words).size > 0);
    return touched.length === 0 ? unchanged : [...unchanged, ...touched.map(([path]) => path)].sort();
  }

  /** By word: the files of a tree that hold it. A word that no file holds is not in it. */
  async holders(tree: GitTree, words: readonly string[]): Promise<Map<string, Set<string>>> {
    const changed = await this.#changedIn(tree);
    if (changed === null) return filesByWord(this.#git, tree.id, words);
    await this.#searchBaseByWord(words);
    const held = [...changed].map(([path, text]) => [path, wordsIn(text, words)] as const);
    const found = new Map<string, Set<string>>();
    for (const word of words) {
      const unchanged = [...(this.#inBase.get(word) ?? [])].filter((path) => !tree.differences.has(path));
      const touched = held.flatMap(([path, inFile]) => (inFile.has(word) ? [path] : []));
      if (unchanged.length + touched.length > 0) found.set(word, new Set([...unchanged, ...touched]));
    }
    return found;
  }

  #searchBase(words: readonly string[]): Promise<readonly string[]> {
    const key = [...new Set(words)].sort().join('\n');
    const found = this.#searches.get(key) ?? filesWithWords(this.#git, this.#base.id, words);
    this.#searches.set(key, found);
    return found;
  }

  async #searchBaseByWord(words: readonly string[]): Promise<void> {
    const open = words.filter((word) => !this.#inBase.has(word));
    if (open.length === 0) return;
    const found = await filesByWord(this.#git, this.#base.id, open);
    for (const word of open) this.#inBase.set(word, found.get(word) ?? new Set());
  }

  /** The files that differ from base; null when they are too many or too large to be read here. */
  async #changedIn(tree: GitTree): Promise<Map<string, string> | null> {
    const files = [...tree.differences].filter(([, entry]) => entry?.kind === 'file');
    if (files.length > mostRead) return null;
    const texts = await Promise.all(files.map(([, entry]) => this.#textOf(entry?.id ?? '')));
    if (texts.includes(null)) return null;
    return new Map(files.map(([path], index) => [path, texts[index] ?? '']));
  }

  #textOf(blob: string): Promise<string | null> {
    const known =
      this.#texts.get(blob) ??
      this.#objects.blob(blob, mostContent).then((found) => {
        if (found?.content === null) return null;
        return found?.content ? textOf(found.content) : '';
      });
    this.#texts.set(blob, known);
    return known;
  }
}

/** With more files that differ from base, git is faster. */
const mostRead = 1000;
/** As far as git looks to tell whether a file is binary. */
const binaryWithin = 8000;
/** From so many words on, reading the text once is cheaper than looking for each of them. */
const manyWords = 8;

/** The text of a file, one character for each byte as git compares them; empty when the file is binary. */
function textOf(content: Buffer): string {
  return content.subarray(0, binaryWithin).includes(0) ? '' : content.toString('latin1');
}

/** Those of the words that `git grep -w -F` finds: with no letter, digit or underscore before or after them. */
function wordsIn(text: string, words: readonly string[]): Set<string> {
  const plain = words.filter((word) => /^\w+$/.test(word));
  const found = new Set<string>();
  if (plain.length < manyWords) for (const word of plain) if (stands(text, word)) found.add(word);
  if (plain.length >= manyWords) {
    const wanted = new Set(plain);
    for (const [word] of text.matchAll(/\w+/g)) if (wanted.has(word)) found.add(word);
  }
  for (const word of words)
    if (!/^\w+$/.test(word) && isUsable(word) && stands(text, Buffer.from(word).toString('latin1')))
      found.add(word);
  return found;
}

function stands(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
