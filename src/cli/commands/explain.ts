import { UsageError } from '../../model/errors.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { nearest } from '../../model/nearest.ts';
import { type Rule, rules } from '../../model/rules.ts';
import { renderExplain, renderRulesJson } from '../../report/explain.ts';
import type { Run } from '../invocation.ts';
import { pageOf } from '../page.ts';
import type { explainTable } from './explain.table.ts';

export const run: Run<typeof explainTable> = async ({ positionals: [word = ''], globals, env, terminal }) => {
  const rule = findRule(word);
  terminal.print(globals.json ? renderRulesJson([rule]) : renderExplain(rule, pageOf(terminal, env)));
  return exitCodes.ok;
};

function findRule(word: string): Rule {
  const wanted = word.toLowerCase();
  const found = rules.find(({ id, name }) => id.toLowerCase() === wanted || name === wanted);
  if (found) return found;
  const meant = nearest(
    word,
    rules.flatMap(({ id, name }) => [id, name]),
  );
  throw new UsageError({
    code: 'unknown-rule',
    message: `there is no rule ${JSON.stringify(word)}`,
    hint: /^[0-9a-f]{6,16}$/.test(wanted)
      ? `joinery replay ${wanted} shows a finding`
      : meant === null
        ? 'joinery rules'
        : `did you mean ${meant}? All of them: joinery rules`,
  });
}
