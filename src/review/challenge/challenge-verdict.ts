import type { ChallengeAnswer, ChallengeFinding, ChallengeReport } from '#schema/challenge.ts';

type Kind = ChallengeReport['kind'];

/** From where a document is attacked. The first vector decides whether it is rejected. */
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

/** So many objections to the first vector mean that the document is wrong at its root. */
const rejectsFrom = 3;

/** The verdict follows from the objections that hold; what a challenger itself would call it does not count. */
export function challengeVerdict(
  kind: Kind,
  findings: readonly Pick<ChallengeFinding, 'vector' | 'severity'>[],
): 'approve' | 'revise' | 'reject' {
  const blocking = findings.filter(({ severity }) => severity === 'blocking');
  const atRoot = blocking.filter(({ vector }) => vector === challengeVectors[kind][0]);
  if (atRoot.length >= rejectsFrom) return 'reject';
  return blocking.length > 0 ? 'revise' : 'approve';
}

/** Objections held against the document: who blocks has to quote it, and every vector has to be one of ours. */
export function judgeChallenge(kind: Kind, document: string, answer: ChallengeAnswer) {
  const findings = answer.findings.map((finding): ChallengeFinding => {
    const unverified = reasonUnverified(kind, document, finding);
    const severity = unverified !== null && finding.severity === 'blocking' ? 'minor' : finding.severity;
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
  if (quote.trim() === '') return severity === 'blocking' ? 'it quotes nothing' : null;
  return flat(document).includes(flat(quote)) ? null : 'what it quotes is not in the document';
}

/** White space is the editor's. */
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
