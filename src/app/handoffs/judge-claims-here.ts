import { judgePrompt } from '#agents/prompt/judge-prompt.ts';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { type AgentWish, consulting } from '#app/planning/consulting.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { ClaimJudgements, claimsToJudge, withJudgements } from '#handoff/audit/judge-claims.ts';
import type { AuditReport, CodeClaim } from '#schema/audit.ts';

/** Of longer files, only the surroundings of the cited lines are shown. */
const longestFile = 2000;
const linesAround = 300;
const promptBytes = 400_000;

type Judged = Pick<AuditReport['code'], 'claims' | 'judge'>;

/** Asks an agent whether the cited lines do what a record says; code checks what the agent cites. */
export async function judgeClaims(
  here: Surroundings,
  wish: AgentWish,
  claims: readonly CodeClaim[],
  read: (claim: CodeClaim) => string | null,
): Promise<Judged> {
  const open = claimsToJudge(claims);
  if (open.length === 0) return { claims: [...claims], judge: null };
  return consulting(here, wish, async (room, ask) => {
    const { consult, close } = room.consultant(ask);
    try {
      const prompt = judgePrompt({
        role: 'code-evaluator',
        roleText: room.role('code-evaluator').text,
        format,
        inputs: open.map(({ id, claim }) => ({
          id: `claim/${id}`,
          title: `Claim ${id}`,
          text: claimText(claim, read(claim)),
        })),
        ambient: [],
        problems: [],
        maxBytes: promptBytes,
      });
      const reply = await consult({ role: 'code-evaluator', n: 1, prompt, place: 'nowhere', tier: 'strong' });
      const judge = { agent: reply.consultation.agent, promptSha256: prompt.sha256 };
      const answer = ClaimJudgements.safeParse(
        findJson(reply.text, (value) => isObject(value) && 'judgements' in value),
      );
      if (reply.outcome !== 'ok' || !answer.success) {
        const reason =
          reply.outcome === 'ok' ? 'its answer cannot be used' : `${reply.outcome} ${reply.reason}`.trim();
        return { claims: [...claims], judge: { ...judge, status: 'no-answer', reason } };
      }
      const texts = new Map(open.map(({ claim }) => [claim.file, read(claim)]));
      const judged = withJudgements(claims, answer.data, (file) => texts.get(file) ?? null);
      return { claims: judged, judge: { ...judge, status: 'answered', reason: '' } };
    } finally {
      await close();
    }
  });
}

const format = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else, with every claim once:',
  '',
  '```json',
  JSON.stringify(
    {
      judgements: [
        {
          claim: 'c1',
          status: 'CONFIRMED',
          lines: [10, 12],
          quote: 'one of these lines, exactly',
          confidence: 'high',
          why: 'What these lines do.',
        },
      ],
    },
    null,
    1,
  ),
  '```',
  '',
].join('\n');

function claimText({ from, file, lines, claimedIn, claimedAt }: CodeClaim, text: string | null): string {
  const [first, last] = lines ?? [1, 1];
  const all = (text ?? '').split('\n');
  const isLong = all.length > longestFile;
  const start = isLong ? Math.max(1, first - linesAround) : 1;
  const end = isLong ? Math.min(all.length, last + linesAround) : all.length;
  const shown = all.slice(start - 1, end).map((line, index) => `${start + index}: ${line}`);
  return [
    `${claimedIn}:${claimedAt} says that ${file}:${first}-${last} implements ${from}.`,
    '',
    ...shown,
  ].join('\n');
}
