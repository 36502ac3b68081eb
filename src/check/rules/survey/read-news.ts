import type { Question } from '#check/cache/outcome-store.ts';
import type { CheckContext } from '#check/context.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { dataOfText } from '#code/extraction/read-apart.ts';
import { mayHoldData } from '#code/formats/index.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { Change } from '#git/trees/tree.ts';
import { countParse } from '#lib/counted.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import { type ChangedText, withLines } from './changed-text.ts';
import { type DataNews, type FileNews, type NewsKind, readFile } from './readings.ts';

type Sources = Pick<CheckContext, 'outcomes' | 'workspace' | 'reader'>;

/** The news of a pair of versions, as far as they were read. */
interface KnownNews {
  readonly kinds: readonly NewsKind[];
  readonly news: FileNews;
}

/** Entries of news that stay in memory: base may have changed much, and most forks are followed by the same changes of it. */
const mostKept = 400_000;

interface Entry {
  readonly question: Question;
  known: KnownNews;
  isNew: boolean;
}

/** News of changed files. Each kind is read once per pair of versions, whichever branches have it. */
export class NewsReader {
  readonly #sources: Sources;
  /** By pair of versions. */
  readonly #known = new Map<string, Entry>();
  /** By pair of versions: the text of both, as long as several branches ask about it. */
  readonly #texts = new Map<string, ChangedText>();

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
      const file = await this.#rememberedText(change);
      const open = unread.filter((kind) => isAsked(kind, file));
      if (open.length === 0) continue;
      const news = await readFile(file, open, () => dataNews(this.#sources.outcomes, change, file));
      entry.known = { kinds: [...entry.known.kinds, ...open], news: { ...entry.known.news, ...news } };
      entry.isNew = true;
    }
    return new Map(changes.map(({ path }, at) => [path, entries[at]?.known.news ?? {}]));
  }

  /** Records in the cache what was read. */
  save(): void {
    let kept = 0;
    for (const [key, { question, known, isNew }] of this.#known) {
      if (isNew) this.#sources.outcomes.remember(question, known);
      kept += sizeOf(known.news);
      this.#known.set(key, { question, known, isNew: false });
    }
    if (kept > mostKept) this.#known.clear();
    this.#texts.clear();
  }

  async #rememberedText(change: Change): Promise<ChangedText> {
    const key = questionOf(change).join(' ');
    const known = this.#texts.get(key) ?? (await this.#textOf(change));
    if (this.#texts.size < mostTexts) this.#texts.set(key, known);
    return known;
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

/** Texts are large. */
const mostTexts = 500;

/** How many names, pieces and other entries the news hold. */
function sizeOf(news: FileNews): number {
  return Object.values(news).reduce((sum, part) => sum + entriesIn(part), 1);
}

function entriesIn(part: unknown): number {
  if (Array.isArray(part)) return part.length;
  if (typeof part !== 'object' || part === null) return 1;
  return Object.values(part).reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 1), 0);
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
  return outcomes.answer(['data', path, blob], () => {
    countParse('data', blob);
    return dataOfText(path, text);
  });
}

function versionsOfCode({ path, oldPath, before, after }: Change): { path: string; blob: string }[] {
  if (dialectOf(path)?.holds !== 'code') return [];
  return [
    ...(before?.kind === 'file' ? [{ path: oldPath ?? path, blob: before.id }] : []),
    ...(after?.kind === 'file' ? [{ path, blob: after.id }] : []),
  ];
}
