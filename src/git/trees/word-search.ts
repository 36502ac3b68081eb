import type { Git } from '#git/call/git.ts';
import { mostContent, type ObjectReader } from '#git/objects/object-reader.ts';
import { FileText, holdsWord, wordStands } from './file-text.ts';
import { filesLike } from './files-like.ts';
import { filesByWord, isUsable } from './grep.ts';
import type { GitTree } from './tree.ts';
import { isIndexed, WordIndex, WordIndexBuilder } from './word-index.ts';

/** Stores one index of a repository between checks. It may belong to an older base: blobs never change. */
export interface KeptIndex {
  read(): string | undefined;
  remember(index: string): void;
}

/** Files of a tree that are searched here. */
interface SearchedFiles {
  readonly tree: GitTree;
  /** Paths of the files in the index, by their number there. */
  readonly paths: ReadonlyMap<number, readonly string[]>;
  /** Files that are not in the index. */
  readonly others: ReadonlyMap<string, FileText>;
}

interface BaseFiles extends SearchedFiles {
  readonly index: Index;
  /** Too large to be read here: git searches them. */
  readonly unread: readonly string[];
}

/** Files that contain a word, as far as the index knows; `perhaps`: they have to be read. */
interface Candidates {
  readonly certain: readonly string[];
  readonly perhaps: readonly string[];
}

/**
 * Which files of a tree contain a word. The files of base and of the branches are read once, into an index that is stored. Later, and for
 * other trees, only new files are read.
 */
export class WordSearch {
  readonly #git: Git;
  readonly #objects: Pick<ObjectReader, 'blob'>;
  readonly #base: GitTree;
  readonly #kept: KeptIndex | null;
  readonly #ofBranches: readonly string[];
  #index: Promise<BaseFiles | null> | undefined;
  /** By word: the files of base that contain it. */
  readonly #inBase = new Map<string, ReadonlySet<string>>();
  /** By tree. */
  readonly #changed = new Map<string, Promise<SearchedFiles | null>>();
  /** By blob. */
  readonly #texts = new Map<string, FileText>();
  /** Size of all texts. */
  #bytes = 0;

  /** `ofBranches`: blobs of files that branches have changed. */
  constructor(
    git: Git,
    objects: Pick<ObjectReader, 'blob'>,
    base: GitTree,
    kept: KeptIndex | null = null,
    ofBranches: readonly string[] = [],
  ) {
    this.#git = git;
    this.#objects = objects;
    this.#base = base;
    this.#kept = kept;
    this.#ofBranches = ofBranches;
  }

  /** Files of a tree that contain at least one of the words, sorted by path. */
  async holding(tree: GitTree, words: readonly string[]): Promise<string[]> {
    const found = await this.holders(tree, words);
    return [...new Set([...found.values()].flatMap((paths) => [...paths]))].sort();
  }

