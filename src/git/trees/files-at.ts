import { posix } from 'node:path';
import type { Git } from '#git/call/git.ts';
import { fetchTheRest, GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { mostContent, ObjectReader } from '#git/objects/object-reader.ts';
import { rawEntries } from '#git/objects/raw-tree.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { GitTree } from './tree.ts';

/** The files of one commit. */
export interface CommitFiles {
  /** All paths. */
  list(): Promise<readonly string[]>;
  /** Texts by path; missing files are left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function filesOfCommit(git: Git, commit: string): CommitFiles {
  return {
    list: async () => {
      const listing = await git.text([
        ...['ls-tree', '-r', '-z', '--name-only', '--full-tree', '--end-of-options'],
        commit,
      ]);
      return listing.split('\0').filter((path) => path !== '');
    },
    read: (paths) => readFilesAt(git, commit, paths),
  };
}

const everyPath = () => true;

export function filesOfTree(tree: GitTree, objects: ObjectReader): CommitFiles {
  return {
    list: async () => tree.matching(everyPath),
    read: (paths) => readFilesIn(tree, objects, paths),
  };
}

interface Entry {
  readonly id: string;
  readonly isLink: boolean;
}

/**
 * Texts of files of a commit, by path; missing files are left out, with `skipLarge` also those that are too large to read. A link to a file
 * of the same commit is followed once: AGENTS.md is often a link to CLAUDE.md.
 */
export async function readFilesAt(
  git: Git,
  commit: string,
  paths: readonly string[],
  { skipLarge = false } = {},
): Promise<Map<string, string>> {
  const reader = new ObjectReader(git);
  try {
    return await readTexts(reader, paths, async (some) => {
      const entries = await treeEntries(git, commit, some);
      return skipLarge ? readable(reader, entries) : entries;
    });
  } finally {
    reader.close();
  }
}

/** The same for a tree whose listing is known. */
export function readFilesIn(
  tree: GitTree,
  objects: ObjectReader,
  paths: readonly string[],
): Promise<Map<string, string>> {
  return readTexts(objects, paths, async (some) => {
    const found = some.flatMap((path): [string, Entry][] => {
      const entry = tree.entry(path);
      return !entry || entry.kind === 'submodule'
        ? []
        : [[path, { id: entry.id, isLink: entry.kind === 'symlink' }]];
    });
    return new Map(found);
  });
}

/** The same for files at the top of a commit, using only a reader that is already running. */
export function readTopFiles(
  reader: ObjectReader,
  commit: string,
  format: Repository['objectFormat'],
  paths: readonly string[],
): Promise<Map<string, string>> {
  const top = reader.blob(`${commit}^{tree}`, mostContent);
  return readTexts(reader, paths, async (some) => {
    const content = (await top)?.content;
    if (!content) throw missing(`the tree of commit ${commit.slice(0, 12)}`);
    const files = [...rawEntries(content, format)].filter(({ mode }) => /^1(?:00|20)/.test(mode));
    const wanted = files.filter(({ name }) => some.includes(name));
    return new Map(wanted.map(({ mode, name, id }) => [name, { id, isLink: mode === '120000' }]));
  });
}

type Entries = ReadonlyMap<string, Entry>;

async function readTexts(
  reader: ObjectReader,
  paths: readonly string[],
  find: (paths: readonly string[]) => Promise<Entries>,
): Promise<Map<string, string>> {
  const entries = await find(paths);
  const texts = await Promise.all(
    [...entries].map(async ([path, entry]) => ({ path, entry, text: await textOf(reader, path, entry) })),
  );
  const links = texts.filter(({ entry }) => entry.isLink);
  const targets = links.map(({ path, text }) => posix.join(posix.dirname(path), text));
  const found: Entries = links.length === 0 ? new Map() : await find(targets);
  const followed = links.map(async ({ path }, index) => {
    const target = found.get(targets[index] ?? '');
    return target && !target.isLink ? [[path, await textOf(reader, path, target)] as const] : [];
  });
  const plain = texts.filter(({ entry }) => !entry.isLink).map(({ path, text }) => [path, text] as const);
  return new Map([...plain, ...(await Promise.all(followed)).flat()]);
}

async function readable(reader: ObjectReader, entries: Entries): Promise<Entries> {
  const headers = await Promise.all([...entries.values()].map(({ id }) => reader.header(id)));
  return new Map([...entries].filter((_, at) => (headers[at]?.size ?? 0) <= mostContent));
}

/** A file that is listed but cannot be read is an error, not a missing file. */
async function textOf(reader: ObjectReader, path: string, { id }: Entry): Promise<string> {
  const blob = await reader.blob(id, mostContent);
  if (blob?.content) return blob.content.toString('utf8').replace(/^\uFEFF/, '');
  if (!blob) throw missing(`the content of ${path}`);
  throw new GitError('too-large', `${path} has more than ${mostContent / 1024 / 1024} MB`, {
    hint: `see what it holds: git cat-file -p ${id} | head`,
  });
}

function missing(what: string): GitError {
  return new GitError('objects-missing', `this clone lacks ${what}`, {
    exitCode: exitCodes.environment,
    hint: `it is a partial or damaged clone; fetch the rest: ${fetchTheRest}`,
  });
}

/** The system limits the length of a command: with more characters the whole tree is listed. */
const mostNamed = 100_000;

async function treeEntries(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, Entry>> {
  const inside = paths.filter((path) => path !== '' && !path.startsWith('/') && !path.startsWith('..'));
  if (inside.length === 0) return new Map();
  const isShort = inside.join(' ').length <= mostNamed;
  const listing = await git.text([
    ...['ls-tree', '-z', '--full-tree', ...(isShort ? [] : ['-r']), '--end-of-options', commit],
    ...(isShort ? inside : []),
  ]);
  const wanted = new Set(inside);
  const entries = listing.split('\0').flatMap((record): [string, Entry][] => {
    const [, mode, id, path] = /^(100644|100755|120000) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(record) ?? [];
    return id === undefined || path === undefined || !wanted.has(path)
      ? []
      : [[path, { id, isLink: mode === '120000' }]];
  });
  return new Map(entries);
}
