import type { EventDraft } from '#schema/event.ts';
import type { Handoff, HandoffEdge, HandoffForm, HandoffQuality, HandoffRemark } from '#schema/handoff.ts';
import type {
  AttemptFinding,
  AttemptOutcome,
  CheckResult,
  HandoffPolicy,
  Incident,
  Verdict,
} from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';
import { type Library, refProblem, refText } from './library.ts';

/** Shorter notes are of no use to a successor. */
const usableNotesLength = 50;

/** What our own runner knows about the attempt, whatever the agent says. */
export interface AttemptFacts {
  readonly step: string;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** The agent ended well, but its work cannot be read: a different problem from a crashed agent. */
  readonly isUnreadable?: boolean;
  readonly reason: string;
  /** Paths that differ from the recorded base; null if nothing was committed. */
  readonly changedFiles: readonly string[] | null;
  readonly verified: Verification;
  readonly incidents: readonly Incident[];
  /** What it could cite. */
  readonly library: Library;
  /** Valid addressees of outputs: tasks and roles of the run. */
  readonly addressees: ReadonlySet<string>;
  /** Tasks whose work it received. */
  readonly dependsOn: readonly string[];
  /** It requests a contract change that a person has to decide. */
  readonly isUndecided?: boolean;
  /** What happens to an attempt without a valid handoff. Default: notes proceed, nothing escalates. */
  readonly policy?: HandoffPolicy;
  /** Quality of the previous attempt's handoff, if only the handoff was retried. */
  readonly retriedFrom?: HandoffQuality;
}

/** What Joinery's checks found out about the committed work. */
export type Verification = {
  readonly checks: readonly CheckResult[];
  readonly findings: readonly AttemptFinding[];
  /** Reviewers could not decide, so a person has to. */
  readonly isUndecided?: boolean;
};

/** The agent's submission: an accepted handoff, or only its text. */
export interface Submission {
  readonly handoff: Handoff | null;
  /** Default: JSON. */
  readonly form?: HandoffForm;
  readonly notes: string;
}

export interface Completion {
  readonly quality: HandoffQuality | null;
  readonly verdict: Verdict | null;
  readonly events: readonly EventDraft[];
}

/** The only way an attempt ends: claims against facts, checks, verdict, and the resulting events. */
export function completeStep(facts: AttemptFacts, submission: Submission): Completion {
  if (facts.outcome === 'interrupted') {
    return { quality: null, verdict: null, events: [ended(facts, null, null, [], [])] };
  }
  const quality = betterOf(qualityOf(submission), facts.retriedFrom);
  const checks = [
    finishedCheck(facts),
    ...(facts.outcome === 'ok' ? [handoffCheck(quality), claimCheck(facts, submission.handoff)] : []),
    ...conductChecks(facts),
  ];
  const findings = [
    ...checks.filter(({ required, status }) => required && status === 'fail').map(findingOf(facts)),
    ...(isRetriedFor(facts, quality) ? [retryFinding(quality)] : []),
    ...facts.verified.findings,
  ];
  const verdict = verdictOf(facts, quality, findings, submission);
  const all = [...checks, ...facts.verified.checks];
  const recorded = submission.handoff ? [recordOf(facts, submission.handoff, submission.form ?? 'json')] : [];
  return { quality, verdict, events: [...recorded, ended(facts, quality, verdict, all, findings)] };
}

/** Whose work a handoff cites and what is odd about it, resolved at the moment it counts. */
function recordOf(facts: AttemptFacts, handoff: Handoff, form: HandoffForm): EventDraft<'handoff.recorded'> {
  return {
    type: 'handoff.recorded',
    step: facts.step,
    attempt: facts.attempt,
    data: { form, edges: edgesOf(facts, handoff), findings: remarksOn(facts, handoff) },
  };
}

function edgesOf({ library, step }: AttemptFacts, { consumed }: Handoff): HandoffEdge[] {
  return consumed.flatMap(({ ref }) => {
    const artifact = library.artifacts.get(ref.artifact);
    const from = artifact ? artifact.madeBy : library.changedBy(ref.artifact);
    if (from === null || from === step || refProblem(library, ref) !== null) return [];
    return [{ from, to: step, ref: refText(ref), sha256: artifact?.sha256 ?? null }];
  });
}

