import type { CriterionVerdict } from '#schema/review.ts';
import type { Consensus, RawFinding } from '#schema/triage.ts';
import { isObjection } from '#schema/triage.ts';

export interface Judge {
  readonly name: string;
  readonly family: string;
}

/**
 * Whether the reviewers agree. A disagreement settled by a test or by the check against the diff no longer counts;
 * everything else stays in the report. No number of approvals outweighs an objection.
 */
export function judgeConsensus(
  judges: readonly Judge[],
  findings: readonly RawFinding[],
  criteria: readonly CriterionVerdict[],
  /** What settled a finding; null: nothing. */
  settledBy: (finding: RawFinding) => string | null,
): Consensus {
  const disagreements = [
    ...findings.flatMap((finding) => objection(finding, judges, settledBy(finding))),
    ...criteria.flatMap(readings),
  ];
  const answer = (verdict: Consensus['verdict'], reason: string): Consensus => ({
    verdict,
    reviewers: judges.length,
    reason,
    disagreements,
  });
  if (judges.length === 0) return answer('unverified', 'no reviewer answered');
  if (judges.length === 1) return answer('unverified', 'only one reviewer answered');
  const open = disagreements.filter((each) => each.settledBy === null);
  if (open.length > 0)
    return answer('split', `reviewers disagree on ${open.length} of ${disagreements.length || 1}`);
  const families = new Set(judges.map(({ family }) => family));
  const isProven = findings.length > 0 && findings.every((finding) => settledBy(finding) !== null);
  if (families.size === 1 && !isProven)
    return answer('unverified', `all reviewers are models of one family (${[...families][0]})`);
  if (disagreements.length > 0) return answer('agreed', 'a test decided what they disagreed on');
  return answer('agreed', isProven ? 'a test decided each finding' : 'reviewers of different families agree');
}

/** A blocking finding that other reviewers of the same change do not have. */
function objection(
  finding: RawFinding,
  judges: readonly Judge[],
  settledBy: string | null,
): Consensus['disagreements'] {
  const { reviewers } = finding;
  const silent = judges.filter(({ name }) => !reviewers.includes(name));
  if (!isObjection(finding) || silent.length === 0) return [];
  const positions = judges.map(({ name }) => [name, reviewers.includes(name) ? 'blocking' : 'no finding']);
  return [{ topic: `${finding.id}: ${finding.issue}`, positions: Object.fromEntries(positions), settledBy }];
}

/** One reviewer says met, another says missing. */
function readings({ text, by }: CriterionVerdict): Consensus['disagreements'] {
  const statuses = new Set(Object.values(by).map((said) => said.split(':')[0]));
  if (!statuses.has('met') || !(statuses.has('missing') || statuses.has('partial'))) return [];
  return [{ topic: `criterion: ${text}`, positions: by, settledBy: null }];
}

const families: readonly (readonly [RegExp, string])[] = [
  [/claude|opus|sonnet|haiku|fable/i, 'anthropic'],
  [/gpt|codex|^o\d/i, 'openai'],
  [/gemini|gemma/i, 'google'],
  [/qwen/i, 'qwen'],
  [/llama/i, 'meta'],
  [/mistral|codestral|devstral/i, 'mistral'],
  [/deepseek/i, 'deepseek'],
];

/** The maker of the model: known from the model's name, else from the agent. */
export function familyOf(agent: string, model: string | null): string {
  const of = (text: string) => families.find(([pattern]) => pattern.test(text))?.[1];
  return (model === null ? undefined : (of(model) ?? model)) ?? of(agent) ?? agent;
}
