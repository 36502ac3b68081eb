import { recordVisit } from '#app/setup/record-visit.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { hooksTable } from './hooks.table.ts';

export const run: Run<typeof hooksTable> = async (invocation) => {
  const { positionals, options, globals, terminal, env } = invocation;
  if (positionals[0] === 'record') {
    await recordVisit(invocation, options.agent, process.stdin);
    // The agent reads this as the hook's answer: nothing to add, nothing to forbid.
    terminal.print('{}');
    return exitCodes.ok;
  }
  const { installHooks } = await import('#app/setup/install-hooks.ts');
  const { renderSettingsChange } = await import('#report/setup/settings-change.ts');
  const action = positionals[0] === 'uninstall' ? 'uninstall' : 'install';
  const report = await installHooks(invocation, action, {
    agent: options.agent,
    isGlobal: options.global === true,
    isDryRun: options['dry-run'] === true,
  });
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderSettingsChange(report, 'reports to the dashboard', pageOf(terminal, env)));
  return exitCodes.ok;
};
