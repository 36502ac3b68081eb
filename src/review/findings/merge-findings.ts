import { createHash } from 'node:crypto';
import type { FileChange } from '#grounding/change/change.ts';
import type { RawFinding } from '#schema/triage.ts';
import { severities } from '#schema/vocabulary.ts';
import { type Claimed, reasonUnverified } from './verify-finding.ts';

export interface Claims {
  readonly reviewer: string;
  readonly findings: readonly Claimed[];
}

interface Claim extends Claimed {
  readonly reviewer: string;
  readonly fingerprint: string;
  readonly unverified: string | null;
}

/**
 * What all reviewers report, each problem once. Two reviewers who name the same symbol, line or problem report one
 * finding; two findings of one reviewer stay two, unless they say the same. Nothing is dropped: every wording is kept.
 */
export function mergeFindings(all: readonly Claims[], files: readonly FileChange[]): RawFinding[] {
  const claims = all.flatMap(({ reviewer, findings }) => distinct(reviewer, findings, files));
  const groups = [...Map.groupBy(claims, ({ fingerprint }) => fingerprint)];
  return groups
    .map(([fingerprint, same]) => merged(fingerprint, same))
    .sort(byWeight)
    .map((finding, index) => ({ ...finding, id: `f${index + 1}` }));
}

/** The claims of one reviewer, kept separate if their place is the same but their words differ. */
function distinct(reviewer: string, findings: readonly Claimed[], files: readonly FileChange[]): Claim[] {
  const seen = new Map<string, string[]>();
  return findings.map((claim) => {
    const place = fingerprintOf(claim, files);
    const words = wordsOf(claim.issue);
    const known = seen.get(place) ?? [];
    if (!known.includes(words)) known.push(words);
    seen.set(place, known);
    const number = known.indexOf(words);
    const fingerprint = number === 0 ? place : `${place}~${number + 1}`;
    return { ...claim, reviewer, fingerprint, unverified: reasonUnverified(claim, files) };
  });
}

function merged(fingerprint: string, same: readonly Claim[]): RawFinding {
  const [worst] = same.toSorted((a, b) => weight(a) - weight(b));
  const { severity, category, file, line, symbol, issue, suggestion } = worst as Claim;
  const holds = same.some(({ unverified }) => unverified === null);
  return {
    id: fingerprint,
    fingerprint,
    severity,
    category,
    file,
    ...(line === undefined ? {} : { line }),
    ...(symbol === undefined ? {} : { symbol }),
    issue,
    suggestion,
    reviewers: [...new Set(same.map(({ reviewer }) => reviewer))].sort(),
    wordings: same.map((each) => ({ reviewer: each.reviewer, issue: each.issue })),
    unverified: holds ? null : (worst?.unverified ?? null),
  };
}

/** A claim that does not hold does not raise the severity of others, and comes after all that hold. */
function weight({ severity, unverified }: Pick<RawFinding, 'severity' | 'unverified'>): number {
  return severities.indexOf(severity) + (unverified === null ? 0 : severities.length);
}

function byWeight(a: RawFinding, b: RawFinding): number {
  return weight(a) - weight(b) || (a.fingerprint < b.fingerprint ? -1 : 1);
}

/** Equal for the same place: by the symbol, else the text of the line, else the words of the problem. */
function fingerprintOf(claim: Claimed, files: readonly FileChange[]): string {
  const file = files.find(({ path, oldPath }) => path === claim.file || oldPath === claim.file);
  const text = file?.after ?? file?.before ?? '';
  const line = claim.line === undefined ? '' : (text.split('\n')[claim.line - 1] ?? '').trim();
  const anchor = claim.symbol ?? (line === '' ? wordsOf(claim.issue) : line);
  return createHash('sha256')
    .update(JSON.stringify(['rf1', claim.file, claim.category.toLowerCase(), anchor]))
    .digest('hex')
    .slice(0, 12);
}

/** Words without order, case and punctuation. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].sort().join(' ');
}
