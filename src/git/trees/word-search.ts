import type { Git } from '#git/call/git.ts';
import { mostContent, type ObjectReader } from '#git/objects/object-reader.ts';
import { FileText, holdsWord } from './file-text.ts';
import { filesByWord, isUsable } from './grep.ts';
import type { GitTree } from './tree.ts';
import { isIndexed, WordIndex, WordIndexBuilder } from './word-index.ts';

/** Keeps one index of a repository between checks. It may be of an older base: blobs never change. */
export interface KeptIndex {
  read(): string | undefined;
  remember(index: string): void;
}

/** What is known of the files of base. */
interface BaseIndex {
  readonly words: WordIndex;
  /** By number in the index: the files of base with that content, often none. */
  readonly paths: readonly (readonly string[])[];
  /** Files that are not in the index. */
  readonly others: ReadonlyMap<string, FileText>;
  /** Too large to be read here: git searches them. */
  readonly unread: readonly string[];
}

/**
 * Which files of a tree hold a word. The files of base are read once, into an index that is kept. When base has moved, and of
 * other trees, only the files are read that are new.
 */
export class WordSearch {
  readonly #git: Git;
  readonly #objects: Pick<ObjectReader, 'blob'>;
  readonly #base: GitTree;
  readonly #kept: KeptIndex | null;
  #index: Promise<BaseIndex | null> | undefined;
  /** By word: the files of base that hold it. */
  readonly #inBase = new Map<string, ReadonlySet<string>>();
  /** By tree. */
  readonly #changed = new Map<string, Promise<ReadonlyMap<string, FileText> | null>>();
  /** By blob. */
  readonly #texts = new Map<string, FileText>();
  /** Of all texts. */
  #bytes = 0;

  constructor(git: Git, objects: Pick<ObjectReader, 'blob'>, base: GitTree, kept: KeptIndex | null = null) {
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
      const differing = [...tree.differences.keys()].filter((path) => inBase.has(path));
      const touched = filesWith(word, changed);
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
    { words, paths, others }: BaseIndex,
    asked: readonly string[],
    found: Map<string, Set<string>>,
  ): Promise<void> {
    const doubtful = new Map<string, string[]>();
    for (const word of asked) {
      const [rarest, ...rest] = piecesOf(word)
        .map((piece) => words.filesWith(piece))
        .sort((a, b) => a.length - b.length);
      const holding = [...(rarest ?? [])]
        .filter((file) => rest.every((files) => files.includes(file)))
        .flatMap((file) => paths[file] ?? []);
      found.set(word, new Set(filesWith(word, others)));
      if (isIndexed(word)) for (const path of holding) found.get(word)?.add(path);
      else for (const path of holding) doubtful.set(path, [...(doubtful.get(path) ?? []), word]);
    }
    for (const part of chunksOf([...doubtful], filesAtOnce))
      await Promise.all(
        part.map(async ([path, candidates]) => {
          const file = await this.#textOf(this.#base.blob(path) ?? '');
          for (const word of candidates) if (file && holdsWord(word)(file)) found.get(word)?.add(path);
        }),
      );
  }

