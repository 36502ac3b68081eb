import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { pythonWithFrameworks } from '#scripts/python-frameworks.ts';
import { mergeCases, writeCases } from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-clients-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

// The twin of the removed route asks another host.
const scenarios = readScenarios().filter(
  ({ name }) => name.startsWith('c03/py-') && name !== 'c03/py-route-removed-benign',
);

describe('requests and httpx ask a real server', async () => {
  const { git, cases } = await mergeCases(scenarios, root);
  await writeCases(git, cases, join(root, 'trees'));
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));
  const oracle = fileURLToPath(new URL('../support/client-oracle.py', import.meta.url));
  const python = pythonWithFrameworks() ?? '';
  const answerIn = (tree: string | undefined) =>
    execFileSync(python, [oracle, join(root, 'trees', tree ?? ''), process.execPath], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    }).trim();

  test.each(cases)('and get an answer with $scenario.name, or none', ({ scenario, trees }) => {
    const isConflict = scenario.expected.findings.length > 0;
    // The twin requests the new route, which its own branch does not have.
    expect(answerIn(trees.get('b')) === 'answered').toBe(isConflict);
    expect(answerIn(trees.get('union')) === 'answered').toBe(!isConflict);
  });
  test('there are scenarios with Express, FastAPI and Flask', () => {
    const names = cases.map(({ scenario }) => scenario.name);
    expect(names).toEqual(
      expect.arrayContaining(['c03/py-requests', 'c03/py-httpx', 'c03/py-route-removed']),
    );
  });
});
