import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Confidence, Severity } from './vocabulary.ts';

/** The decision on anything: branches, an attempt, a landing, a plan, a review. */
export const verdicts = ['pass', 'fail', 'undecided'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * What a finding does. stops: the work must not land. asks: it would break and nobody has judged it. shown: it is told.
 * hidden: only --verbose tells it.
 */
export const effects = ['stops', 'asks', 'shown', 'hidden'] as const;
export type Effect = (typeof effects)[number];

/** From which findings on work is stopped; each one stops what the one before stops. */
export const blockPolicies = ['proven', 'likely', 'important'] as const;
export type BlockPolicy = (typeof blockPolicies)[number];

/** What the verdict needs to know of a finding. */
export interface Judgeable {
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** Who decided that it is true: `facts`, `compiler:tsc`, `test:<id>`, `build:<command>`; null: nobody. */
  readonly judge: string | null;
  /** What shows that it is not true: green tests ran all lines that would break. */
  readonly refuted?: string | undefined;
  /** A person accepted it, for this reason. */
  readonly accepted?: string | undefined;
  /** False: its rule was wrong too often; it is told, but nobody is asked. */
  readonly asks?: boolean;
}

/** A person decides that a finding is no reason to wait. */
export interface Acceptance {
  /** Id of the finding, or its first eight characters or more. */
  readonly id: string;
  readonly reason: string;
  /** `person:ada`. */
  readonly by: string;
}

/**
 * The one decision: what stops is a failure, what would break and has no judge is a question, and what was demanded and could
 * not be read or run is never a pass.
 */
export function verdictOf(
  findings: readonly { readonly effect: Effect }[],
  /** How many things were demanded and could not be read or run. */
  missing: number,
): Verdict {
  if (findings.some(({ effect }) => effect === 'stops')) return 'fail';
  return missing > 0 || findings.some(({ effect }) => effect === 'asks') ? 'undecided' : 'pass';
}

/** If it is true, the work must not land. */
export function breaks({ severity }: { readonly severity: Severity | 'off' }): boolean {
  return severity === 'blocking';
}

/** What a finding does under a policy. */
export function effectOf(
  { severity, confidence, judge, refuted, accepted, asks = true }: Judgeable,
  block: BlockPolicy,
): Effect {
  if (confidence === 'possible' && judge === null) return 'hidden';
  if (accepted !== undefined || (refuted !== undefined && judge === null)) return 'shown';
  if (!breaks({ severity })) return severity === 'important' && block === 'important' ? 'stops' : 'shown';
  if (judge !== null) return 'stops';
  return asks && block !== 'proven' ? 'asks' : 'shown';
}

/** Work with this finding does not land as it is. */
export function holdsBack({ effect }: { readonly effect: Effect }): boolean {
  return effect === 'stops' || effect === 'asks';
}

/** Important, or breaking by a likelihood that the policy lets pass: it is told, and holds nothing back. What a person accepted is settled. */
export function isWorthTelling({
  effect,
  severity,
  accepted,
}: {
  readonly effect: Effect;
  readonly severity: Severity;
  readonly accepted?: string | undefined;
}): boolean {
  return effect === 'shown' && severity !== 'minor' && severity !== 'info' && accepted === undefined;
}

/** Why something that was demanded could not be read or run; null if nothing is missing or the rest decides. */
export function gapIn({
  status,
  inconclusive,
}: {
  readonly status: Verdict;
  readonly inconclusive: readonly { readonly reason: string }[];
}): string | null {
  return status === 'fail' ? null : (inconclusive[0]?.reason ?? null);
}

/** GitHub's words for the outcome of a check run. */
export const conclusions = ['success', 'failure', 'action_required', 'neutral'] as const;

export function conclusionOf(
  status: Verdict,
  findings: readonly { readonly effect: Effect }[],
): (typeof conclusions)[number] {
  if (status === 'fail') return 'failure';
  if (status === 'undecided') return 'action_required';
  return findings.some(({ effect }) => effect === 'shown') ? 'neutral' : 'success';
}

const codes = { pass: exitCodes.ok, fail: exitCodes.findings, undecided: exitCodes.needsPerson } as const;

export function exitCodeOf(verdict: Verdict): ExitCode {
  return codes[verdict];
}
