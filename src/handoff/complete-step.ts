import type { EventDraft } from '#schema/event.ts';
import type { Handoff, HandoffQuality } from '#schema/handoff.ts';
import type { AttemptFinding, AttemptOutcome, CheckResult, Incident, Verdict } from '#schema/run.ts';

/** Notes shorter than this say nothing a successor could work with. */
const usableNotesLength = 50;

/** What our own runner knows about the attempt, whatever the agent says. */
export interface AttemptFacts {
  readonly step: string;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  /** Paths that differ from the recorded base; null when nothing was committed. */
  readonly changedFiles: readonly string[] | null;
  readonly verified: Verification;
  readonly incidents: readonly Incident[];
}

/** What checks of our own found out about the committed work. */
export type Verification = {
  readonly checks: readonly CheckResult[];
  readonly findings: readonly AttemptFinding[];
};

/** What the agent handed in: an accepted handoff, or only what it said. */
export interface Submission {
  readonly handoff: Handoff | null;
  readonly notes: string;
}

export interface Completion {
  readonly quality: HandoffQuality | null;
  readonly verdict: Verdict | null;
  readonly events: readonly EventDraft[];
}

/** The only way an attempt ends: claims against facts, checks, verdict, and the events that say so. */
export function completeStep(facts: AttemptFacts, submission: Submission): Completion {
  if (facts.outcome === 'interrupted') {
    return { quality: null, verdict: null, events: [ended(facts, null, null, [], [])] };
  }
  const quality = qualityOf(submission);
  const checks = [
    finishedCheck(facts),
    ...(facts.outcome === 'ok' ? [handoffCheck(quality), claimCheck(facts, submission.handoff)] : []),
    ...conductChecks(facts),
  ];
  const findings = [
    ...checks.filter(({ required, status }) => required && status === 'fail').map(findingOf(facts)),
    ...facts.verified.findings,
  ];
  const verdict = verdictOf(facts, quality, findings, submission);
  const all = [...checks, ...facts.verified.checks];
  return { quality, verdict, events: [ended(facts, quality, verdict, all, findings)] };
}

function ended(
  facts: AttemptFacts,
  quality: HandoffQuality | null,
  verdict: Verdict | null,
  checks: CheckResult[],
  findings: AttemptFinding[],
): EventDraft<'attempt.ended'> {
  return {
    type: 'attempt.ended',
    step: facts.step,
    attempt: facts.attempt,
    data: { outcome: facts.outcome, quality, verdict, checks, findings },
  };
}

function qualityOf({ handoff, notes }: Submission): HandoffQuality {
  if (handoff) return 'full';
  return notes.trim().length > usableNotesLength ? 'partial' : 'fallback';
}

function verdictOf(
  facts: AttemptFacts,
  quality: HandoffQuality,
  findings: readonly AttemptFinding[],
  { handoff }: Submission,
): Verdict {
  if (facts.outcome === 'denied') return 'uncertain';
  // Trying again answers no question: a person has to.
  if (facts.outcome === 'ok' && handoff?.status === 'blocked') return 'uncertain';
  if (facts.outcome === 'ok' && quality === 'fallback') return 'uncertain';
  return findings.some(({ severity }) => severity === 'blocking') ? 'revise' : 'approve';
}

function check(name: string, status: CheckResult['status'], required: boolean, detail = ''): CheckResult {
  return { name, status, decidedBy: 'code', required, detail };
}

function finishedCheck({ outcome, reason }: AttemptFacts): CheckResult {
  const detail = outcome === 'ok' ? '' : `the agent ended with ${outcome}${reason ? `: ${reason}` : ''}`;
  return check('agent-finished', outcome === 'ok' ? 'pass' : 'fail', true, detail);
}

function handoffCheck(quality: HandoffQuality): CheckResult {
  const status = quality === 'full' ? 'pass' : quality === 'partial' ? 'warn' : 'fail';
  const detail = {
    full: '',
    partial: 'no valid handoff, but notes that can be used',
    fallback: 'no valid handoff and no usable notes',
  }[quality];
  return check('handoff', status, true, detail);
}

function claimCheck({ changedFiles }: AttemptFacts, handoff: Handoff | null): CheckResult {
  if (!handoff) return check('claimed-files', 'skipped', false, 'no handoff');
  const changed = new Set(changedFiles ?? []);
  const invented = handoff.files.filter((path) => !changed.has(path));
  const detail = invented.length === 0 ? '' : `claimed but not changed: ${invented.join(', ')}`;
  return check('claimed-files', invented.length === 0 ? 'pass' : 'warn', false, detail);
}

/** Our instructions forbid it and it happened: said each time; only what spoils the work stops it. */
function conductChecks({ incidents }: AttemptFacts): CheckResult[] {
  if (incidents.length === 0) return [check('conduct', 'pass', false)];
  return [...new Set(incidents.map(({ kind }) => kind))].map((kind) => {
    const same = incidents.filter((incident) => incident.kind === kind);
    const isBlocking = same.some((incident) => incident.isBlocking);
    const detail = same.map((incident) => incident.detail).join('; ');
    return check(kind, isBlocking ? 'fail' : 'warn', isBlocking, detail);
  });
}

/** The fingerprint rests on the check and the way it failed, never on the wording of a reason. */
function findingOf(facts: AttemptFacts): (failed: CheckResult) => AttemptFinding {
  return (failed) => ({
    fingerprint: `${failed.name}:${failed.name === 'agent-finished' ? facts.outcome : 'fail'}`,
    severity: 'blocking',
    message: failed.detail,
  });
}
