import { groundHere } from '#app/proof/ground-here.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { GroundReport } from '#schema/grounding.ts';
import { groundTable } from './ground.table.ts';

const exits = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson } as const;

export const run: Run<typeof groundTable> = async (invocation) => {
  const { options, positionals, terminal } = invocation;
  const report = await groundHere(invocation, {
    branch: positionals[0] ?? '',
    files: options.files === undefined ? null : filesOf(options.files),
    plan: options.plan,
    task: options.task,
    flags: flagsOf(groundTable, options),
  });
  terminal.settle();
  terminal.print(await render(report, invocation));
  return exits[report.status];
};

function filesOf(text: string): string[] {
  const files = text.split(',').map((file) => file.trim());
  const bad = files.find((file) => file === '' || file.startsWith('/') || file.split('/').includes('..'));
  if (bad === undefined) return files;
  throw new UsageError({
    code: 'bad-files',
    message: `${JSON.stringify(bad)} is not a path from the top of the repository`,
    hint: 'joinery ground <branch> --files src/a.ts,docs/',
  });
}

/** Loads only the requested format. */
async function render(
  report: GroundReport,
  { options, globals, terminal, env }: Invocation<typeof groundTable>,
): Promise<string> {
  switch (globals.json ? 'json' : options.format) {
    case 'json': {
      const { printJson } = await import('#report/text/json.ts');
      return printJson(GroundReport.parse(report));
    }
    case 'sarif': {
      const { renderGroundSarif } = await import('#report/ground/sarif.ts');
      return renderGroundSarif(report, { version: ownVersion() });
    }
    case 'junit': {
      const { renderGroundJunit } = await import('#report/ground/junit.ts');
      return renderGroundJunit(report);
    }
    case 'terminal': {
      const { renderGroundTerminal } = await import('#report/ground/terminal.ts');
      return renderGroundTerminal(report, pageOf(terminal, env));
    }
  }
}
