import type { RawFinding } from '#schema/triage.ts';
import { isObjection } from '#schema/triage.ts';

export const buckets = ['accepted', 'deferred', 'rejected'] as const;

export interface Correction {
  readonly triage: unknown;
  readonly isCorrected: boolean;
}

/**
 * Corrects what needs no judgement: duplicate entries in one bucket, and an approval that contradicts the accepted
 * findings. It runs before the schema check, and correcting twice changes nothing.
 */
export function correctTriage(value: unknown, raw: readonly RawFinding[]): Correction {
  if (!isRecord(value)) return { triage: value, isCorrected: false };
  const triage = { ...value };
  let isCorrected = false;
  for (const bucket of buckets) {
    const entries = triage[bucket];
    if (!Array.isArray(entries)) continue;
    const single = withoutRepeats(entries);
    isCorrected ||= single.length < entries.length;
    triage[bucket] = single;
  }
  if (!Array.isArray(triage.accepted)) return { triage, isCorrected };
  const approved = !triage.accepted.some((entry) => isBlocking(idOf(entry), raw));
  isCorrected ||= triage.approved !== approved;
  return { triage: { ...triage, approved }, isCorrected };
}

/** Only a finding that holds against the diff blocks, whatever severity the triage gives it. */
function isBlocking(id: string | null, raw: readonly RawFinding[]): boolean {
  return raw.some((each) => each.id === id && isObjection(each));
}

function withoutRepeats(entries: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const id = idOf(entry);
    if (id === null) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function idOf(entry: unknown): string | null {
  return isRecord(entry) && typeof entry.id === 'string' ? entry.id : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
