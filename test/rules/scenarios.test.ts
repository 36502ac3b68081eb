import { describe, expect, test } from 'vitest';
import { registry } from '#check/rules/registry.ts';
import type { Rule } from '#check/rules/rule.ts';
import { type RuleLanguage, rules } from '#schema/rules.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';
import { firstOfEach, testScenarios } from '#test/support/scenario/scenario-tests.ts';

const scenarios = readScenarios();
// The others are in every-scenario.test.ts.
await testScenarios(firstOfEach(scenarios));

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

  // Diagnostics of external checkers (V…) are tested where those run.
  test.each(rules.filter(({ id }) => !id.startsWith('V')))(
    'have a conflict and a benign twin of $id in every language',
    ({ id, languages }) => {
      const names = scenarios.map(({ name }) => name);
      for (const language of languages.flatMap((each) => prefixes[each] ?? [each])) {
        const own = names.filter((name) => name.startsWith(`${id.toLowerCase()}/${language}`));
        const twins = own.filter((name) => name.endsWith('-benign'));
        expect(twins, `twins of ${id} ${language}`).not.toEqual([]);
        expect(own.length, `conflicts of ${id} ${language}`).toBeGreaterThan(twins.length);
      }
    },
  );
});

/** Prefix of a language's cases, if it is not its id; TypeScript cases also cover JavaScript. */
const prefixes: Partial<Record<RuleLanguage, readonly string[]>> = {
  any: [''],
  typescript: ['ts'],
  javascript: [],
  python: ['py'],
  env: ['dotenv'],
  protobuf: ['proto'],
};
