import type { Workspace } from '#check/branches/branch-tips.ts';
import type { Branch } from '#check/branches/branches.ts';
import type { OutcomeStore } from '#check/cache/outcome-store.ts';
import { cachedData } from '#check/rules/survey/read-news.ts';
import { readText } from '#check/rules/text/read-text.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import { isDataFormat, mayHoldData } from '#code/formats/index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { type Change, GitTree } from '#git/trees/tree.ts';
import { endingOf } from '#lib/file-ending.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { isFixture } from '#tests/code/test-path.ts';

interface Unread {
  readonly path: string;
  /** What was not checked in it, if that is not everything. */
  readonly unchecked: string | null;
  readonly reason: string;
  /** The branch did not break it: before the branch it could not be read either, or that is usual for such files. */
  readonly isUsual: boolean;
}

type Problem = Pick<Unread, 'unchecked' | 'reason'>;

interface Version {
  readonly path: string;
  readonly blob: string;
}

type Sources = {
  readonly reader: FactsReader;
  readonly outcomes: OutcomeStore;
  readonly workspace: Workspace;
};

/**
 * Files that a branch changed and that could not be read or parsed. Data files are only checked for duplicate keys; `asText` are files that
 * the branch did not break, and that no other branch repairs.
 */
export async function unreadable(
  branches: readonly Branch[],
  sources: Sources,
): Promise<Pick<CheckReport, 'inconclusive' | 'degraded'> & { branches: Set<string>; asText: Set<string> }> {
  const unread = new Set<string>();
  const asText = new Set<string>();
  const inconclusive: CheckReport['inconclusive'] = [];
  const degraded: CheckReport['degraded'] = [];
  const asked = branches.filter(({ state }) => state === 'checked' || state === 'conflicted');
  for (const branch of asked) {
    const question = ['unread', branch.mergeBaseTree, branch.tree];
    const known = sources.outcomes.read([question])[0] as Unread[] | undefined;
    const files = known ?? (await unreadFiles(branch, sources));
    if (!known) sources.outcomes.remember(question, files);
    for (const { path, unchecked, reason, isUsual } of files) {
      if (unchecked !== null)
        degraded.push({ check: unchecked, reason: `${path} on ${branch.ref}: ${reason}` });
      else if (isUsual && !(await isRepaired(path, branch, asked, sources))) asText.add(path);
      else {
        unread.add(branch.ref);
        inconclusive.push({ file: path, reason: `on ${branch.ref}: ${reason}` });
      }
    }
  }
  return { inconclusive, degraded, branches: unread, asText };
}

async function unreadFiles(branch: Branch, sources: Sources): Promise<Unread[]> {
  const changed = branch.changes.flatMap((change) => {
    const after = versionOf(change.path, change.after);
    return after ? [{ change, after }] : [];
  });
  await loadCode(
    changed.map(({ after }) => after),
    sources,
  );
  let tree: Promise<GitTree> | undefined;
  const mergeBase = () => {
    tree ??= GitTree.read(sources.workspace.scratch.git, branch.mergeBaseTree);
    return tree;
  };
  const found: Unread[] = [];
  for (const { change, after } of changed) {
    const problems = await problemsOf(after, sources);
    if (problems.length === 0) continue;
    const isUsual = problems.some(isWhole) && (await wasUsual(change, mergeBase, sources));
    found.push(...problems.map((problem) => ({ path: after.path, ...problem, isUsual })));
  }
  return found;
}

/**
 * Whether another branch makes the file readable: with both branches it is code, and what this one changed in it was not compared. Base needs
 * no question, since a branch is compared in the form merged with base.
 */
async function isRepaired(
  path: string,
  branch: Branch,
  branches: readonly Branch[],
  sources: Sources,
): Promise<boolean> {
  const origin = (change: Change) => change.oldPath ?? change.path;
  const own = branch.changes.find((change) => change.path === path);
  if (!own || own.before === null) return false;
  const others = branches
    .filter((other) => other !== branch)
    .flatMap(({ changes }) => changes.filter((change) => origin(change) === origin(own)))
    .flatMap((change) => versionOf(change.path, change.after) ?? []);
  const { broken, read } = await countBroken(others, sources);
  return broken < read;
}

