import type { Workspace } from '#check/branches/branch-tips.ts';
import type { Branch } from '#check/branches/branches.ts';
import type { OutcomeStore } from '#check/cache/outcome-store.ts';
import { cachedData } from '#check/rules/survey/read-news.ts';
import { readText } from '#check/rules/text/read-text.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import { isDataFormat, mayHoldData } from '#code/formats/index.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { isFixture } from '#tests/code/test-path.ts';

interface Unread {
  readonly path: string;
  /** What was not checked in it, if that is not everything. */
  readonly unchecked: string | null;
  readonly reason: string;
}

/** Files that a branch changed and that could not be read or parsed. Data files are only checked for duplicate keys. */
export async function unreadable(
  branches: readonly Branch[],
  reader: FactsReader,
  outcomes: OutcomeStore,
  workspace: Workspace,
): Promise<Pick<CheckReport, 'inconclusive' | 'degraded'> & { branches: Set<string> }> {
  const unread = new Set<string>();
  const inconclusive: CheckReport['inconclusive'] = [];
  const degraded: CheckReport['degraded'] = [];
  for (const branch of branches.filter(({ state }) => state === 'checked' || state === 'conflicted')) {
    const question = ['unread', branch.mergeBaseTree, branch.tree];
    const known = outcomes.read([question])[0] as Unread[] | undefined;
    const files = known ?? [
      ...(await unreadFiles(branch, reader)),
      ...(await unreadFormats(branch, outcomes, workspace)),
    ];
    if (!known) outcomes.remember(question, files);
    for (const { path, unchecked, reason } of files) {
      if (unchecked !== null)
        degraded.push({ check: unchecked, reason: `${path} on ${branch.ref}: ${reason}` });
      else {
        unread.add(branch.ref);
        inconclusive.push({ file: path, reason: `on ${branch.ref}: ${reason}` });
      }
    }
  }
  return { inconclusive, degraded, branches: unread };
}

async function unreadFiles({ changes }: Branch, reader: FactsReader): Promise<Unread[]> {
  const files = changes.flatMap(({ path, after }) =>
    after?.kind === 'file' && dialectOf(path) !== undefined ? [{ path, blob: after.id }] : [],
  );
  await reader.load(files);
  return files.flatMap(({ path, blob }) => {
    const error = reader.facts(path, blob)?.syntaxError;
    const reason = reader.unreadable(blob) ?? (error ? `line ${error.line}: ${error.message}` : null);
    return reason === null
      ? []
      : [{ path, unchecked: dialectOf(path)?.holds === 'data' ? 'T06' : null, reason }];
  });
}

/**
 * SQL, GraphQL, OpenAPI and other formats with their own parsers. A file that cannot be parsed makes the check inconclusive; templates and
 * dumps are only named.
 */
async function unreadFormats(
  { changes }: Branch,
  outcomes: OutcomeStore,
  workspace: Workspace,
): Promise<Unread[]> {
  const found: Unread[] = [];
  for (const { path, after } of changes) {
    if (after?.kind !== 'file' || !mayHoldData(path) || isFixture(path)) continue;
    if (dialectOf(path)?.holds === 'code') continue;
    const text = await readText(workspace, after.id);
    const problem =
      text === null
        ? isDataFormat(path) && { line: 1, message: 'binary or very long' }
        : (await cachedData(outcomes, path, after.id, text))?.problem;
    if (!problem) continue;
    found.push({
      path,
      unchecked: 'isHarmless' in problem ? 'C08' : null,
      reason: `line ${problem.line}: ${problem.message}`,
    });
  }
  return found;
}