  /** Null for a tree of very many files or words. */
  async #readIndex(): Promise<BaseIndex | null> {
    const all = this.#base.matching(isAnyPath).filter((path) => this.#base.blob(path) !== undefined);
    if (all.length > mostIndexed) return null;
    const files = Map.groupBy(all, (path) => this.#base.blob(path) ?? '');
    const known = readKept(this.#kept?.read());
    const missing = known ? [...files.keys()].filter((blob) => !known.blobs.has(blob)) : [];
    const index =
      known && missing.length <= mostNew(files.size) ? known : await this.#buildIndex([...files.keys()]);
    if (index === null) return null;
    const others = new Map<string, FileText>();
    const unread: string[] = [];
    let bytes = 0;
    for (const part of chunksOf(index === known ? missing : index.skipped, filesAtOnce)) {
      const texts = await Promise.all(part.map((blob) => this.#read(blob, largestIndexed)));
      bytes += texts.reduce((sum, file) => sum + (file?.text.length ?? 0), 0);
      for (const [at, blob] of part.entries())
        for (const path of files.get(blob) ?? []) {
          const file = texts[at] ?? null;
          if (file === null) unread.push(path);
          else others.set(path, file);
        }
      if (unread.length > mostUnread || bytes > mostIndexedBytes) return null;
    }
    const paths = [...index.blobs].map((blob) => files.get(blob) ?? []);
    return { words: index.words, paths, others, unread };
  }

  /** The words of these blobs; without those that are too large or missing. */
  async #buildIndex(blobs: readonly string[]): Promise<Index | null> {
    const built = new WordIndexBuilder();
    const added = new Set<string>();
    const skipped: string[] = [];
    let bytes = 0;
    for (const part of chunksOf(blobs, filesAtOnce)) {
      const read = await Promise.all(part.map((blob) => this.#objects.blob(blob, largestIndexed)));
      for (const [at, blob] of read.entries()) {
        const id = part[at] ?? '';
        const content = blob?.content ?? null;
        if (content === null) {
          skipped.push(id);
          continue;
        }
        bytes += content.length;
        added.add(id);
        built.add(isBinary(content) ? nothing : content);
      }
      if (bytes > mostIndexedBytes || built.wordCount > mostWords) return null;
    }
    const words = built.build();
    this.#kept?.remember(`${[...added].join(' ')}\n\n${words.toText()}`);
    return { words, blobs: added, skipped };
  }

  #changedIn(tree: GitTree): Promise<ReadonlyMap<string, FileText> | null> {
    const known = this.#changed.get(tree.id) ?? this.#readChanged(tree);
    this.#changed.set(tree.id, known);
    return known;
  }

  /** The files that differ from base; null when they are too many or too large to be read here. */
  async #readChanged(tree: GitTree): Promise<ReadonlyMap<string, FileText> | null> {
    const files = [...tree.differences].filter(([, entry]) => entry?.kind === 'file');
    if (files.length > mostRead) return null;
    const changed = new Map<string, FileText>();
    for (const part of chunksOf(files, filesAtOnce)) {
      if (this.#bytes > mostIndexedBytes) return null;
      const texts = await Promise.all(part.map(([, entry]) => this.#textOf(entry?.id ?? '')));
      for (const [at, [path]] of part.entries()) {
        const file = texts[at] ?? null;
        if (file === null) return null;
        changed.set(path, file);
      }
    }
    return changed;
  }

  async #textOf(blob: string): Promise<FileText | null> {
    const known = this.#texts.get(blob);
    if (known) return known;
    const file = await this.#read(blob);
    if (file === null || this.#bytes > mostIndexedBytes) return file;
    this.#bytes += file.text.length;
    this.#texts.set(blob, file);
    return file;
  }

  /** Null when it is too large to be read here; without words when it is binary or missing. */
  async #read(blob: string, most = mostContent): Promise<FileText | null> {
    const found = await this.#objects.blob(blob, most);
    if (found?.content === null) return null;
    return found === null || isBinary(found.content)
      ? noText
      : new FileText(found.content.toString('latin1'));
  }
}

interface Index {
  readonly words: WordIndex;
  /** In the order of their numbers. */
  readonly blobs: ReadonlySet<string>;
  /** Blobs of base that are not in it. */
  readonly skipped: readonly string[];
}

function readKept(text: string | undefined): Index | null {
  if (text === undefined) return null;
  const end = text.indexOf('\n\n');
  const blobs = new Set(text.slice(0, end).split(' '));
  return { words: WordIndex.fromText(text.slice(end + 2)), blobs, skipped: [] };
}

/** With more new files than this, all are read into a new index. */
function mostNew(files: number): number {
  return 200 + files / 8;
}

function filesWith(word: string, files: ReadonlyMap<string, FileText>): string[] {
  const holds = holdsWord(word);
  return [...files].flatMap(([path, file]) => (holds(file) ? [path] : []));
}

const isAnyPath = () => true;
const noText = new FileText('');
const nothing = new Uint8Array();

/** A larger tree is searched by git: its index would take too much memory. */
const mostIndexed = 60_000;
const mostIndexedBytes = 256 * 1024 * 1024;
const mostWords = 1_000_000;
/** Larger files are searched by git, if they are few. */
const largestIndexed = 4 * 1024 * 1024;
const mostUnread = 100;
/** Few enough that those which are being read fit into memory, however large each is. */
const filesAtOnce = 50;
/** With more files that differ from base, git is faster. */
const mostRead = 10_000;
/** As far as git looks to tell whether a file is binary. */
const binaryWithin = 8000;
function isBinary(content: Buffer): boolean {
  return content.subarray(0, binaryWithin).includes(0);
}

/** `user` and `id` of `user-id`: whoever holds the word holds each of them as a word. */
function piecesOf(word: string): string[] {
  return isUsable(word) ? (word.match(/\w+/g) ?? []).filter(isIndexed) : [];
}

function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
