import { auditHere } from '#app/handoffs/audit-here.ts';
import { writeCoherenceReport } from '#app/handoffs/write-coherence-report.ts';
import { ownVersion } from '#app/workplace/version.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
import { AuditReport } from '#schema/audit.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import type { auditTable } from './audit.table.ts';

export const run: Run<typeof auditTable> = async (invocation) => {
  const { options, positionals, terminal } = invocation;
  const judge =
    options.agent === undefined
      ? undefined
      : { agent: options.agent, scenario: options.scenario, base: undefined, tell: tellerOf(invocation) };
  const report = await auditHere(invocation, { target: positionals[0], base: options.base, judge });
  terminal.settle();
  if (options.write) {
    const files = writeCoherenceReport(report, new Date().toISOString());
    for (const file of files) terminal.note(`wrote ${file}`);
  }
  terminal.print(await render(report, invocation));
  return report.exitCode as ExitCode;
};

/** Loads only the requested format. */
async function render(
  report: AuditReport,
  { options, globals, terminal, env }: Invocation<typeof auditTable>,
): Promise<string> {
  switch (globals.json ? 'json' : options.format) {
    case 'json': {
      const { printJson } = await import('#report/text/json.ts');
      return printJson(AuditReport.parse(report));
    }
    case 'markdown': {
      const { renderAuditMarkdown } = await import('#report/audit/markdown.ts');
      return renderAuditMarkdown(report, { at: new Date().toISOString() });
    }
    case 'sarif': {
      const { renderAuditSarif } = await import('#report/audit/sarif.ts');
      return renderAuditSarif(report, { version: ownVersion() });
    }
    case 'svg': {
      const { renderAuditSvg } = await import('#report/audit/svg.ts');
      return renderAuditSvg(report);
    }
    case 'terminal': {
      const { renderAuditTerminal } = await import('#report/audit/terminal.ts');
      return renderAuditTerminal(report, pageOf(terminal, env));
    }
  }
}
