import type { AuditIssue, SpecAudit } from '#schema/planning.ts';
import { isDemanding, itemsOf } from './audit-completeness.ts';
import type { ParsedSpec } from './parse-spec.ts';

/** Typical size of one task. */
const perTask = { requirements: 2.5, files: 3 } as const;

/** Level 4: how much work it is. An estimate, so it never fails a spec. */
export function sizing(
  parsed: ParsedSpec,
  maxTasks: number,
): { readonly sizing: SpecAudit['sizing']; readonly issues: AuditIssue[] } {
  const requirements = parsed.sections
    .filter(isDemanding)
    .reduce((most, section) => Math.max(most, itemsOf(section).length), 0);
  const files = new Set(
    parsed.prose.flatMap(
      ({ text }) => text.match(/(?<![\w@.-])[\w@.-]{1,255}(?:\/[\w@.-]{1,255}){0,20}\.[a-z]{1,5}\b/gi) ?? [],
    ),
  ).size;
  const estimatedTasks = Math.max(
    1,
    Math.ceil(Math.max(requirements / perTask.requirements, files / perTask.files)),
  );
  const rationale = `${requirements} requirements or criteria in one list, ${files} files named`;
  const isTooLarge = estimatedTasks > maxTasks;
  return {
    sizing: { estimatedTasks, recommendation: isTooLarge ? 'split' : 'ok', rationale },
    issues: isTooLarge
      ? [
          {
            level: 'sizing',
            severity: 'warning',
            line: 1,
            section: null,
            message: `about ${estimatedTasks} tasks (${rationale}); more than ${maxTasks} should be more than one spec`,
          },
        ]
      : [],
  };
}
