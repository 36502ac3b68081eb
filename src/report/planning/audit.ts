import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { SpecAudit } from '#schema/planning.ts';
import { oneLine, plural } from './words.ts';

/** What is wrong with a spec, line by line, for people. */
export function renderAudit({ status, file, kind, issues, sizing }: SpecAudit, page: Page): string {
  const { width, paint } = page;
  const marks = marksOf(page);
  const tint = { pass: paint.green, warn: paint.yellow, fail: paint.red }[status];
  const count = (severity: string) => issues.filter((issue) => issue.severity === severity).length;
  return [
    ...issues.flatMap(({ level, severity, line, message }) =>
      hang(
        `${severity === 'error' ? marks.fail : marks.warn} `,
        `${file}:${line} ${oneLine(message)} (${level})`,
        { width, tintLabel: severity === 'error' ? paint.red : paint.yellow },
      ),
    ),
    ...(issues.length > 0 ? [''] : []),
    `${tint(status)}  ${file} (${kind}): ${plural(count('error'), 'error', 'errors')}, ${plural(count('warning'), 'warning', 'warnings')}; about ${plural(sizing.estimatedTasks, 'task', 'tasks')}`,
  ].join('\n');
}
