import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAuditMarkdown } from '#report/audit/markdown.ts';
import { renderAuditSvg } from '#report/audit/svg.ts';
import type { AuditReport } from '#schema/audit.ts';
import { EnvironmentError } from '#schema/errors.ts';

/** Writes the report and its diagram next to the documents they describe. */
export function writeCoherenceReport(report: AuditReport, at: string): string[] {
  const files = [
    { name: 'coherence-report.md', text: renderAuditMarkdown(report, { at }) },
    { name: 'coherence-graph.svg', text: renderAuditSvg(report) },
  ];
  return files.map(({ name, text }) => {
    const file = join(report.subject.path, name);
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text);
      renameSync(temporary, file);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw new EnvironmentError({
        code: 'not-written',
        message: `${file} cannot be written: ${(cause as NodeJS.ErrnoException).code}`,
        hint: 'print it instead: joinery audit <folder> --format markdown',
        cause,
      });
    }
    return file;
  });
}
