import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { Facts } from '#code/facts/facts.ts';
import { offeredNames } from '#code/facts/offered-names.ts';
import { dialectOf, isCode } from '#code/languages/index.ts';
import { moduleWord } from '#code/languages/module-word.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import type { ResolutionDocuments } from '#code/link/documents.ts';
import type { Problem } from '#code/link/problem.ts';
import type { Git } from '#git/call/git.ts';
import { filesWithWords } from '#git/trees/grep.ts';
import type { Change as GitChange, GitTree } from '#git/trees/tree.ts';
import { isFixture, isTestCode, isTestFile } from '#tests/code/test-path.ts';
import type { FileChange, ImportProblems } from './change.ts';
import { goneNames } from './gone-names.ts';

export interface ImportSources {
  readonly git: Git;
  readonly reader: FactsReader;
  readonly documents: ResolutionDocuments;
  readonly base: GitTree;
  readonly tip: GitTree;
  readonly changes: readonly GitChange[];
  readonly files: readonly FileChange[];
  readonly pythonRoots: readonly string[];
}

/** A more frequent word leads to files that have nothing to do with the change. */
const mostDependents = 2000;

/** Links the changed files, and the files that use a removed name, on both sides. */
export async function readImports(sources: ImportSources): Promise<ImportProblems> {
  const { reader, documents, changes, pythonRoots } = sources;
  const options = { pythonRoots, depth: 'names' } as const;
  const base = new CodeTree(sources.base, reader, documents, options);
  const tip = new CodeTree(sources.tip, reader, documents, options);
  const now = changes.flatMap(({ path, after }) =>
    after?.kind === 'file' && isCode(path) && !isFixture(path) ? [path] : [],
  );
  await tip.loadFacts(now);
  const dependents = await dependentsOf(sources, base, tip);
  const after = [...new Set([...now, ...dependents])];
  await tip.link(after);
  const found = after.flatMap((path) => problemsOf(tip, path));
  // Most changes break nothing: then the other side need not be linked at all.
  const suspects = new Set(found.map(({ file }) => file));
  const renames = new Map(changes.map(({ path, oldPath }) => [path, oldPath ?? path]));
  const earlier = [...suspects].map((path) => ({ path, old: renames.get(path) ?? path }));
  await base.link(earlier.map((each) => each.old));
  return {
    before: earlier.flatMap((each) =>
      problemsOf(base, each.old).map((problem) => ({ ...problem, file: each.path })),
    ),
    after: found,
    loads: new Map(now.filter(isTestCode).map((path) => [path, tip.importEdges(path).map(({ to }) => to)])),
    unknown: now.flatMap((path) => {
      const blob = sources.tip.blob(path);
      const error = blob === undefined ? null : reader.facts(path, blob)?.syntaxError;
      const reason = error
        ? `line ${error.line}: ${error.message}`
        : (blob && reader.unreadable(blob)) || null;
      return reason === null ? [] : [{ file: path, reason }];
    }),
  };
}

function problemsOf(tree: CodeTree, path: string): Problem[] {
  return (tree.linked(path)?.problems ?? [])
    .filter(({ kind }) => kind === 'module-missing' || kind === 'export-missing')
    .map((problem) =>
      dialectOf(problem.provider.split('#')[0] ?? '')?.declaresInComments
        ? { ...problem, proven: false }
        : problem,
    );
}

/** Unchanged files that contain the name of something removed. Tests are left out: no file imports from them. */
async function dependentsOf(
  { git, tip: tree, changes, files }: ImportSources,
  base: CodeTree,
  tip: CodeTree,
): Promise<string[]> {
  const modules = files.filter(
    ({ oldPath, before }) => before !== null && isCode(oldPath) && !isTestFile(oldPath),
  );
  const told = modules.map((file) => ({ file, names: goneNames(file) }));
  const open = told.flatMap(({ file, names }) =>
    names === null && file.status === 'modified' ? [file.path] : [],
  );
  await base.loadFacts(open);
  const words = told.flatMap(({ file: { path, oldPath, status }, names }) => {
    if (status === 'deleted' || path !== oldPath) return [moduleWord(oldPath)];
    const gone =
      names ?? [...namesOf(base.facts(path))].filter((name) => !namesOf(tip.facts(path)).has(name));
    return gone.map((name) => (name === 'default' ? moduleWord(path) : name));
  });
  if (words.length === 0) return [];
  const changed = new Set(changes.map(({ path }) => path));
  const holding = await filesWithWords(git, tree.id, [...new Set(words)]);
  return holding
    .filter((path) => isCode(path) && !isFixture(path) && !changed.has(path))
    .slice(0, mostDependents);
}

function namesOf(facts: Facts | undefined): Set<string> {
  return new Set(facts && offeredNames(facts));
}
