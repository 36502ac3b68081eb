import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';

/**
 * Who may look at a severity or a confidence. Everybody else reads what a finding does (`effect`) and the verdict: two places that
 * compare severities sooner or later decide differently.
 */
const mayCompare: Readonly<Record<string, string>> = {
  'src/schema/verdict.ts': 'the one decision',
  'src/check/findings/findings.ts':
    'assembles the findings of the rules: the surest problem of a group speaks for it',
  'src/check/examine/survey-branches.ts':
    'a finding of rules about single branches is as sure as its surest sighting',
  'src/check/rules/survey/found-by.ts': 'which reader of a rule found it',
  'src/review/rework/judge-review.ts': 'a producer: what is worth another try goes back to its owner once',
  'src/app/checks/backtest-here.ts': 'text: what a replay of old merges lists',
};

const comparison = /[!=]==\s*'(?:blocking|important|minor|likely|proven|possible)'/;

test('only the verdict and named producers compare severities and confidences', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file),
  );
  expect(files.length).toBeGreaterThan(1_000);
  const comparing = files.filter((file) => comparison.test(readFileSync(join(root, file), 'utf8')));
  expect(comparing.toSorted()).toEqual(comparing.filter((file) => file in mayCompare).toSorted());
  expect(Object.keys(mayCompare).length).toBeLessThanOrEqual(10);
});
