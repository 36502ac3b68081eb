import { posix } from 'node:path';
import type { Git } from './git.ts';
import { fetchTheRest, GitError } from './git-error.ts';
import { ObjectReader } from './object-reader.ts';
import type { GitTree } from './tree.ts';

interface Entry {
  readonly id: string;
  readonly isLink: boolean;
}

/**
 * Files of a commit by path, as text; what is not there is left out. A link to a file of the same commit is followed
 * once: AGENTS.md is often a link to CLAUDE.md.
 */
export async function readFilesAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const reader = new ObjectReader(git);
  try {
    return await readTexts(reader, paths, (some) => treeEntries(git, commit, some));
  } finally {
    reader.close();
  }
}

/** The same where the listing of the tree is known. */
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

/** What is listed and cannot be read is not the same as what is not there. */
async function textOf(reader: ObjectReader, path: string, { id }: Entry): Promise<string> {
  const content = await reader.content(id);
  if (content) return content.toString('utf8').replace(/^\uFEFF/, '');
  throw new GitError('objects-missing', `this clone lacks the content of ${path}`, {
    exitCode: 5,
    hint: `it is a partial or damaged clone; fetch the rest: ${fetchTheRest}`,
  });
}

async function treeEntries(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, Entry>> {
  const inside = paths.filter((path) => path !== '' && !path.startsWith('/') && !path.startsWith('..'));
  if (inside.length === 0) return new Map();
  const listing = await git.text(['ls-tree', '-z', '--full-tree', '--end-of-options', commit, ...inside]);
  const entries = listing.split('\0').flatMap((record): [string, Entry][] => {
    const [, mode, id, path] = /^(100644|100755|120000) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(record) ?? [];
    return id === undefined || path === undefined ? [] : [[path, { id, isLink: mode === '120000' }]];
  });
  return new Map(entries);
}
