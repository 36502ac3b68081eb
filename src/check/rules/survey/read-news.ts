import type { Question } from '#check/cache/outcome-store.ts';
import type { CheckContext } from '#check/context.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { mayHoldData, readData } from '#code/formats/index.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { Change } from '#git/trees/tree.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import { type ChangedText, withLines } from './changed-text.ts';
import { type DataNews, type FileNews, type NewsKind, readFile } from './readings.ts';

type Sources = Pick<CheckContext, 'outcomes' | 'workspace' | 'reader'>;

/** The news of a pair of versions, as far as they were read. */
interface KnownNews {
  readonly kinds: readonly NewsKind[];
  readonly news: FileNews;
}

/** News of changed files. Each kind is read once per pair of versions, whichever branches have it. */
export class NewsReader {
  readonly #sources: Sources;
  /** By pair of versions: what was read since the last `save`. */
  readonly #known = new Map<string, { readonly question: Question; known: KnownNews; isNew: boolean }>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** By path: at least the news of these kinds, as far as they are asked for. */
  async read(
    changes: readonly Change[],
    kinds: readonly NewsKind[],
    isAsked: (kind: NewsKind, file: ChangedText) => boolean = () => true,
  ): Promise<Map<string, FileNews>> {
    const { reader } = this.#sources;
    const entries = this.#entriesOf(changes);
    const missing = entries.map(({ known }) => kinds.filter((kind) => !known.kinds.includes(kind)));
    await reader.load(changes.flatMap((change, at) => (missing[at]?.length ? versionsOfCode(change) : [])));
    for (const [at, change] of changes.entries()) {
      const [entry, unread = []] = [entries[at], missing[at]];
      if (!entry || unread.length === 0) continue;
      const file = await this.#textOf(change);
      const open = unread.filter((kind) => isAsked(kind, file));
      if (open.length === 0) continue;
      const news = await readFile(file, open, () => dataNews(this.#sources.outcomes, change, file));
      entry.known = { kinds: [...entry.known.kinds, ...open], news: { ...entry.known.news, ...news } };
      entry.isNew = true;
    }
    return new Map(changes.map(({ path }, at) => [path, entries[at]?.known.news ?? {}]));
  }

  /** Records in the cache what was read, and lets go of it: the news of a base that has moved far are large. */
  save(): void {
    for (const { question, known, isNew } of this.#known.values())
      if (isNew) this.#sources.outcomes.remember(question, known);
    this.#known.clear();
  }

  #entriesOf(changes: readonly Change[]) {
    const asked = changes.map((change) => ({ key: questionOf(change).join(' '), change }));
    const unknown = asked.filter(({ key }) => !this.#known.has(key));
    const questions = unknown.map(({ change }) => questionOf(change));
    const found = this.#sources.outcomes.read(questions) as (KnownNews | undefined)[];
    for (const [at, { key }] of unknown.entries())
      this.#known.set(key, {
        question: questions[at] ?? [],
        known: found[at] ?? { kinds: [], news: {} },
        isNew: false,
      });
    return asked.flatMap(({ key }) => this.#known.get(key) ?? []);
  }

  async #textOf({ path, oldPath, before, after, status }: Change): Promise<ChangedText> {
    const { workspace, reader } = this.#sources;
    const was = oldPath ?? path;
    const isCode = dialectOf(path)?.holds === 'code';
    const old = before?.kind === 'file' ? await readText(workspace, before.id) : null;
    const now = after?.kind === 'file' ? await readText(workspace, after.id) : null;
    return withLines({
      path,
      oldPath: was,
      isNew: status === 'added',
      isGone: after === null,
      before: old ?? '',
      after: now ?? '',
      factsBefore: isCode && before?.kind === 'file' ? reader.facts(was, before.id) : undefined,
      factsAfter: isCode && after?.kind === 'file' ? reader.facts(path, after.id) : undefined,
    });
  }
}

function questionOf({ path, oldPath, before, after }: Change): Question {
  return ['news', oldPath ?? path, path, before?.id ?? null, after?.id ?? null];
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

/** The shared data of a blob; parsed once, whoever asks. */
export function cachedData(
  outcomes: Sources['outcomes'],
  path: string,
  blob: string,
  text: string,
): Promise<DataFacts | null> {
  return outcomes.answer(['data', path, blob], () => readData(path, text));
}

function versionsOfCode({ path, oldPath, before, after }: Change): { path: string; blob: string }[] {
  if (dialectOf(path)?.holds !== 'code') return [];
  return [
    ...(before?.kind === 'file' ? [{ path: oldPath ?? path, blob: before.id }] : []),
    ...(after?.kind === 'file' ? [{ path, blob: after.id }] : []),
  ];
}
