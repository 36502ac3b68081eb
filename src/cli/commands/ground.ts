import { groundBranch } from '../../evidence/ground-branch.ts';
import { openRepository } from '../../git/repository.ts';
import { UsageError } from '../../model/errors.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { GroundReport } from '../../model/grounding.ts';
import { cacheDir } from '../../model/paths.ts';
import { flagsOf, loadConfig } from '../config.ts';
import { thisHost } from '../host.ts';
import type { Invocation, Run } from '../invocation.ts';
import { readOwnPackage } from '../own-package.ts';
import { pageOf } from '../page.ts';
import { groundTable } from './ground.table.ts';

const exits = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson } as const;

export const run: Run<typeof groundTable> = async (invocation) => {
  const { options, positionals, cwd, env, terminal, onInterrupt } = invocation;
  const repository = await openRepository(cwd);
  const { values, warnings } = loadConfig({
    root: repository.workTree,
    env,
    flags: flagsOf(groundTable, options),
  });
  for (const warning of warnings) terminal.warn(warning);
  terminal.progress('reading the branch');
  const report = await groundBranch({
    repository,
    branch: positionals[0] ?? '',
    base: values.base ?? null,
    files: options.files === undefined ? null : filesOf(options.files),
    cacheDir: cacheDir(thisHost(env)),
    onInterrupt,
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
    message: `${JSON.stringify(bad)} is no path from the top of the repository`,
    hint: 'joinery ground <branch> --files src/a.ts,docs/',
  });
}

/** Only the format that was asked for is loaded. */
async function render(
  report: GroundReport,
  { options, globals, terminal, env }: Invocation<typeof groundTable>,
): Promise<string> {
  switch (globals.json ? 'json' : options.format) {
    case 'json': {
      const { printJson } = await import('../../report/json.ts');
      return printJson(GroundReport.parse(report));
    }
    case 'sarif': {
      const { renderGroundSarif } = await import('../../report/ground/sarif.ts');
      return renderGroundSarif(report, { version: readOwnPackage().version });
    }
    case 'junit': {
      const { renderGroundJunit } = await import('../../report/ground/junit.ts');
      return renderGroundJunit(report);
    }
    case 'terminal': {
      const { renderGroundTerminal } = await import('../../report/ground/terminal.ts');
      return renderGroundTerminal(report, pageOf(terminal, env));
    }
  }
}
