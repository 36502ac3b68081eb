import type { Git } from '#git/call/git.ts';
import { mostContent, type ObjectReader } from '#git/objects/object-reader.ts';
import { FileText, holdsWord } from './file-text.ts';
import { filesByWord, isUsable } from './grep.ts';
import type { GitTree } from './tree.ts';
import { isIndexed, WordIndex, WordIndexBuilder } from './word-index.ts';

/** Keeps the index of a tree between checks. */
export interface KeptIndexes {
  read(tree: string): string | undefined;
  remember(tree: string, index: string): void;
}

/** What is known of the files of base. */
interface BaseIndex {
  readonly words: WordIndex;
  /** By number in the index. */
  readonly paths: readonly string[];
  /** Too large to be read here: git searches them. */
  readonly unread: readonly string[];
}

/**
 * Which files of a tree hold a word. The files of base are read once, into an index that is kept; of another tree only the
 * files are read that differ from base.
 */
export class WordSearch {
  readonly #git: Git;
  readonly #objects: Pick<ObjectReader, 'blob'>;
  readonly #base: GitTree;
  readonly #kept: KeptIndexes | null;
  #index: Promise<BaseIndex | null> | undefined;
  /** By word: the files of base that hold it. */
  readonly #inBase = new Map<string, ReadonlySet<string>>();
  /** By blob. */
  readonly #texts = new Map<string, Promise<FileText | null>>();

  constructor(git: Git, objects: Pick<ObjectReader, 'blob'>, base: GitTree, kept: KeptIndexes | null = null) {
    this.#git = git;
    this.#objects = objects;
    this.#base = base;
    this.#kept = kept;
  }

  /** Files of a tree that hold at least one of the words, in the order of their paths. */
  async holding(tree: GitTree, words: readonly string[]): Promise<string[]> {
    const found = await this.holders(tree, words);
    return [...new Set([...found.values()].flatMap((paths) => [...paths]))].sort();
  }

