import type { Store } from '#durable/store.ts';
import { type ListedRun, searchableRuns } from './catalogue-table.ts';

export interface RunQuery {
  readonly query?: string | undefined;
  readonly run?: string | undefined;
  readonly branch?: string | null | undefined;
  readonly head?: string | null | undefined;
}

export interface FoundRun extends ListedRun {
  readonly tier: number;
  readonly confidence: 'strong' | 'medium' | 'weak';
  readonly whyMatched: string[];
}

const most = 5;
const leastOverlap = 0.4;
const confidences = ['strong', 'strong', 'medium', 'medium', 'medium', 'medium', 'weak'] as const;

/** Runs that match the query, the likeliest first, with the reason for each. */
export function findRuns(store: Store, wanted: RunQuery): { candidates: FoundRun[]; totalEligible: number } {
  const words = wordsOf(wanted.query ?? '');
  const matched = searchableRuns(store).flatMap(({ words: text, ...listed }) => {
    const match = matchRun(listed, text, words, wanted);
    return match === null ? [] : [{ ...listed, ...match, confidence: confidences[match.tier] ?? 'weak' }];
  });
  matched.sort((a, b) => a.tier - b.tier || b.overlap - a.overlap || (a.updatedAt < b.updatedAt ? 1 : -1));
  const candidates = matched.slice(0, most).map(({ overlap: _, ...found }) => found);
  return { candidates, totalEligible: matched.length };
}

interface Match {
  readonly tier: number;
  readonly overlap: number;
  readonly whyMatched: string[];
}

function matchRun(listed: ListedRun, text: string, words: readonly string[], wanted: RunQuery): Match | null {
  if (wanted.run !== undefined)
    return listed.run === wanted.run
      ? { tier: 0, overlap: 1, whyMatched: [`its id is ${wanted.run}`] }
      : null;
  if (words.length > 0) {
    // Only the newest part of long notes is searchable, but the goal of the run always is.
    const searched = `${listed.workflow} ${listed.name} ${listed.goal} ${text}`.toLowerCase();
    const hits = words.filter((word) => searched.includes(word));
    const overlap = weightOf(hits) / weightOf(words);
    if (hits.length === words.length)
      return { tier: 1, overlap, whyMatched: ['its goal and notes have every word'] };
    if (overlap >= leastOverlap)
      return { tier: 2, overlap, whyMatched: [`its goal and notes have: ${hits.join(', ')}`] };
    if (words.some((word) => listed.workflow.includes(word)))
      return { tier: 3, overlap: 0, whyMatched: [`it follows ${listed.workflow}`] };
  }
  if (wanted.head && listed.head === wanted.head)
    return { tier: 4, overlap: 0, whyMatched: ['it started at the checked-out commit'] };
  if (wanted.branch && listed.branch === wanted.branch)
    return { tier: 5, overlap: 0, whyMatched: [`it started on ${wanted.branch}`] };
  return words.length > 0 ? null : { tier: 6, overlap: 0, whyMatched: ['it is recent'] };
}

/** Long words weigh more. */
function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + Math.min(word.length, 10), 0);
}

function wordsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}_-]+/gu) ?? [],
    ),
  ];
}
