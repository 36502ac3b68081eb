import type { Memory } from '#schema/memory.ts';
import type { ReviewReport } from '#schema/review.ts';
import { breaks } from '#schema/verdict.ts';
import { mostRecalled } from './memory-store.ts';

/** What a review remembers: accepted findings, and rejected ones as preferences. A rejected blocking one is not kept. */
export function memoriesOf(
  { findings, triage }: Pick<ReviewReport, 'findings' | 'triage'>,
  blobOf: (path: string) => string | null,
  at: string,
): Omit<Memory, 'id'>[] {
  if (!triage) return [];
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const of = (
    kind: 'finding' | 'preference',
    entries: readonly { readonly id: string; readonly reason: string }[],
  ) =>
    entries.flatMap(({ id, reason }) => {
      const finding = byId.get(id);
      if (!finding || finding.unverified !== null) return [];
      if (kind === 'preference' && breaks(finding)) return [];
      const text = kind === 'finding' ? finding.issue : `${finding.issue} Rejected: ${reason}`;
      return [{ kind, text, file: finding.file, blob: blobOf(finding.file), at }];
    });
  return [...of('finding', triage.accepted), ...of('preference', triage.rejected)];
}

/** True if the cited code has changed since. */
export function isExpired({ file, blob }: Memory, blobOf: (path: string) => string | null): boolean {
  return file !== null && blobOf(file) !== blob;
}

/** Lines for a reviewer: at most five that are still valid, each marked as a hint. */
export function recalled(found: readonly Memory[], blobOf: (path: string) => string | null): string[] {
  const words = {
    finding: 'was found before',
    preference: 'was rejected before',
    learning: 'a person noted',
  } as const;
  return found
    .filter((memory) => !isExpired(memory, blobOf))
    .slice(0, mostRecalled)
    .map(({ kind, text, file }) => `${words[kind]}${file === null ? '' : ` in ${file}`}: ${text}`);
}
