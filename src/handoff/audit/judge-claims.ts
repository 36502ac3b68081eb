import { z } from 'zod';
import type { CodeClaim } from '#schema/audit.ts';

/** The judge's answer; a claim is identified by its number: `c1`. */
export const ClaimJudgements = z.object({
  judgements: z
    .array(
      z.object({
        claim: z.string(),
        status: z.enum(['CONFIRMED', 'PARTIAL', 'MISSING_IN_CODE']),
        lines: z.tuple([z.int().positive(), z.int().positive()]).optional(),
        quote: z.string().max(2000).default(''),
        confidence: z.enum(['high', 'medium', 'low']).default('low'),
        why: z.string().max(2000).default(''),
      }),
    )
    .max(1000),
});
export type ClaimJudgements = z.infer<typeof ClaimJudgements>;

/** Claims that code does not contradict: whether they fulfil the requirement is left to the judge. */
export function claimsToJudge(
  claims: readonly CodeClaim[],
): { readonly id: string; readonly claim: CodeClaim }[] {
  return claims
    .filter(({ status }) => status === 'UNJUDGED')
    .map((claim, index) => ({ id: `c${index + 1}`, claim }));
}

/** Applies the judgements whose cited lines and words exist; anything unclear becomes partial. */
export function withJudgements(
  claims: readonly CodeClaim[],
  { judgements }: ClaimJudgements,
  textOf: (file: string) => string | null,
): CodeClaim[] {
  const ids = new Map(claimsToJudge(claims).map(({ id, claim }) => [claim, id]));
  const said = Map.groupBy(judgements, ({ claim }) => claim);
  return claims.map((claim) => {
    const id = ids.get(claim);
    if (id === undefined) return claim;
    const [judgement, ...more] = said.get(id) ?? [];
    if (!judgement) return partial(claim, 'it was not judged');
    if (more.length > 0) return partial(claim, 'it was judged twice');
    return judged(claim, judgement, textOf(claim.file));
  });
}

type Judgement = ClaimJudgements['judgements'][number];

function judged(
  claim: CodeClaim,
  { status, lines, quote, confidence, why }: Judgement,
  text: string | null,
): CodeClaim {
  if (text === null) return partial(claim, `${claim.file} cannot be read`);
  switch (status) {
    case 'PARTIAL':
      return partial(claim, why);
    case 'MISSING_IN_CODE':
      // Only a judge with high confidence may call a claim invented.
      if (confidence !== 'high') return partial(claim, why === '' ? 'the judge is not sure' : why);
      return { ...claim, status, decidedBy: 'agent', evidence: why === '' ? 'no trace in the file' : why };
    case 'CONFIRMED': {
      if (!lines) return partial(claim, 'it was confirmed without a line');
      const [first, last] = lines;
      const cited = text
        .split('\n')
        .slice(first - 1, last)
        .join('\n');
      if (first > last || cited === '') return partial(claim, `${claim.file} has no lines ${first}-${last}`);
      if (quote.trim() === '' || !flat(cited).includes(flat(quote)))
        return partial(claim, `the words that were cited are not in ${claim.file}:${first}-${last}`);
      return {
        ...claim,
        status,
        decidedBy: 'agent',
        evidence: `${claim.file}:${first}-${last} ${why}`.trim(),
      };
    }
  }
}

function partial(claim: CodeClaim, why: string): CodeClaim {
  return {
    ...claim,
    status: 'PARTIAL',
    decidedBy: 'agent',
    evidence: why === '' ? 'only a part of it' : why,
  };
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
