import type { DataOf } from '#schema/event.ts';
import type { AttemptFinding } from '#schema/run.ts';
import { describeClash } from './clash.ts';

/** Work that git cannot merge with what was accepted before it. */
export function conflictFinding(paths: readonly string[]): AttemptFinding {
  return {
    fingerprint: `conflict:${paths.toSorted().join('\n')}`,
    severity: 'blocking',
    message: `does not merge with the work accepted before it, in ${paths.join(', ')}`,
  };
}

/** Each check of an attempt replaces the one before. */
export function isNotOfCheck({ fingerprint }: AttemptFinding): boolean {
  return !fingerprint.startsWith('clash:') && fingerprint !== unclear;
}

const unclear = 'check:inconclusive';

/** What a check against accepted work and work in flight found. */
export function clashFindings({ clashes, status, reason }: DataOf<'step.checked'>): AttemptFinding[] {
  const unknown = { fingerprint: unclear, severity: 'blocking' as const };
  return [
    ...clashes.map((clash) => ({
      fingerprint: `clash:${clash.id}`,
      severity: 'blocking' as const,
      message: describeClash(clash),
    })),
    ...(status === 'inconclusive'
      ? [{ ...unknown, message: `whether it fits is unknown: ${reason ?? ''}` }]
      : []),
  ];
}
