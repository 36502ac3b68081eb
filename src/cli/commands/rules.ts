import { exitCodes } from '../../model/exit-codes.ts';
import { rules } from '../../model/rules.ts';
import { renderRules, renderRulesJson } from '../../report/explain.ts';
import type { Run } from '../invocation.ts';
import { pageOf } from '../page.ts';
import type { rulesTable } from './rules.table.ts';

export const run: Run<typeof rulesTable> = async ({ globals, env, terminal }) => {
  terminal.print(globals.json ? renderRulesJson(rules) : renderRules(rules, pageOf(terminal, env)));
  return exitCodes.ok;
};
