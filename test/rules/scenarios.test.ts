import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { rules } from '#schema/rules.ts';
import { openForks, plainRef } from '#test/support/scenario/check-scenarios.ts';
import { compareReport } from '#test/support/scenario/compare.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-scenarios-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const scenarios = readScenarios().map((scenario, index) => ({ ...scenario, index }));
const check = await openForks(scenarios, root);

describe('joinery check', () => {
  test.concurrent.each(scenarios)('$name', async ({ index, expected }) => {
    const report = await check(index);
    // As it is printed: nothing the schema does not know, keys in its order.
    expect(JSON.stringify(report)).toBe(JSON.stringify(CheckReport.strict().parse(report)));
    expect(compareReport(report, expected, plainRef)).toBe('');
  });
});

describe('the scenarios', () => {
  test('lie in the folder of their rule', () => {
    const folders = scenarios.map(({ name, rule }) => [name, name.split('/')[0] === rule.toLowerCase()]);
    expect(folders.filter(([, isThere]) => !isThere)).toEqual([]);
  });

  test('speak of rules that exist', () => {
    const known = new Set(rules.map(({ id }) => id));
    const told = scenarios.flatMap(({ rule, expected }) => [
      rule,
      ...expected.findings.map((each) => each.rule),
    ]);
    expect(told.filter((rule) => !known.has(rule))).toEqual([]);
  });

  // Diagnostics of outside checkers (V…) are tested where those are run.
  test.each(rules.filter(({ id }) => !id.startsWith('V')))(
    'have a conflict and a benign twin of $id in every language',
    ({ id }) => {
      const names = scenarios.map(({ name }) => name);
      for (const language of languagesOf(id)) {
        const own = names.filter((name) => name.startsWith(`${id.toLowerCase()}/${language}`));
        const twins = own.filter((name) => name.endsWith('-benign'));
        expect(twins, `twins of ${id} ${language}`).not.toEqual([]);
        expect(own.length, `conflicts of ${id} ${language}`).toBeGreaterThan(twins.length);
      }
    },
  );
});

function languagesOf(rule: string): readonly string[] {
  if (rule === 'T06') return ['json', 'yaml', 'toml', 'dotenv'];
  if (rule === 'S16') return ['ts'];
  return rule === 'T01' || rule === 'T02' || rule === 'T07' ? [''] : ['ts', 'py'];
}
