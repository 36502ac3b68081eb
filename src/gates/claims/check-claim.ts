import { judgeEvidence } from '#gates/runner/judge.ts';
import type { ClaimVerdict, Evidence, Gate, GateKind } from '#schema/gates.ts';

/** What a claim is checked against. */
export interface ClaimGround {
  /** The tree as it is now. */
  readonly tree: string;
  readonly evidence: readonly Evidence[];
  /** Gates of the base commit for this work: if there is one for a kind of claim, only that gate proves it. */
  readonly gates: readonly Gate[];
  /** Whether a log is unchanged since it was recorded. */
  isIntact(log: Evidence['log']): boolean;
}

interface Claim {
  readonly claim: GateKind;
  readonly text: string | null;
  /** The number of passed tests in the text; undefined if no number was required. */
  readonly passed?: number | null;
}

/** Checks a claim: only evidence for exactly this tree proves it; missing, stale or doubtful evidence fails it. */
export function checkClaim({ claim, text, passed }: Claim, ground: ClaimGround): ClaimVerdict {
  const commands = [
    ...new Set(ground.gates.filter(({ kind }) => kind === claim).map(({ command }) => command)),
  ];
  const ofKind = ground.evidence.filter((each) => each.claim === claim);
  const judged =
    commands.length > 0
      ? commands.map((command) => judgeCommand(claim, command, ofKind, ground))
      : [judgeAny(claim, ofKind, ground)];
  const flawed = judged.find(({ status }) => status === 'fail');
  const verdict = flawed ?? judged.at(-1);
  if (!verdict) throw new Error('a claim without anything to judge');
  if (flawed || passed === undefined) return { ...verdict, text };
  return { ...compareCounts(verdict, passed, judged, ground), text };
}

type Verdict = Omit<ClaimVerdict, 'text'>;

function judgeCommand(
  claim: GateKind,
  command: string,
  ofKind: readonly Evidence[],
  ground: ClaimGround,
): Verdict {
  const own = ofKind.filter((each) => each.command === command);
  if (own.length > 0 || ofKind.length === 0) return judgeNewest(claim, command, own, ground);
  return fail(
    claim,
    'other-command',
    `the gate ${command} was not run, only ${ofKind.at(-1)?.command}`,
    next(claim, command),
  );
}

function judgeAny(claim: GateKind, ofKind: readonly Evidence[], ground: ClaimGround): Verdict {
  return judgeNewest(claim, null, ofKind, ground);
}

/** The newest evidence counts: a failure after a success on the same tree is a failure. */
function judgeNewest(
  claim: GateKind,
  command: string | null,
  own: readonly Evidence[],
  ground: ClaimGround,
): Verdict {
  const hint = next(claim, command);
  const last = own.at(-1);
  if (!last) return fail(claim, 'missing', 'nothing was recorded', hint);
  const newest = own.findLast(({ tree }) => tree === ground.tree);
  if (!newest) {
    const detail = `recorded for tree ${last.tree.slice(0, 12)}, this is ${ground.tree.slice(0, 12)}`;
    return { ...fail(claim, 'stale', detail, hint), evidence: last.id, command: last.command };
  }
  const seen = { evidence: newest.id, command: newest.command };
  const { flaw, detail } = judgeEvidence(newest);
  if (flaw !== null) return { ...fail(claim, flaw, detail, hint), ...seen };
  if (!ground.isIntact(newest.log))
    return { ...fail(claim, 'changed-log', 'its log is gone or was changed', hint), ...seen };
  return { claim, status: 'pass', reason: null, detail, hint: '', ...seen };
}

function compareCounts(
  verdict: Verdict,
  passed: number | null,
  judged: readonly Verdict[],
  ground: ClaimGround,
): Verdict {
  if (verdict.claim !== 'test') return verdict;
  if (passed === null) return { ...verdict, ...boast(verdict) };
  const ids = new Set(judged.map(({ evidence }) => evidence));
  const real = ground.evidence
    .filter(({ id }) => ids.has(id))
    .reduce((sum, { tests }) => sum + (tests?.passed ?? 0), 0);
  if (real === passed) return verdict;
  return {
    ...verdict,
    status: 'fail',
    reason: 'wrong-count',
    detail: `${passed} are said to pass, ${real} do`,
    hint: 'say what the evidence says',
  };
}

function boast({ detail }: Verdict): Pick<Verdict, 'status' | 'reason' | 'detail' | 'hint'> {
  return {
    status: 'fail',
    reason: 'no-count-claimed',
    detail: `it does not say how many tests passed (${detail})`,
    hint: 'say how many',
  };
}

function fail(claim: GateKind, reason: string, detail: string, hint: string): Verdict {
  return { claim, status: 'fail', reason, detail, hint, evidence: null, command: null };
}

function next(claim: GateKind, command: string | null): string {
  if (command !== null)
    return `joinery gates ${claim === 'lint' || claim === 'typecheck' ? '--fast' : '--full'}`;
  return `joinery evidence run --claim ${claim} -- <command>`;
}
