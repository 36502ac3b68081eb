import { join } from 'node:path';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import type { Git } from '#git/call/git.ts';
import { fetchTheRest, GitError } from '#git/call/git-error.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { diffTrees, type Change as GitChange, GitTree } from '#git/trees/tree.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { GroundingPolicy } from '#schema/grounding.ts';
import { isSource } from '#tests/code/source-path.ts';
import { isTestFile } from '#tests/code/test-path.ts';
import { isTestFor } from '#tests/code/tests-for.ts';
import type { Change, FileChange, Paths } from './change.ts';
import { Contents } from './contents.ts';
import { readFiles } from './read-files.ts';
import { readImports } from './read-imports.ts';

/** What the checks receive in addition to what is in git. */
export type Told = Omit<Change, 'files' | 'base' | 'tip' | 'baseTests' | 'imports' | 'criteria'>;

export interface ChangeSource {
  /** Reads objects of both commits. */
  readonly git: Git;
  /** Commit or tree ids. */
  readonly base: string;
  readonly tip: string;
  /** Listing of base, if it is already known. */
  readonly listing?: GitTree;
  readonly cacheDir: string;
  readonly maxCacheBytes: number;
  readonly pythonRoots: readonly string[];
}

/** Reads everything about a change that is in git, once. Writes nothing except facts into the cache. */
export async function readChange(source: ChangeSource, told: Told): Promise<Omit<Change, 'criteria'>> {
  const { git } = source;
  const objects = new ObjectReader(git);
  const store = new FactsStore(join(source.cacheDir, 'facts.db'), source.maxCacheBytes);
  try {
    const [base, tip] = await Promise.all([treeId(objects, source.base), treeId(objects, source.tip)]);
    const [changes = []] = await diffTrees(git, [[base, tip]], { renames: true });
    const before = source.listing ?? (await GitTree.read(git, base));
    const after = before.withChanges(tip, changes);
    const contents = new Contents(objects);
    const files = await readFiles(contents, changes);
    const imports = await readImports({
      git,
      // One thread: agents use the other cores.
      reader: new FactsReader(contents, store, 1),
      documents: new ResolutionDocuments(objects),
      base: before,
      tip: after,
      changes,
      files,
      pythonRoots: source.pythonRoots,
    });
    const baseTests = await readTests(contents, before, files, told.policy);
    return { ...told, files, base: pathsOf(before), tip: pathsOf(after), baseTests, imports };
  } finally {
    objects.close();
    store.close();
  }
}

/** Tests of base about changed sources: enough to see whether a source was written around them. */
async function readTests(
  contents: Contents,
  base: GitTree,
  files: readonly FileChange[],
  policy: GroundingPolicy,
): Promise<Map<string, string>> {
  const sources = files.filter((file) => isSource(file.path) && file.after !== null).slice(0, mostSources);
  const about = sources.length === 0 ? [] : base.matching(isTestFile);
  const paths = about.filter((test) => sources.some(({ path }) => isTestFor(test, path, policy)));
  const tests = new Map<string, string>();
  for (const path of paths.slice(0, mostTests)) {
    const id = base.entry(path)?.id;
    const blob = id === undefined ? null : await contents.blob(id, largestTest);
    if (blob?.content) tests.set(path, blob.content.toString('utf8'));
  }
  return tests;
}

const mostSources = 50;
const mostTests = 50;
const largestTest = 256 * 1024;

async function treeId(objects: ObjectReader, id: string): Promise<string> {
  const header = await objects.header(`${id}^{tree}`);
  if (header) return header.id;
  throw new GitError('objects-missing', `this clone lacks the tree of ${id.slice(0, 12)}`, {
    exitCode: exitCodes.environment,
    hint: `it is a partial or damaged clone; fetch the rest: ${fetchTheRest}`,
  });
}

/** The text changes between two trees: enough for checks that follow no imports. */
export async function readTexts(
  git: Git,
  base: string,
  tip: string,
): Promise<{ files: FileChange[]; changes: GitChange[]; before: GitTree; after: GitTree }> {
  const objects = new ObjectReader(git);
  try {
    const [from, to] = await Promise.all([treeId(objects, base), treeId(objects, tip)]);
    const [changes = []] = await diffTrees(git, [[from, to]], { renames: true });
    const before = await GitTree.read(git, from);
    const files = await readFiles(new Contents(objects), changes);
    return { files, changes, before, after: before.withChanges(to, changes) };
  } finally {
    objects.close();
  }
}

export function pathsOf(tree: GitTree): Paths {
  return {
    has: (path) => tree.entry(path) !== undefined,
    isDirectory: (path) => tree.isDirectory(path),
    matching: (test) => tree.matching(test),
  };
}
