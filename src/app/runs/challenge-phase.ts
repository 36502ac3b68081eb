import type { ConsultWish, PlanRoom } from '#app/planning/plan-room.ts';
import { challengeDocument } from '#app/review/challenge-here.ts';
import type { PhaseFlow } from '#crew/steer/phases.ts';
import type { ChallengeReport } from '#schema/challenge.ts';
import { breaks } from '#schema/verdict.ts';
import { begin, ending, recorded } from './phase-log.ts';

/** How many times a plan is revised because of objections before a person is asked. */
const mostRevisions = 2;

/** Lets a challenger that sees nothing else object to a document of the plan phase, once. */
export function challenge(
  room: PlanRoom,
  wish: ConsultWish,
  flow: PhaseFlow,
  round: number,
  cycle: number,
  document: Parameters<typeof challengeDocument>[2],
): Promise<ChallengeReport> {
  const { kind } = document;
  return recorded(flow, `challenge/${round}.${cycle}/${kind}`, async (call) => {
    begin(flow, 'challenge', kind);
    const said = await challengeDocument(room, wish, document);
    flow.stop.throwIfAborted();
    const detail = `${kind}: ${said.verdict}, ${said.reason}`;
    call.emit(ending(flow, 'challenge', said.verdict === 'approve', detail, said));
    return said;
  });
}

/** A plan is revised only on `revise`: a rejected plan, or objections that did not change, go to a person. */
export function mayRevise(said: ChallengeReport, before: ChallengeReport | null, cycle: number): boolean {
  if (said.verdict !== 'revise' || cycle >= mostRevisions) return false;
  return before === null || fingerprint(said) !== fingerprint(before);
}

function fingerprint(said: ChallengeReport): string {
  const parts = blocking(said).map(
    ({ vector, issue }) => `${vector} ${issue.toLowerCase().replaceAll(/\W+/g, ' ')}`,
  );
  return parts.toSorted().join('\n');
}

/** The objections, as a prompt for the architect. */
export function forArchitect(said: ChallengeReport): string {
  const lines = blocking(said).map(
    ({ vector, quote, issue, suggestion }) =>
      `- ${vector}: ${issue}${quote === '' ? '' : ` (the plan says: ${JSON.stringify(quote)})`}${suggestion === '' ? '' : ` Suggested: ${suggestion}`}`,
  );
  return [
    'A challenger who saw only your plan objects. Change the plan so that it answers every objection:',
    ...lines,
  ].join('\n');
}

export function objectionsOf(said: ChallengeReport) {
  return {
    text: `the challenger of the ${said.kind} says ${said.verdict}: ${said.reason}`,
    evidence: blocking(said).map(({ vector, issue }) => `${vector}: ${issue}`),
    canGoOn: true,
  };
}

function blocking({ findings }: ChallengeReport): ChallengeReport['findings'] {
  return findings.filter(breaks);
}
