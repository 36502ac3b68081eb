import type { Facts } from '#code/facts/facts.ts';
import type { FactsReader } from '#code/facts/facts-reader.ts';
import { familyOf } from '#code/languages/index.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import type { ResolutionDocuments } from '#code/link/documents.ts';
import type { Problem } from '#code/link/problem.ts';
import type { Git } from '#git/git.ts';
import { filesWithWords } from '#git/grep.ts';
import type { Change as GitChange, GitTree } from '#git/tree.ts';
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

/** A word as common as this leads to files that have nothing to do with the change. */
const mostDependents = 2000;

/** Links what changed, and whoever names what it no longer has, on both sides. */
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

function isCode(path: string): boolean {
  const family = familyOf(path);
  return family !== undefined && family !== 'data';
}

function problemsOf(tree: CodeTree, path: string): Problem[] {
  return (
    (tree.linked(path)?.problems ?? [])
      .filter(({ kind }) => kind === 'module-missing' || kind === 'export-missing')
      // Types of a JavaScript module may stand in its comments.
      .map((problem) => (/\.[cm]?jsx?#/.test(problem.provider) ? { ...problem, proven: false } : problem))
  );
}

/** Unchanged files that hold a word by which what is gone was known. Nobody imports from tests. */
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

/** What other modules can ask a module for. */
function namesOf(facts: Facts | undefined): Set<string> {
  if (!facts) return new Set();
  const exported = facts.exports.map(({ name }) => name);
  if (facts.module !== 'python') return new Set(exported);
  return new Set(facts.definitions.filter(({ container }) => container === null).map(({ name }) => name));
}

/** The word by which others import a module; an index file goes by its folder. */
function moduleWord(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  return stem === 'index' || stem === '__init__' ? (parts.at(-2) ?? stem) : stem;
}
