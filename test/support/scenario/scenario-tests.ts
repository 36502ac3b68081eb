import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { openForks, plainRef } from './check-scenarios.ts';
import { compareReport } from './compare.ts';
import type { NamedScenario } from './read-scenarios.ts';

/** One test for each scenario: a check reports what it expects. */
export async function testScenarios(scenarios: readonly NamedScenario[]): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-scenarios-'));
  afterAll(() => rm(root, { recursive: true, force: true }), 60_000);
  const check = await openForks(scenarios, root);
  const cases = scenarios.map((scenario, index) => ({ ...scenario, index }));
  describe('joinery check', () => {
    test.concurrent.each(cases)('$name', async ({ index, expected }) => {
      const report = await check(index);
      // In printed form: only keys of the schema, in its order.
      expect(JSON.stringify(report)).toBe(JSON.stringify(CheckReport.strict().parse(report)));
      expect(compareReport(report, expected, plainRef)).toBe('');
    });
  });
}

/** The first conflict and the first benign twin of each rule in TypeScript, in Python, and in one of the other languages. */
export function firstOfEach(scenarios: readonly NamedScenario[]): NamedScenario[] {
  const kindOf = ({ name }: NamedScenario) => {
    const [rule, file = ''] = name.split('/');
    const language = /^(?:ts|py)-/.exec(file)?.[0] ?? 'other';
    return `${rule} ${language} ${file.endsWith('-benign')}`;
  };
  return [...Map.groupBy(scenarios, kindOf).values()].flatMap(([first]) => first ?? []);
}
