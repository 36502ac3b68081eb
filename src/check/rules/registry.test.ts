import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type RuleId, ruleIds } from '#schema/rules.ts';
import type { Cause } from './linked/cause.ts';
import { registry } from './registry.ts';
import type { Rule } from './rule.ts';

const rules: readonly Rule[] = Object.values(registry);

/** The causes of linked problems that a rule handles. */
type Taken = {
  [Id in RuleId]: (typeof registry)[Id]['detect'] extends { linked: infer Linked } ? keyof Linked : never;
}[RuleId];

describe('the registry', () => {
  test('lists the rules in the order of their ids', () => {
    expect(Object.keys(registry)).toEqual([...ruleIds]);
    expect(rules.map(({ id }) => id)).toEqual([...ruleIds]);
  });

  test('lists every rule file of the folder, each named after its rule', () => {
    const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)));
    const expected = rules.map(({ id, name }) => `${id.toLowerCase()}-${name}.ts`);
    const ruleFiles = files.filter((file) => /^[a-z]\d\d[a-z]?-/.test(file) && !file.endsWith('.test.ts'));
    expect(ruleFiles).toEqual(expected.sort());
  });

  test('has one rule for every cause of a linked problem', () => {
    expectTypeOf<Exclude<Cause['kind'], Taken>>().toEqualTypeOf<never>();
    const taken = rules.flatMap(({ detect }) => Object.keys(detect.linked ?? {}));
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.toSorted()).toEqual([...new Set(taken)].sort());
  });

  test('has one rule for each type checker, for tests and for builds', () => {
    const checkers = rules.flatMap(({ detect }) => detect.checker ?? []);
    expect(checkers.sort()).toEqual(['build', 'compilers', 'python', 'tests', 'typescript']);
  });
});

test.each(rules)('$id is found only with --risk when it looks only at the graph', ({ detect, needsRisk }) => {
  expect(needsRisk === true).toBe(Object.keys(detect).every((place) => place === 'seams'));
});

test.each(rules)('$id looks somewhere, and yields only to rules about calls', ({ detect, proof }) => {
  expect(Object.keys(detect).filter((place) => place !== 'yieldsTo')).not.toEqual([]);
  for (const id of detect.yieldsTo ?? []) expect((registry[id] as Rule).detect.call).toBeDefined();
  expect(proof).not.toEqual([]);
});

test.each(rules.filter(({ detect }) => detect.meetsAt))(
  '$id decides itself whether branches that meet at its key can clash',
  ({ detect }) => expect(detect.canMeet).toBeDefined(),
);
