import { fitSections, type Prompt } from '#agents/prompt/fit-sections.ts';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { camelKeys } from '#lib/camel-keys.ts';
import { type DefectReport, Triage } from '#schema/defect.ts';

const promptBytes = 200_000;

export function triagePrompt(role: string, report: { readonly path: string; readonly text: string }): Prompt {
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#answer', isFixed: true, text: format },
      { id: 'report#text', isFixed: true, text: `# The report: ${report.path}\n\n${report.text.trim()}\n` },
    ],
    promptBytes,
  );
}

const example: Triage = {
  isDefect: true,
  reportedSeverity: 'P2',
  defectType: 'logic',
  complexity: 'trivial',
  rootCauseHypothesis: 'What goes wrong, and where.',
  affectedFiles: ['src/greet.ts'],
  blastRadius: 'low',
  blastRadiusDetail: 'Who relies on it.',
  testCoverage: 'existing',
  testCoverageDetail: 'src/greet.test.ts',
  relatedSpec: null,
  suggestedApproach: 'How to fix it.',
  regressionRisks: [],
  escalationReason: null,
};

const format = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else:',
  '',
  '```json',
  JSON.stringify(example, null, 1),
  '```',
  '',
  '`reportedSeverity`: `P0` to `P3`. `defectType`: `logic`, `visual` or `data`. `complexity`: `trivial`, `moderate` or `complex`.',
  '`blastRadius`: `low`, `medium` or `high`. `testCoverage`: `existing` or `none`.',
  '',
].join('\n');

/** Null when the answer is unusable. */
export function readTriage(text: string): Triage | null {
  const found = camelKeys(
    findJson(text, (value) => isObject(value) && ('isDefect' in value || 'is_defect' in value)),
  );
  const triage = Triage.safeParse(found).data ?? null;
  const isInside = (path: string) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..');
  return triage && { ...triage, affectedFiles: triage.affectedFiles.filter(isInside) };
}

const fromEasiest = ['trivial', 'moderate', 'complex'] as const;

/** How the defect is handled: at least as hard as the triage says and as its findings imply. */
export function routeOf({
  complexity,
  affectedFiles,
  blastRadius,
}: Triage): NonNullable<DefectReport['route']> {
  const { length } = affectedFiles;
  const found =
    length === 0 || length >= 5 || blastRadius === 'high'
      ? 'complex'
      : length > 1 || blastRadius === 'medium'
        ? 'moderate'
        : 'trivial';
  return fromEasiest[Math.max(fromEasiest.indexOf(complexity), fromEasiest.indexOf(found))] ?? 'complex';
}