  /** By word: the files of a tree that hold it. A word that no file holds is not in it. */
  async holders(tree: GitTree, words: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
    const changed = await this.#changedIn(tree);
    if (changed === null) return filesByWord(this.#git, tree.id, words);
    await this.#searchBase(words);
    const found = new Map<string, ReadonlySet<string>>();
    for (const word of words) {
      const inBase = this.#inBase.get(word) ?? new Set();
      const holds = holdsWord(word);
      const differing = [...tree.differences.keys()].filter((path) => inBase.has(path));
      const touched = [...changed].flatMap(([path, file]) => (holds(file) ? [path] : []));
      const isAsInBase = differing.length + touched.length === 0;
      const holding = isAsInBase ? inBase : inBase.difference(new Set(differing)).union(new Set(touched));
      if (holding.size > 0) found.set(word, holding);
    }
    return found;
  }

  /** Answers what was not asked before. */
  async #searchBase(words: readonly string[]): Promise<void> {
    const open = [...new Set(words)].filter((word) => !this.#inBase.has(word));
    if (open.length === 0) return;
    this.#index ??= this.#readIndex();
    const index = await this.#index;
    const byGit = index === null ? open : open.filter((word) => piecesOf(word).length === 0);
    const found = await filesByWord(this.#git, this.#base.id, byGit);
    if (index !== null) {
      const indexed = open.filter((word) => piecesOf(word).length > 0);
      await this.#searchIndex(index, indexed, found);
      if (index.unread.length > 0)
        for (const [word, paths] of await filesByWord(this.#git, this.#base.id, indexed, index.unread))
          found.set(word, (found.get(word) ?? new Set()).union(paths));
    }
    for (const word of open) this.#inBase.set(word, found.get(word) ?? new Set());
  }

  /** The index alone answers for `user_id`; of `user-id` it tells the files that hold `user` and `id`, which are read. */
  async #searchIndex(
    { words, paths }: BaseIndex,
    asked: readonly string[],
    found: Map<string, Set<string>>,
  ): Promise<void> {
    const doubtful = new Map<string, string[]>();
    for (const word of asked) {
      const [rarest, ...others] = piecesOf(word)
        .map((piece) => words.filesWith(piece))
        .sort((a, b) => a.length - b.length);
      const holding = [...(rarest ?? [])]
        .filter((file) => others.every((files) => files.includes(file)))
        .map((file) => paths[file] ?? '');
      if (isIndexed(word)) found.set(word, new Set(holding));
      else for (const path of holding) doubtful.set(path, [...(doubtful.get(path) ?? []), word]);
    }
    for (const part of chunksOf([...doubtful], filesAtOnce))
      await Promise.all(
        part.map(async ([path, candidates]) => {
          const file = await this.#read(this.#base.blob(path) ?? '');
          for (const word of candidates)
            if (file && holdsWord(word)(file)) found.set(word, (found.get(word) ?? new Set()).add(path));
        }),
      );
  }

  /** Null for a tree of very many files or words. */
  async #readIndex(): Promise<BaseIndex | null> {
    const files = this.#base.matching(isAnyPath).filter((path) => this.#base.blob(path) !== undefined);
    if (files.length > mostIndexed) return null;
    const known = this.#kept?.read(this.#base.id);
    if (known !== undefined) {
      const [listed = '', ...rest] = known.split('\n\n');
      const unread = JSON.parse(listed) as string[];
      return { words: WordIndex.fromText(rest.join('\n\n')), paths: without(files, unread), unread };
    }
    const built = new WordIndexBuilder();
    const unread: string[] = [];
    let bytes = 0;
    for (const part of chunksOf(files, filesAtOnce)) {
      const blobs = await Promise.all(
        part.map((path) => this.#objects.blob(this.#base.blob(path) ?? '', largestIndexed)),
      );
      bytes += blobs.reduce((sum, blob) => sum + (blob?.content?.length ?? 0), 0);
      const isLarge = bytes > mostIndexedBytes || built.wordCount > mostWords;
      if (isLarge || unread.length > mostUnread) return null;
      for (const [at, blob] of blobs.entries())
        if (blob?.content === null) unread.push(part[at] ?? '');
        else
          built.add(blob === null || blob === undefined || isBinary(blob.content) ? nothing : blob.content);
    }
    const words = built.build();
    this.#kept?.remember(this.#base.id, `${JSON.stringify(unread)}\n\n${words.toText()}`);
    return { words, paths: without(files, unread), unread };
  }

  /** The files that differ from base; null when they are too many or too large to be read here. */
  async #changedIn(tree: GitTree): Promise<Map<string, FileText> | null> {
    const files = [...tree.differences].filter(([, entry]) => entry?.kind === 'file');
    if (files.length > mostRead) return null;
    const texts = await Promise.all(files.map(([, entry]) => this.#textOf(entry?.id ?? '')));
    return texts.includes(null)
      ? null
      : new Map(files.map(([path], index) => [path, texts[index] ?? noText] as const));
  }

  #textOf(blob: string): Promise<FileText | null> {
    const known = this.#texts.get(blob) ?? this.#read(blob);
    this.#texts.set(blob, known);
    return known;
  }

  /** Null when it is too large to be read here; without words when it is binary or missing. */
  async #read(blob: string): Promise<FileText | null> {
    const found = await this.#objects.blob(blob, mostContent);
    if (found?.content === null) return null;
    return found === null || isBinary(found.content)
      ? noText
      : new FileText(found.content.toString('latin1'));
  }
}

const isAnyPath = () => true;
const noText = new FileText('');
const nothing = new Uint8Array();

/** A larger tree is searched by git: its index would take too much memory. */
const mostIndexed = 20_000;
const mostIndexedBytes = 128 * 1024 * 1024;
const mostWords = 1_000_000;
/** Larger files are searched by git, if they are few. */
const largestIndexed = 4 * 1024 * 1024;
const mostUnread = 100;
/** Few enough that those which are being read fit into memory, however large each is. */
const filesAtOnce = 50;
/** With more files that differ from base, git is faster. */
const mostRead = 1000;
/** As far as git looks to tell whether a file is binary. */
const binaryWithin = 8000;
function isBinary(content: Buffer): boolean {
  return content.subarray(0, binaryWithin).includes(0);
}

/** `user` and `id` of `user-id`: whoever holds the word holds each of them as a word. */
function piecesOf(word: string): string[] {
  return isUsable(word) ? (word.match(/\w+/g) ?? []).filter(isIndexed) : [];
}

function without(paths: readonly string[], some: readonly string[]): readonly string[] {
  return some.length === 0 ? paths : paths.filter((path) => !some.includes(path));
}

function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