function versionOf(path: string, entry: Change['after'] | undefined): Version | null {
  return entry?.kind === 'file' ? { path, blob: entry.id } : null;
}

async function loadCode(files: readonly Version[], { reader }: Sources): Promise<void> {
  await reader.load(files.filter(({ path }) => dialectOf(path) !== undefined));
}

/** Why a loaded file cannot be read, by its language and by its format. */
async function problemsOf(file: Version, sources: Sources): Promise<Problem[]> {
  return [...problemOfLanguage(file, sources), ...(await problemOfFormat(file, sources))];
}

/** Nothing of the file was read. */
function isWhole({ unchecked }: Problem): boolean {
  return unchecked === null;
}

function problemOfLanguage({ path, blob }: Version, { reader }: Sources): Problem[] {
  const dialect = dialectOf(path);
  if (!dialect) return [];
  const error = reader.facts(path, blob)?.syntaxError;
  const reason = reader.unreadable(blob) ?? (error ? `line ${error.line}: ${error.message}` : null);
  return reason === null ? [] : [{ unchecked: dialect.holds === 'data' ? 'T06' : null, reason }];
}

/**
 * SQL, GraphQL, OpenAPI and other formats with their own parsers. A file that cannot be parsed makes the check inconclusive; templates and
 * dumps are only named.
 */
async function problemOfFormat(
  { path, blob }: Version,
  { outcomes, workspace }: Sources,
): Promise<Problem[]> {
  if (!mayHoldData(path) || isFixture(path) || dialectOf(path)?.holds === 'code') return [];
  const text = await readText(workspace, blob);
  const problem =
    text === null
      ? isDataFormat(path) && { line: 1, message: 'binary or very long' }
      : (await cachedData(outcomes, path, blob, text))?.problem;
  if (!problem) return [];
  const reason = `line ${problem.line}: ${problem.message}`;
  return [{ unchecked: 'isHarmless' in problem ? 'C08' : null, reason }];
}

/** Before the branch the file could not be read either. Content that the clone lacks can be fetched, so it does not count. */
async function wasUsual(
  { path, oldPath, before, after }: Change,
  mergeBase: () => Promise<GitTree>,
  sources: Sources,
): Promise<boolean> {
  if (after !== null && sources.workspace.objects.missing.has(after.id)) return false;
  if (before === null) return isUsualAround(path, await mergeBase(), sources);
  const old = versionOf(oldPath ?? path, before);
  return old !== null && (await countBroken([old], sources)).broken > 0;
}

/** Enough neighbours to tell what is usual; few enough to parse within a second. */
const mostNeighbours = 100;
/** Of web2py, written for Python 2, a fifth to a quarter does not parse; of other projects one or two fixtures do not. */
const usualShare = 0.1;
const fewestBroken = 3;

/** Whether files with this ending often do not parse; the nearest ones are asked. */
async function isUsualAround(path: string, tree: GitTree, sources: Sources): Promise<boolean> {
  const ending = endingOf(path);
  const neighbours = tree
    .matching((each) => endingOf(each) === ending)
    .map((each) => ({ each, steps: stepsBetween(each, path) }))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, mostNeighbours)
    .flatMap(({ each }) => versionOf(each, tree.entry(each)) ?? []);
  const { broken, read } = await countBroken(neighbours, sources);
  return broken >= fewestBroken && broken >= read * usualShare;
}

async function countBroken(
  files: readonly Version[],
  sources: Sources,
): Promise<{ broken: number; read: number }> {
  await loadCode(files, sources);
  let broken = 0;
  let read = 0;
  for (const file of files) {
    const isBroken = (await problemsOf(file, sources)).some(isWhole);
    if (sources.workspace.objects.missing.has(file.blob)) continue;
    read++;
    if (isBroken) broken++;
  }
  return { broken, read };
}

/** Folders to go up and down: 1 from `a/b/c.py` to `a/d.py`, 2 to `a/d/e.py`. */
function stepsBetween(a: string, b: string): number {
  const [one, other] = [a, b].map((path) => path.split('/').slice(0, -1)) as [string[], string[]];
  const different = one.findIndex((folder, index) => folder !== other[index]);
  const shared = different === -1 ? one.length : different;
  return one.length + other.length - 2 * shared;
}
