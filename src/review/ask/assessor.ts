import { findJson, isObject } from '#agents/stream/find-json.ts';
import { assessorPrompt } from '#review/prompt/review-prompts.ts';
import type { Cost, ReviewEffects, ReviewInput } from '#review/review.ts';
import { validateTriage } from '#review/triage/validate-triage.ts';
import type { RawFinding, TriageReport } from '#schema/triage.ts';

/** Without findings no model is asked. An invalid answer is sent back once, with its errors. */
export async function sortFindings(
  { subject, roles }: ReviewInput,
  effects: ReviewEffects,
  findings: readonly RawFinding[],
  cost: Cost,
): Promise<TriageReport> {
  const files = subject.files.flatMap(({ path, oldPath }) => [path, oldPath]);
  const validate = (triage: unknown) => validateTriage({ raw: findings, files, triage });
  if (findings.length === 0) return validate({ accepted: [], deferred: [], rejected: [], approved: true });
  let report = validate(undefined);
  for (let n = 1; n <= 2 && report.status === 'invalid'; n++) {
    const errors = n === 1 ? [] : report.errors;
    const reply = await effects.askAssessor(n, assessorPrompt(subject, roles.assessor, findings, errors));
    cost.push({ ...reply.consultation, reviewer: null });
    report = validate(findJson(reply.text, (value) => isObject(value) && 'accepted' in value));
    if (report.status === 'invalid') effects.log(`the triage is not valid: ${report.errors.join('; ')}`);
  }
  return report;
}
