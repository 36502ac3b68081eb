import type { CheckContext } from '#check/context.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { mayHoldData, readData } from '#code/formats/index.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { Change } from '#git/trees/tree.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import { type ChangedText, newLines } from './changed-text.ts';
import { type DataNews, type FileNews, readFile } from './readings.ts';

type Sources = Pick<CheckContext, 'outcomes' | 'workspace' | 'reader'>;

/** By path. Read once per pair of versions, whichever branches have it. */
export async function readNews(
  { outcomes, workspace, reader }: Sources,
  changes: readonly Change[],
): Promise<Map<string, FileNews>> {
  const questions = changes.map(({ path, oldPath, before, after }) => [
    'news',
    oldPath ?? path,
    path,
    before?.id ?? null,
    after?.id ?? null,
  ]);
  const known = outcomes.read(questions) as (FileNews | undefined)[];
  const open = changes.filter((_, index) => !known[index]);
  await reader.load(open.flatMap(versionsOfCode));
  const found = new Map<string, FileNews>();
  for (const [index, change] of changes.entries()) {
    const answer = known[index] ?? (await readChange({ workspace, reader, outcomes }, change));
    if (!known[index]) outcomes.remember(questions[index] ?? [], answer);
    found.set(change.path, answer);
  }
  return found;
}

async function readChange(sources: Sources, change: Change): Promise<FileNews> {
  const file = await textOf(sources, change);
  return readFile(file, await dataNews(sources.outcomes, change, file));
}

async function dataNews(
  outcomes: Sources['outcomes'],
  { path, oldPath, before, after }: Change,
  texts: ChangedText,
): Promise<DataNews | undefined> {
  if (!mayHoldData(path) || isTestCode(path) || isFixture(path)) return undefined;
  const was =
    before?.kind === 'file' ? await cachedData(outcomes, oldPath ?? path, before.id, texts.before) : null;
  const is = after?.kind === 'file' ? await cachedData(outcomes, path, after.id, texts.after) : null;
  return was || is ? { ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) } : undefined;
}

/** The shared data of a blob, cached. */
export async function cachedData(
  outcomes: Sources['outcomes'],
  path: string,
  blob: string,
  text: string,
): Promise<DataFacts | null> {
  const question = ['data', path, blob];
  const [known] = outcomes.read([question]) as [DataFacts | null | undefined];
  if (known !== undefined) return known;
  const found = await readData(path, text);
  outcomes.remember(question, found);
  return found;
}

function versionsOfCode({ path, oldPath, before, after }: Change): { path: string; blob: string }[] {
  if (dialectOf(path)?.holds !== 'code') return [];
  return [
    ...(before?.kind === 'file' ? [{ path: oldPath ?? path, blob: before.id }] : []),
    ...(after?.kind === 'file' ? [{ path, blob: after.id }] : []),
  ];
}

async function textOf(
  { workspace, reader }: Pick<Sources, 'workspace' | 'reader'>,
  { path, oldPath, before, after, status }: Change,
): Promise<ChangedText> {
  const was = oldPath ?? path;
  const isCode = dialectOf(path)?.holds === 'code';
  const old = before?.kind === 'file' ? await readText(workspace, before.id) : null;
  const now = after?.kind === 'file' ? await readText(workspace, after.id) : null;
  const texts = { before: old ?? '', after: now ?? '' };
  return {
    path,
    oldPath: was,
    isNew: status === 'added',
    isGone: after === null,
    ...texts,
    added: newLines(texts.before, texts.after),
    gone: newLines(texts.after, texts.before),
    factsBefore: isCode && before?.kind === 'file' ? reader.facts(was, before.id) : undefined,
    factsAfter: isCode && after?.kind === 'file' ? reader.facts(path, after.id) : undefined,
  };
}
