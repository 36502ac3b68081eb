import type { Branch } from '#check/branches/branches.ts';
import type { OutcomeStore } from '#check/cache/outcome-store.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { CheckReport } from '#schema/check-report.ts';

interface Unread {
  readonly path: string;
  readonly isData: boolean;
  readonly reason: string;
}

/** Files that a branch changed and that could not be read or parsed. Data files are only checked for duplicate keys. */
export async function unreadable(
  branches: readonly Branch[],
  reader: FactsReader,
  outcomes: OutcomeStore,
): Promise<Pick<CheckReport, 'inconclusive' | 'degraded'> & { branches: Set<string> }> {
  const unread = new Set<string>();
  const inconclusive: CheckReport['inconclusive'] = [];
  const degraded: CheckReport['degraded'] = [];
  for (const branch of branches.filter(({ state }) => state === 'checked' || state === 'conflicted')) {
    const question = ['unread', branch.mergeBaseTree, branch.tree];
    const known = outcomes.read([question])[0] as Unread[] | undefined;
    const files = known ?? (await unreadFiles(branch, reader));
    if (!known) outcomes.remember(question, files);
    for (const { path, isData, reason } of files) {
      if (isData) degraded.push({ check: 'T06', reason: `${path} on ${branch.ref}: ${reason}` });
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
    return reason === null ? [] : [{ path, isData: dialectOf(path)?.holds === 'data', reason }];
  });
}