  /** By word: the files of a tree that contain it. Words without a match are not in the map. */
  async holders(tree: GitTree, words: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
    if (words.length === 0) return new Map();
    const changed = await this.#changedIn(tree);
    if (changed === null) return filesByWord(this.#git, tree.id, words);
    await this.#searchBase(words);
    const inChanged = await this.#search(changed, words);
    const found = new Map<string, ReadonlySet<string>>();
    for (const word of words) {
      const inBase = this.#inBase.get(word) ?? new Set();
      const differing = [...tree.differences.keys()].filter((path) => inBase.has(path));
      const touched = inChanged.get(word) ?? new Set();
      const isAsInBase = differing.length + touched.size === 0;
      const holding = isAsInBase ? inBase : inBase.difference(new Set(differing)).union(touched);
      if (holding.size > 0) found.set(word, holding);
    }
    return found;
  }

  /**
   * Whether a file of the tree that is not one of these paths contains the word. Reads files only until it finds one. Files like the samples
   * come first: one of them often contains the word, and then no index of the whole tree is needed.
   */
  async isHeldBeside(
    tree: GitTree,
    word: string,
    paths: ReadonlySet<string>,
    samples: readonly string[] = [],
  ): Promise<boolean> {
    if (this.#index === undefined && isUsable(word)) {
      const likely = filesLike(tree, samples, mostLikely).filter((path) => !paths.has(path));
      for (const part of chunksOf(likely, fewAtOnce))
        if ((await this.#holding(tree, word, part)).length > 0) return true;
    }
    const [base, changed] = [await this.#baseFiles(), await this.#changedIn(tree)];
    if (base === null || base.unread.length > 0 || changed === null || piecesOf(word).length === 0)
      return [...((await this.holders(tree, [word])).get(word) ?? [])].some((path) => !paths.has(path));
    const parts = [changed, base].map((files) => {
      const isAsked = (path: string) =>
        !paths.has(path) && (files === changed || !tree.differences.has(path));
      const { certain, perhaps } = this.#candidates(base.index.words, files, word);
      return { files, certain: certain.some(isAsked), perhaps: perhaps.filter(isAsked) };
    });
    if (parts.some(({ certain }) => certain)) return true;
    for (const { files, perhaps } of parts)
      for (const part of chunksOf(perhaps, fewAtOnce))
        if ((await this.#holding(files.tree, word, part)).length > 0) return true;
    return false;
  }

  /** Searches base for the words that were not searched before. */
  async #searchBase(words: readonly string[]): Promise<void> {
    const open = [...new Set(words)].filter((word) => !this.#inBase.has(word));
    if (open.length === 0) return;
    const base = await this.#baseFiles();
    const byGit = base === null ? open : open.filter((word) => piecesOf(word).length === 0);
    const found = await filesByWord(this.#git, this.#base.id, byGit);
    if (base !== null) {
      const indexed = open.filter((word) => piecesOf(word).length > 0);
      for (const [word, paths] of await this.#search(base, indexed)) found.set(word, paths);
      if (base.unread.length > 0)
        for (const [word, paths] of await filesByWord(this.#git, this.#base.id, indexed, base.unread))
          found.set(word, (found.get(word) ?? new Set()).union(paths));
    }
    for (const word of open) this.#inBase.set(word, found.get(word) ?? new Set());
  }

  async #search(files: SearchedFiles, words: readonly string[]): Promise<Map<string, Set<string>>> {
    const index = (await this.#baseFiles())?.index.words ?? null;
    const found = new Map<string, Set<string>>();
    const doubtful = new Map<string, string[]>();
    for (const word of words) {
      const { certain, perhaps } = this.#candidates(index, files, word);
      found.set(word, new Set(certain));
      for (const path of perhaps) doubtful.set(path, [...(doubtful.get(path) ?? []), word]);
    }
    for (const part of chunksOf([...doubtful], filesAtOnce))
      await Promise.all(
        part.map(async ([path, candidates]) => {
          for (const word of candidates)
            if ((await this.#holding(files.tree, word, [path])).length > 0) found.get(word)?.add(path);
        }),
      );
    return found;
  }

  /** For `user_id` the index alone is the answer; for `user-id` it gives the files that contain `user` and `id`. */
  #candidates(index: WordIndex | null, { paths, others }: SearchedFiles, word: string): Candidates {
    const read = filesWith(word, others);
    if (index === null || !isUsable(word)) return { certain: read, perhaps: [] };
    const pieces = piecesOf(word);
    const [rarest, ...rest] = pieces
      .map((piece) => index.filesWith(piece))
      .sort((a, b) => a.length - b.length);
    const numbers = pieces.length === 0 ? paths.keys() : (rarest ?? []);
    const holding = [...numbers]
      .filter((file) => rest.every((files) => files.includes(file)))
      .flatMap((file) => paths.get(file) ?? []);
    return isIndexed(word)
      ? { certain: [...read, ...holding], perhaps: [] }
      : { certain: read, perhaps: holding };
  }

  /** Those of the files that contain the word. */
  async #holding(tree: GitTree, word: string, paths: readonly string[]): Promise<string[]> {
    const stands = wordStands(word);
    const texts = await Promise.all(paths.map((path) => this.#textOf(tree.blob(path) ?? '')));
    return paths.filter((_, at) => {
      const file = texts[at];
      return file && stands(file);
    });
  }

  #baseFiles(): Promise<BaseFiles | null> {
    this.#index ??= this.#readIndex();
    return this.#index;
  }

  /** Null for a tree with too many files or words. */
  async #readIndex(): Promise<BaseFiles | null> {
    const all = this.#base.matching(isAnyPath).filter((path) => this.#base.blob(path) !== undefined);
    if (all.length > mostIndexed) return null;
    const files = Map.groupBy(all, (path) => this.#base.blob(path) ?? '');
    const blobs = [...new Set([...files.keys(), ...this.#ofBranches])];
    const known = readKept(this.#kept?.read());
    const isKept = known && blobs.filter((blob) => !known.numbers.has(blob)).length <= mostNew(files.size);
    const index = isKept ? known : await this.#buildIndex(blobs);
    if (index === null) return null;
    const missing = [...files.keys()].filter((blob) => !index.numbers.has(blob));
    const others = new Map<string, FileText>();
    const unread: string[] = [];
    let bytes = 0;
    for (const part of chunksOf(missing, filesAtOnce)) {
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
    return { index, tree: this.#base, paths: numbered(index, files), others, unread };
  }

  /** Indexes the words of these blobs, except those that are too large or missing. */
  async #buildIndex(blobs: readonly string[]): Promise<Index | null> {
    const built = new WordIndexBuilder();
    const numbers = new Map<string, number>();
    let bytes = 0;
    for (const part of chunksOf(blobs, filesAtOnce)) {
      const read = await Promise.all(part.map((blob) => this.#objects.blob(blob, largestIndexed)));
      for (const [at, blob] of read.entries()) {
        const id = part[at] ?? '';
        const content = blob?.content ?? null;
        if (content === null) continue;
        bytes += content.length;
        numbers.set(id, numbers.size);
        built.add(isBinary(content) ? nothing : content);
      }
      if (bytes > mostIndexedBytes || built.wordCount > mostWords) return null;
    }
    const words = built.build();
    this.#kept?.remember(`${[...numbers.keys()].join(' ')}\n\n${words.toText()}`);
    return { words, numbers };
  }

  #changedIn(tree: GitTree): Promise<SearchedFiles | null> {
    const known = this.#changed.get(tree.id) ?? this.#readChanged(tree);
    this.#changed.set(tree.id, known);
    return known;
  }

  /** The files that differ from base; null when they are too many or too large to read here. */
  async #readChanged(tree: GitTree): Promise<SearchedFiles | null> {
    const files = [...tree.differences].flatMap(([path, entry]) =>
      entry?.kind === 'file' ? [{ path, blob: entry.id }] : [],
    );
    if (files.length > mostRead) return null;
    const index = files.length === 0 ? null : ((await this.#baseFiles())?.index ?? null);
    const [indexed = [], unknown = []] = [true, false].map((isKnown) =>
      files.filter(({ blob }) => (index?.numbers.has(blob) ?? false) === isKnown),
    );
    const others = new Map<string, FileText>();
    for (const part of chunksOf(unknown, filesAtOnce)) {
      if (this.#bytes > mostIndexedBytes) return null;
      const texts = await Promise.all(part.map(({ blob }) => this.#textOf(blob)));
      for (const [at, { path }] of part.entries()) {
        const file = texts[at] ?? null;
        if (file === null) return null;
        others.set(path, file);
      }
    }
    const byBlob = new Map(
      [...Map.groupBy(indexed, ({ blob }) => blob)].map(([blob, all]) => [blob, all.map(({ path }) => path)]),
    );
    return { tree, paths: index ? numbered(index, byBlob) : new Map(), others };
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

  /** Null when the blob is too large to read here; an empty text when it is binary or missing. */
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
  /** By blob, in ascending order. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** By number in the index: the paths with that content. */
function numbered(
  { numbers }: Index,
  files: ReadonlyMap<string, readonly string[]>,
): Map<number, readonly string[]> {
  return new Map(
    [...files].flatMap(([blob, paths]) => {
      const number = numbers.get(blob);
      return number === undefined ? [] : [[number, paths] as const];
    }),
  );
}

function readKept(text: string | undefined): Index | null {
  if (text === undefined) return null;
  const end = text.indexOf('\n\n');
  const blobs = text.slice(0, end).split(' ');
  const numbers = new Map(blobs.map((blob, number) => [blob, number]));
  return { words: WordIndex.fromText(text.slice(end + 2)), numbers };
}

/** With more new files than this, a new index is built from all files. */
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

/** Git searches a larger tree: its index would take too much memory. */
const mostIndexed = 60_000;
const mostIndexedBytes = 256 * 1024 * 1024;
const mostWords = 1_000_000;
/** Git searches larger files, if they are few. */
const largestIndexed = 4 * 1024 * 1024;
const mostUnread = 100;
/** Few enough that the files being read fit into memory, however large each is. */
const filesAtOnce = 50;
/** One of them is often enough. */
const fewAtOnce = 4;
/** So many files are read before an index is built. */
const mostLikely = 200;
/** With more files that differ from base, git is faster. */
const mostRead = 10_000;
/** How many bytes git inspects to decide whether a file is binary. */
const binaryWithin = 8000;
function isBinary(content: Buffer): boolean {
  return content.subarray(0, binaryWithin).includes(0);
}

/** `user` and `id` of `user-id`: a file that contains the word contains each of them as a word. */
function piecesOf(word: string): string[] {
  return isUsable(word) ? (word.match(/\w+/g) ?? []).filter(isIndexed) : [];
}

function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
