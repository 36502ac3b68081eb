import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { nearest } from '#lib/nearest.ts';
import { renderExplain, renderRulesJson } from '#report/check/explain.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { type RuleFacts, rules } from '#schema/rules.ts';
import type { explainTable } from './explain.table.ts';

export const run: Run<typeof explainTable> = async ({ positionals: [word = ''], globals, env, terminal }) => {
  const rule = findRule(word);
  terminal.print(globals.json ? renderRulesJson([rule]) : renderExplain(rule, pageOf(terminal, env)));
  return exitCodes.ok;
};

function findRule(word: string): RuleFacts {
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
