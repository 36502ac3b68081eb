import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { pythonWithFrameworks } from '#scripts/python-frameworks.ts';
import { type Errors, mergeCases, proveCase, writeCases } from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-frameworks-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const scenarios = readScenarios().filter(
  ({ rule, name }) =>
    (/^C0[12]$/.test(rule) && name.includes('/py-')) || /\/py-(?:alembic|django)/.test(name),
);

describe('Alembic, Django, FastAPI and Flask agree', async () => {
  const { git, cases } = await mergeCases(scenarios, root);
  const folders = await writeCases(git, cases, join(root, 'trees'));
  const python = pythonWithFrameworks();
  const oracle = fileURLToPath(new URL('../support/framework-oracle.py', import.meta.url));
  const told = execFileSync(python ?? '', [oracle, ...folders.map((id) => join(root, 'trees', id))], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const errors: Errors = new Map(
    Object.entries(JSON.parse(told) as Record<string, string[]>).map(([id, list]) => [id, new Set(list)]),
  );
  // PostgreSQL confirms what a database refuses; these frameworks confirm heads and routes.
  const judged = cases.filter(({ scenario }) => /^(?:C01|C02|C09|M0\d)$/.test(scenario.rule));

  test.each(judged)('with $scenario.name', (entry) => {
    const ofUnion = [...(errors.get(entry.trees.get('union') ?? '') ?? [])];
    // A migration that follows one of the other branch is valid together with it, not alone.
    if (entry.scenario.expected.findings.length === 0) expect(ofUnion).toEqual([]);
    else proveCase(entry, errors);
    if (/^C0[12]$/.test(entry.scenario.rule) && entry.scenario.expected.findings.length > 0)
      expect(ofUnion).not.toEqual([]);
  });
  test('there are scenarios of each', () => {
    for (const name of ['alembic', 'django', 'fastapi', 'flask'])
      expect(judged.filter(({ scenario }) => scenario.name.includes(name)).length).toBeGreaterThan(1);
  });
});
