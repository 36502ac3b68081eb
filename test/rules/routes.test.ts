import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type Errors, mergeCases, proveCase, writeCases } from '#test/support/scenario/cases.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-routes-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

// Next is asked in `test/checkers/next.test.ts`: it is too large for a dependency.
const scenarios = readScenarios().filter(
  ({ rule, name }) => /^C0[12]$/.test(rule) && name.includes('/ts-') && !/ts-(?:next|pages)/.test(name),
);
const called = readScenarios().filter(({ name }) => /^c03\/ts-(?:route-renamed|axios|ky)/.test(name));
const { git, cases: all } = await mergeCases([...scenarios, ...called], root);
const cases = all.filter(({ scenario }) => scenarios.includes(scenario));
await writeCases(git, all, join(root, 'trees'));
const folders = [...new Set(cases.flatMap(({ trees }) => [...trees.values()]))];
symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));

describe('Express, Fastify, Hono and Nest agree', () => {
  const oracle = fileURLToPath(new URL('../support/route-oracle.js', import.meta.url));
  const told = execFileSync(process.execPath, [oracle, ...folders.map((id) => join(root, 'trees', id))], {
    encoding: 'utf8',
  });
  const errors: Errors = new Map(
    Object.entries(JSON.parse(told) as Record<string, string[]>).map(([id, list]) => [id, new Set(list)]),
  );
  test.each(cases)('with $scenario.name', (entry) => {
    proveCase(entry, errors);
    // An unreachable route is not refused, but no request gets there.
    if (entry.scenario.expected.findings.length > 0)
      expect([...(errors.get(entry.trees.get('union') ?? '') ?? [])]).not.toEqual([]);
  });
  test('there are scenarios of each', () => {
    for (const name of ['express', 'fastify', 'hono', 'nest'])
      expect(cases.filter(({ scenario }) => scenario.name.includes(name)).length).toBeGreaterThan(1);
  });
});

/** Serves a tree with Express and lets its client send a request. */
function statusOf(tree: string | undefined): number {
  const oracle = fileURLToPath(new URL('../support/client-oracle.js', import.meta.url));
  const told = execFileSync(process.execPath, [oracle, join(root, 'trees', tree ?? '')], {
    encoding: 'utf8',
  });
  return Number(told);
}

describe('a client that asks a real server', () => {
  test.each(all.filter(({ scenario }) => called.includes(scenario)))(
    'finds a route with $scenario.name, or does not',
    ({ scenario, trees }) => {
      const isFound = scenario.expected.findings.length === 0;
      // The twin requests the new route, which its own branch does not have.
      expect(statusOf(trees.get('b'))).toBe(isFound ? 404 : 200);
      expect(statusOf(trees.get('union'))).toBe(isFound ? 200 : 404);
    },
  );
});
