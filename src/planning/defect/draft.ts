import { parseSpec, plainTitle } from '#planning/spec/parse-spec.ts';
import type { Triage } from '#schema/defect.ts';

/** A defect that is too large to be fixed at once becomes the draft of a product spec. */
export function draftSpec(report: { readonly path: string; readonly text: string }, triage: Triage): string {
  const { title, sections } = parseSpec(report.text);
  const lines = report.text.split('\n');
  const section = (name: RegExp) => {
    const index = sections.findIndex((each) => name.test(plainTitle(each.title)));
    const found = sections[index];
    if (!found) return '{to be written}';
    const next =
      sections.slice(index + 1).find(({ level }) => level <= found.level)?.line ?? lines.length + 1;
    return (
      lines
        .slice(found.line, next - 1)
        .join('\n')
        .trim() || '{to be written}'
    );
  };
  return [
    `# ${title ?? 'A defect'}`,
    '',
    `> Drafted from [the report of a defect](${'../'.repeat(2)}${report.path}).`,
    '',
    '## Problem',
    '',
    section(/^observed/),
    '',
    '## Users',
    '',
    '{Who has this problem, and what they want to get done.}',
    '',
    '## User flows',
    '',
    '### To reproduce',
    '',
    section(/reproduc/),
    '',
    '## Requirements',
    '',
    ...(triage.suggestedApproach === '' ? ['- {A requirement.}'] : [`- ${triage.suggestedApproach}`]),
    '',
    '## Success criteria',
    '',
    section(/^expected/),
    '',
    '## Dependencies',
    '',
    section(/^related/),
    ...triage.affectedFiles.map((path) => `- \`${path}\``),
    '',
    '## Out of scope',
    '',
    '{What is left for later.}',
    '',
  ].join('\n');
}
