import type { Assessment, StandardStep, Workflow } from '#schema/workflow.ts';
import { blocking, type Problem } from '#workflow/language/problem.ts';
import { duplicates, unknownName } from './check-steps.ts';
import { isLoop, type Located } from './located.ts';

/** Assessments are declared once and used by steps; each use must match its declaration. */
export function checkAssessments(workflow: Workflow, all: readonly Located[]): Problem[] {
  const declared = workflow.assessments ?? [];
  return [
    ...duplicates(
      declared.map(({ id }, at) => ({ name: id, path: ['assessments', at, 'id'] })),
      'assessment',
    ),
    ...declared.flatMap(({ dimensions }, at) =>
      duplicates(
        dimensions.map(({ id }, index) => ({
          name: id,
          path: ['assessments', at, 'dimensions', index, 'id'],
        })),
        'dimension',
      ),
    ),
    ...all.flatMap((located) => (isLoop(located) ? [] : checkUses(located, declared))),
  ];
}

function checkUses({ step, path }: Located, declared: readonly Assessment[]): Problem[] {
  const { assessmentRefs = [], assessmentConsequences = [] } = step as StandardStep;
  const names = declared.map(({ id }) => id);
  const unknown = assessmentRefs.flatMap((name, at) =>
    names.includes(name)
      ? []
      : [
          blocking(
            [...path, 'assessmentRefs', at],
            'unknown-assessment',
            unknownName('assessment', name, names),
          ),
        ],
  );
  const seen = new Set<string>();
  const consequences = assessmentConsequences.flatMap(({ when }, at): Problem[] => {
    const place = [...path, 'assessmentConsequences', at, 'when'];
    const key = `${when.anyEqualsLevel}\0${when.forAssessment ?? ''}`;
    if (seen.has(key)) return [blocking(place, 'duplicate-consequence', 'the same level is named twice')];
    seen.add(key);
    if (assessmentRefs.length === 0)
      return [blocking(place, 'consequence-without-assessment', 'the step has no assessmentRefs')];
    if (when.forAssessment !== undefined && !assessmentRefs.includes(when.forAssessment))
      return [
        blocking(
          [...place, 'forAssessment'],
          'unknown-assessment',
          unknownName('assessment of this step', when.forAssessment, assessmentRefs),
        ),
      ];
    const levels = declared
      .filter(({ id }) =>
        when.forAssessment === undefined ? assessmentRefs.includes(id) : id === when.forAssessment,
      )
      .flatMap(({ dimensions }) => dimensions.flatMap((dimension) => dimension.levels));
    return levels.includes(when.anyEqualsLevel)
      ? []
      : [
          blocking(
            [...place, 'anyEqualsLevel'],
            'unknown-level',
            unknownName('level', when.anyEqualsLevel, levels),
          ),
        ];
  });
  return [...unknown, ...consequences];
}
