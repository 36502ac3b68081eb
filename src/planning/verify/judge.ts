import type { VerifierFindings } from '#schema/planning.ts';
import type { VerifierAnswer } from './answer.ts';

export interface Failure {
  /** The same for the same problem, whatever its wording. */
  readonly fingerprint: string;
  readonly message: string;
}

export interface Judgement {
  readonly status: 'pass' | 'fail' | 'needs_human' | 'inconclusive';
  readonly reason: string;
  readonly failures: readonly Failure[];
}

/** Decides from the findings. A verifier that says pass but lists failures is not believed, nor is an unknown status. */
export function judgeAnswer(answer: VerifierAnswer): Judgement {
  if (answer.status === 'unusable')
    return inconclusive(`the verifier gave no usable answer: ${answer.reason}`);
  const { findings, said, unread } = answer;
  const failures = failuresIn(findings);
  if (failures.length > 0) return { status: 'fail', reason: '', failures };
  if (unread.length > 0) return inconclusive(`part of the answer cannot be read: ${unread.join('; ')}`);
  if (findings.needsHuman.length > 0)
    return {
      status: 'needs_human',
      reason: 'the spec or the plan can be read in more than one way',
      failures,
    };
  if (said === 'fail') return inconclusive('the verifier says fail and names no failure');
  if (said !== 'pass')
    return inconclusive(`the verifier says ${JSON.stringify(said)}, which is neither pass nor fail`);
  if (findings.requirements.length === 0)
    return inconclusive('the verifier lists no requirement of the spec');
  return { status: 'pass', reason: '', failures };
}

function inconclusive(reason: string): Judgement {
  return { status: 'inconclusive', reason, failures: [] };
}

function failuresIn(findings: VerifierFindings): Failure[] {
  const { coreQuestion, requirements, contractIssues, criticalFailures } = findings;
  return numbered([
    ...(coreQuestion.isAnswerable === false
      ? [
          {
            fingerprint: 'core-question',
            message: `the core question cannot be answered: ${coreQuestion.reasoning || coreQuestion.text}`,
          },
        ]
      : []),
    ...requirements
      .filter(({ status }) => status === 'missing' || status === 'drifted')
      .map(({ requirement, status }) => ({
        fingerprint: `requirement:${plain(requirement)}`,
        message: `${requirement} (${status})`,
      })),
    ...contractIssues.map(({ type, description }) => ({
      fingerprint: `contract:${plain(type)}:${plain(description)}`,
      message: `contract: ${description}`,
    })),
    ...criticalFailures.map(({ description, specReference, planGap }) => ({
      fingerprint: ['critical', specReference, planGap, description].map(plain).join(within),
      message: description,
    })),
  ]);
}

/** Two failures at one place count as two: one less is progress. */
function numbered(failures: readonly Failure[]): Failure[] {
  const counts = new Map<string, number>();
  return failures.map((failure) => {
    const count = (counts.get(failure.fingerprint) ?? 0) + 1;
    counts.set(failure.fingerprint, count);
    return count === 1 ? failure : { ...failure, fingerprint: `${failure.fingerprint}~${count}` };
  });
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}<>=]+/gu, ' ')
    .trim();
}

export interface FailureDelta {
  readonly fixed: string[];
  readonly remaining: string[];
  readonly new: string[];
}

/** Between a part of the spec, what the plan has there, and what fails. */
const within = ' | ';

/** A part of the spec may have two failures, and a model tells one of them in other words the next time: half of the words decide. */
function isSameFailure(a: Failure, b: Failure): boolean {
  if (a.fingerprint === b.fingerprint) return true;
  const [kind, place, gap = '', said] = a.fingerprint.split(within);
  const [otherKind, otherPlace, otherGap, otherSaid] = b.fingerprint.split(within);
  if (said === undefined || otherSaid === undefined || kind !== otherKind || place !== otherPlace)
    return false;
  if (gap !== '' && gap === otherGap) return true;
  const words = new Set(said.split(' '));
  const others = new Set(otherSaid.split(' '));
  const shared = [...words].filter((word) => others.has(word)).length;
  return 2 * shared >= Math.min(words.size, others.size);
}

/** Whether nothing was fixed and nothing is new. */
export function isSameList(before: readonly Failure[], after: readonly Failure[]): boolean {
  const { fixed, new: fresh } = deltaOf(before, after);
  return before.length === after.length && fixed.length + fresh.length === 0;
}

/** Compares failures, reports messages. */
export function deltaOf(before: readonly Failure[], after: readonly Failure[]): FailureDelta {
  const has = (failures: readonly Failure[], failure: Failure) =>
    failures.some((each) => isSameFailure(each, failure));
  return {
    fixed: before.filter((failure) => !has(after, failure)).map(({ message }) => message),
    remaining: after.filter((failure) => has(before, failure)).map(({ message }) => message),
    new: after.filter((failure) => !has(before, failure)).map(({ message }) => message),
  };
}
