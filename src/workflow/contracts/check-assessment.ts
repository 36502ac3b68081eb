import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { Assessment } from '#schema/workflow.ts';
import { AssessmentArtifact } from '#schema/workflow-artifacts.ts';
import type { Blocker, WorkflowNode } from '#schema/workflow-run.ts';
import type { Submission } from './submission.ts';

type RecordedLevel = WorkflowNode['levels'][number];

interface Assessed {
  readonly blockers: readonly Blocker[];
  readonly levels: readonly RecordedLevel[];
}

/** Checks the assessments that a step requires, and computes their consequences. */
export function checkAssessments(
  step: Pick<CompiledStep, 'assessmentRefs' | 'consequences'>,
  declared: readonly Assessment[],
  { artifacts }: Submission,
): Assessed {
  const wanted = step.assessmentRefs.flatMap((ref) => declared.find(({ id }) => id === ref) ?? []);
  const given = artifacts.filter(({ kind }) => kind === 'wr.assessment');
  const results = wanted.map((assessment) => judge(assessment, given, wanted.length === 1));
  const levels = results.flatMap((result) => result.levels);
  const problems = results.flatMap((result) => result.blockers);
  return { levels, blockers: problems.length > 0 ? problems : followUps(step, levels) };
}

function judge(assessment: Assessment, given: Submission['artifacts'], isOnly: boolean): Assessed {
  const artifact = isOnly ? given[0] : given.find(({ assessmentId }) => assessmentId === assessment.id);
  const refuse = (code: Blocker['code'], message: string): Assessed => ({
    levels: [],
    blockers: [
      {
        code,
        about: assessment.id,
        message,
        fix: `hand in output.artifacts with one like this:\n${exampleFor(assessment)}`,
      },
    ],
  });
  if (!artifact) return refuse('MISSING_REQUIRED_OUTPUT', `the assessment "${assessment.id}" is missing`);
  const parsed = AssessmentArtifact.safeParse(artifact);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'artifact'}: ${message}`,
    );
    return refuse('INVALID_REQUIRED_OUTPUT', issues.join('; '));
  }
  const { assessmentId, dimensions } = parsed.data;
  if (assessmentId !== undefined && assessmentId !== assessment.id)
    return refuse(
      'INVALID_REQUIRED_OUTPUT',
      `assessmentId is "${assessmentId}"; this step needs "${assessment.id}"`,
    );
  const issues: string[] = [];
  const known = new Map(assessment.dimensions.map((dimension) => [dimension.id, dimension]));
  for (const id of Object.keys(dimensions)) {
    if (!known.has(id))
      issues.push(`there is no dimension "${id}"; dimensions: ${[...known.keys()].join(', ')}`);
  }
  const levels = assessment.dimensions.flatMap(
    ({ id, levels: allowed, required = true }): RecordedLevel[] => {
      const value = Object.hasOwn(dimensions, id) ? dimensions[id] : undefined;
      if (value === undefined) {
        if (required) issues.push(`dimension "${id}" is missing; levels: ${allowed.join(', ')}`);
        return [];
      }
      const written = typeof value === 'string' ? value : value.level;
      const level = matchLevel(written, allowed);
      if (level === null) {
        issues.push(`dimension "${id}" has no level "${written}"; levels: ${allowed.join(', ')}`);
        return [];
      }
      return [{ assessment: assessment.id, dimension: id, level, given: level === written ? null : written }];
    },
  );
  return issues.length > 0 ? refuse('INVALID_REQUIRED_OUTPUT', issues.join('; ')) : { levels, blockers: [] };
}

/** An exact match, otherwise one that ignores case and outer spaces if it is unique. */
function matchLevel(written: string, allowed: readonly string[]): string | null {
  if (allowed.includes(written)) return written;
  const plain = written.trim().toLowerCase();
  const matching = allowed.filter((level) => level.trim().toLowerCase() === plain);
  return matching.length === 1 ? (matching[0] ?? null) : null;
}

function followUps(
  { consequences }: Pick<CompiledStep, 'consequences'>,
  levels: readonly RecordedLevel[],
): Blocker[] {
  return consequences.flatMap(({ when, effect }) => {
    const hit = levels.find(
      ({ assessment, level }) =>
        level === when.anyEqualsLevel &&
        (when.forAssessment === undefined || assessment === when.forAssessment),
    );
    if (!hit) return [];
    return [
      {
        code: 'ASSESSMENT_FOLLOWUP_REQUIRED' as const,
        about: hit.assessment,
        message: `dimension "${hit.dimension}" of "${hit.assessment}" is "${hit.level}"`,
        fix: `${effect.guidance}\nThen hand in the step again with the assessment as it is by then.`,
      },
    ];
  });
}

/** An example with the first allowed level of each dimension. */
export function exampleFor({ id, dimensions }: Assessment): string {
  const filled = dimensions.map((dimension) => [
    dimension.id,
    { level: dimension.levels[0], rationale: 'what it rests on' },
  ]);
  return JSON.stringify(
    { kind: 'wr.assessment', assessmentId: id, dimensions: Object.fromEntries(filled) },
    null,
    2,
  );
}