function remarksOn(facts: AttemptFacts, { consumed, produced, files }: Handoff): HandoffRemark[] {
  const { library, addressees, dependsOn, changedFiles } = facts;
  const changed = new Set(changedFiles ?? []);
  return [
    ...produced.flatMap(({ ref, to }) =>
      to
        .filter((name) => !addressees.has(name))
        .map((name) => ({
          flag: 'UNKNOWN_ADDRESSEE' as const,
          message: `${refText(ref)} is addressed to ${name}, who is not in this run`,
        })),
    ),
    ...consumed.flatMap(({ ref }) => {
      const problem = refProblem(library, ref);
      return problem === null ? [] : [{ flag: 'FABRICATION' as const, message: problem }];
    }),
    ...files
      .filter((path) => !changed.has(path))
      .map((path) => ({ flag: 'MISSING_FILE' as const, message: `${path} is claimed and was not changed` })),
    ...(dependsOn.length > 0 && consumed.length === 0
      ? [{ flag: 'ORPHAN' as const, message: `it cites nothing of ${dependsOn.join(', ')}` }]
      : []),
  ];
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

const qualities: readonly HandoffQuality[] = ['fallback', 'partial', 'full'];

/** The better handoff of an attempt and its repetition counts. */
function betterOf(now: HandoffQuality, before: HandoffQuality | undefined): HandoffQuality {
  return before !== undefined && qualities.indexOf(before) > qualities.indexOf(now) ? before : now;
}

/** Whether the attempt is repeated, once, because of its handoff. */
function isRetriedFor({ outcome, policy, retriedFrom }: AttemptFacts, quality: HandoffQuality): boolean {
  if (outcome !== 'ok' || quality === 'full' || retriedFrom !== undefined) return false;
  return policy?.[quality] === 'retry_once';
}

/** What was missing, for the next attempt. */
function retryFinding(quality: HandoffQuality): AttemptFinding {
  return {
    fingerprint: `handoff:${quality}`,
    severity: 'blocking',
    message:
      'There is no valid handoff, so no other task can use this work. The work itself is kept: finish with the handoff block.',
  };
}

function verdictOf(
  facts: AttemptFacts,
  quality: HandoffQuality,
  findings: readonly AttemptFinding[],
  { handoff }: Submission,
): Verdict {
  if (facts.outcome === 'denied') return 'uncertain';
  // A retry does not answer a question: a person has to.
  if (facts.outcome === 'ok' && (handoff?.status === 'blocked' || facts.isUndecided)) return 'uncertain';
  if (facts.outcome === 'ok' && facts.verified.isUndecided) return 'uncertain';
  if (isRetriedFor(facts, quality)) return 'revise';
  if (facts.outcome === 'ok' && quality === 'fallback') return 'uncertain';
  if (facts.outcome === 'ok' && quality === 'partial' && facts.policy?.partial === 'escalate')
    return 'uncertain';
  return findings.some(breaks) ? 'revise' : 'approve';
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

/** Forbidden conduct is always reported; it fails the step only if it spoils the work. */
function conductChecks({ incidents }: AttemptFacts): CheckResult[] {
  if (incidents.length === 0) return [check('conduct', 'pass', false)];
  return [...new Set(incidents.map(({ kind }) => kind))].map((kind) => {
    const same = incidents.filter((incident) => incident.kind === kind);
    const isBlocking = same.some((incident) => incident.isBlocking);
    const detail = same.map((incident) => incident.detail).join('; ');
    return check(kind, isBlocking ? 'fail' : 'warn', isBlocking, detail);
  });
}

/** The fingerprint depends on the check and the kind of failure, never on wording. */
function findingOf(facts: AttemptFacts): (failed: CheckResult) => AttemptFinding {
  const ended = facts.isUnreadable ? 'unreadable' : facts.outcome;
  return (failed) => ({
    fingerprint: `${failed.name}:${failed.name === 'agent-finished' ? ended : 'fail'}`,
    severity: 'blocking',
    message: failed.detail,
  });
}
