import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderRules, renderRulesJson } from '#report/check/explain.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { rules } from '#schema/rules.ts';
import type { rulesTable } from './rules.table.ts';

export const run: Run<typeof rulesTable> = async ({ globals, env, terminal }) => {
  terminal.print(globals.json ? renderRulesJson(rules) : renderRules(rules, pageOf(terminal, env)));
  return exitCodes.ok;
};
