import type { VerifiedCriterion } from '#schema/grounding.ts';
import type { RunClaim } from '#schema/run.ts';
import type { StepState } from './state.ts';

const standing = { met: 'pass', unmet: 'fail', unverified: 'warn', inconclusive: 'inconclusive' } as const;

/** The claims about the last attempt of a task: that it is done, the results of grounding and gates, its criteria. */
export function claimsOf({ task, attempts }: StepState): RunClaim[] {
  const last = attempts.findLast(({ outcome }) => outcome !== 'interrupted');
  if (!last || last.outcome === null) return [];
  const { grounding, claims, commit } = last;
  const about = (claim: Omit<RunClaim, 'task'>): RunClaim => ({ task: task.id, ...claim });
  const seenOn = grounding
    ? { evidence: `commit ${grounding.commit}` }
    : commit
      ? { evidence: `commit ${commit}` }
      : {};
  return [
    about({
      claim: 'the work is done',
      verifiedBy: grounding ? 'grounding' : 'nobody',
      status: last.outcome === 'ok' ? (grounding?.status ?? 'warn') : 'fail',
      ...seenOn,
    }),
    ...(grounding?.checks ?? [])
      .filter(({ status }) => status !== 'skipped')
      .map(({ name, status }) => about({ claim: name, verifiedBy: 'grounding', status, ...seenOn })),
    ...(grounding?.criteria ?? []).map((criterion) =>
      about({
        claim: criterion.text,
        verifiedBy: wayOf(criterion),
        status: standing[criterion.status],
        ...(criterion.status === 'unverified' ? {} : seenOn),
      }),
    ),
    ...claims.map(({ claim, gate, command, status, evidence }) =>
      about({
        claim: gate === claim ? `${claim} passes` : `${gate} passes`,
        verifiedBy: command,
        status,
        ...(evidence === null ? {} : { evidence: `evidence ${evidence}` }),
      }),
    ),
  ];
}

function wayOf({ verifyBy, arg, status }: VerifiedCriterion): string {
  if (status === 'unverified') return 'nobody';
  return arg === undefined ? verifyBy : `${verifyBy} ${arg}`;
}
