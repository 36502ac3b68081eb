import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import { buildRepository } from '#test/support/scenario/build-repository.ts';
import type { Branch } from '#test/support/scenario/scenario.ts';
import { allSources, benchFolder, corpora, type Sources, sourcesOf } from './corpora.ts';

/** What one version of a package changed against the previous version, in the order of paths. */
export interface Change {
  readonly path: string;
  /** null: the file is gone. */
  readonly text: string | null;
}

export function changesBetween(before: Sources, after: Sources): Change[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({ path, text: after.get(path) ?? null }));
}

/** All corpora at their earlier versions: the base of branches with real changes. */
export function earlierSources(): Sources {
  return allSources(({ version, before }) => before ?? version);
}

/** The real changes of every corpus with two versions, below the folder of its package. */
function realChanges(): Change[][] {
  return corpora.flatMap(({ package: name, version, before }) =>
    before === undefined
      ? []
      : [
          changesBetween(sourcesOf(name, before), sourcesOf(name, version)).map((change) => ({
            ...change,
            path: `packages/${name}/${change.path}`,
          })),
        ],
  );
}

/**
 * Branches of a given size, each a run of neighbouring files of one package, as one developer would change them. Takes
 * packages in turn, so that even few branches come from several of them.
 */
export function realBranches(count: number, filesEach: number): Branch[] {
  const queues = realChanges().map((changes) =>
    Array.from({ length: Math.ceil(changes.length / filesEach) }, (_, at) =>
      changes.slice(at * filesEach, (at + 1) * filesEach),
    ).filter((chunk) => chunk.length === filesEach),
  );
  const chunks: Change[][] = [];
  for (let round = 0; chunks.length < count && queues.some((queue) => queue.length > round); round++) {
    for (const queue of queues) {
      const chunk = queue[round];
      if (chunk && chunks.length < count) chunks.push(chunk);
    }
  }
  if (chunks.length < count)
    throw new Error(`the corpora hold ${chunks.length} branches of ${filesEach} files, not ${count}`);
  return chunks.map((changes, index) => branchOf(`b${String(index).padStart(3, '0')}`, changes));
}

export function branchOf(name: string, changes: readonly Change[]): Branch {
  return {
    name,
    changes: new Map(
      changes.map(({ path, text }) => [path, text === null ? null : Buffer.from(text)] as const),
    ),
  };
}

export interface BenchRepository {
  readonly git: Git;
  readonly dir: string;
  /** Refs of the branches, in order; base is `main`. */
  readonly branches: readonly string[];
}

/** A repository below the bench folder whose `main` contains `base`; the caller removes it. */
export async function repositoryOf(base: Sources, branches: readonly Branch[]): Promise<BenchRepository> {
  const dir = mkdtempSync(join(benchFolder('repositories'), 'repo-'));
  const files = new Map([...base].map(([path, text]) => [path, Buffer.from(text)] as const));
  const git = await buildRepository([{ base: files, branches, main: null }], dir);
  await git.run(['update-ref', 'refs/heads/main', 'refs/heads/0/main']);
  await git.run(['symbolic-ref', 'HEAD', 'refs/heads/main']);
  return { git, dir, branches: branches.map(({ name }) => `0/${name}`) };
}
