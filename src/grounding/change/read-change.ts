import { join } from 'node:path';
import { FactsReader } from '#code/facts/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import type { Git } from '#git/git.ts';
import { fetchTheRest, GitError } from '#git/git-error.ts';
import { ObjectReader } from '#git/object-reader.ts';
import { diffTrees, GitTree } from '#git/tree.ts';
import type { Change, Paths } from './change.ts';
import { Contents } from './contents.ts';
import { readFiles } from './read-files.ts';
import { readImports } from './read-imports.ts';

/** What the checks are told besides what stands in git. */
export type Told = Omit<Change, 'files' | 'base' | 'tip' | 'imports' | 'criteria'>;

export interface ChangeSource {
  /** Reads objects of both commits. */
  readonly git: Git;
  /** Commit or tree ids. */
  readonly base: string;
  readonly tip: string;
  /** Of base, where it is known already. */
  readonly listing?: GitTree;
  readonly cacheDir: string;
  readonly maxCacheBytes: number;
  readonly pythonRoots: readonly string[];
}

/** Everything about a change that stands in git, read once. Nothing is written but facts into the cache. */
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
      // Agents are at work on the other cores.
      reader: new FactsReader(contents, store, 1),
      documents: new ResolutionDocuments(objects),
      base: before,
      tip: after,
      changes,
      files,
      pythonRoots: source.pythonRoots,
    });
    return { ...told, files, base: pathsOf(before), tip: pathsOf(after), imports };
  } finally {
    objects.close();
    store.close();
  }
}

async function treeId(objects: ObjectReader, id: string): Promise<string> {
  const header = await objects.header(`${id}^{tree}`);
  if (header) return header.id;
  throw new GitError('objects-missing', `this clone lacks the tree of ${id.slice(0, 12)}`, {
    exitCode: 5,
    hint: `it is a partial or damaged clone; fetch the rest: ${fetchTheRest}`,
  });
}

function pathsOf(tree: GitTree): Paths {
  return {
    has: (path) => tree.entry(path) !== undefined,
    isDirectory: (path) => tree.isDirectory(path),
    matching: (test) => tree.matching(test),
  };
}
