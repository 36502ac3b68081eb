import type { ChallengeAnswer, ChallengeFinding, ChallengeReport } from '#schema/challenge.ts';
import { breaks } from '#schema/verdict.ts';

type Kind = ChallengeReport['kind'];

/** The angles from which a document is attacked. The first vector decides whether it is rejected. */
export const challengeVectors: Readonly<Record<Kind, readonly string[]>> = {
  plan: ['premise', 'scope', 'alternatives', 'risks', 'acceptance', 'metrics'],
  spec: [
    'plan-alignment',
    'state-coverage',
    'edge-cases',
    'data-flow',
    'failure-modes',
    'accessibility',
    'motion',
    'developer-contract',
  ],
};

/** This many objections to the first vector mean that the document is fundamentally wrong. */
const rejectsFrom = 3;

/** The verdict follows from the objections that hold; the challenger's own verdict is ignored. */
export function challengeVerdict(
  kind: Kind,
  findings: readonly Pick<ChallengeFinding, 'vector' | 'severity'>[],
): 'approve' | 'revise' | 'reject' {
  const blocking = findings.filter(breaks);
  const atRoot = blocking.filter(({ vector }) => vector === challengeVectors[kind][0]);
  if (atRoot.length >= rejectsFrom) return 'reject';
  return blocking.length > 0 ? 'revise' : 'approve';
}

/** Checks objections against the document: a blocking one must quote it, and every vector must be a known one. */
export function judgeChallenge(kind: Kind, document: string, answer: ChallengeAnswer) {
  const findings = answer.findings.map((finding): ChallengeFinding => {
    const unverified = reasonUnverified(kind, document, finding);
    const severity = unverified !== null && breaks(finding) ? 'minor' : finding.severity;
    return { ...finding, severity, unverified };
  });
  return { findings, verdict: challengeVerdict(kind, findings), problems: miscounted(answer) };
}

function reasonUnverified(
  kind: Kind,
  document: string,
  { vector, quote, severity }: ChallengeAnswer['findings'][number],
): string | null {
  if (!challengeVectors[kind].includes(vector)) return `${vector} is not a vector of a ${kind}`;
  if (quote.trim() === '') return breaks({ severity }) ? 'it quotes nothing' : null;
  return flat(document).includes(flat(quote)) ? null : 'what it quotes is not in the document';
}

/** Ignores white space, which editors change. */
function flat(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

function miscounted({ counts, findings }: ChallengeAnswer): string[] {
  if (!counts) return [];
  return (['blocking', 'minor', 'info'] as const).flatMap((severity) => {
    const listed = findings.filter((finding) => finding.severity === severity).length;
    return listed === counts[severity]
      ? []
      : [`it counts ${counts[severity]} ${severity} and lists ${listed}`];
  });
}
