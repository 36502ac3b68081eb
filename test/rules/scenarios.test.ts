import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { registry } from '#check/rules/registry.ts';
import type { Rule } from '#check/rules/rule.ts';
import { CheckReport } from '#schema/check-report.ts';
import { type RuleLanguage, rules } from '#schema/rules.ts';
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
  test('are in the folder of their rule', () => {
    const folders = scenarios.map(({ name, rule }) => [name, name.split('/')[0] === rule.toLowerCase()]);
    expect(folders.filter(([, isThere]) => !isThere)).toEqual([]);
  });

  test('name rules that exist', () => {
    const known = new Set<string>(rules.map(({ id }) => id));
    const told = scenarios.flatMap(({ rule, expected }) => [
      rule,
      ...expected.findings.map((each) => each.rule),
    ]);
    expect(told.filter((rule) => !known.has(rule))).toEqual([]);
  });

  test('show every confidence that a rule claims, and no other', () => {
    const told = scenarios.flatMap(({ expected }) => expected.findings);
    const shown = Map.groupBy(told, ({ rule }) => rule);
    for (const { id, proof, detect } of Object.values<Rule>(registry)) {
      const confidences = new Set(shown.get(id)?.map(({ confidence }) => confidence));
      if (!detect.checker) expect([...confidences].sort(), id).toEqual([...proof].sort());
    }
  });

  // Diagnostics of outside checkers (V…) are tested where those are run.
  test.each(rules.filter(({ id }) => !id.startsWith('V')))(
    'have a conflict and a benign twin of $id in every language',
    ({ id, languages }) => {
      const names = scenarios.map(({ name }) => name);
      for (const language of languages.flatMap((each) => prefixes[each])) {
        const own = names.filter((name) => name.startsWith(`${id.toLowerCase()}/${language}`));
        const twins = own.filter((name) => name.endsWith('-benign'));
        expect(twins, `twins of ${id} ${language}`).not.toEqual([]);
        expect(own.length, `conflicts of ${id} ${language}`).toBeGreaterThan(twins.length);
      }
    },
  );
});

/** How the cases of a language are named; what TypeScript shows holds for JavaScript. */
const prefixes: Record<RuleLanguage, readonly string[]> = {
  any: [''],
  typescript: ['ts'],
  javascript: [],
  python: ['py'],
  go: ['go'],
  rust: ['rust'],
  java: ['java'],
  ruby: ['ruby'],
  csharp: ['csharp'],
  php: ['php'],
  json: ['json'],
  yaml: ['yaml'],
  toml: ['toml'],
  env: ['dotenv'],
  sql: ['sql'],
  graphql: ['graphql'],
  protobuf: ['proto'],
  prisma: ['prisma'],
};
