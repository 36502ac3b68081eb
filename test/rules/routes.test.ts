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

// Next takes routes from names of files; it is too large to be installed for that.
const scenarios = readScenarios().filter(
  ({ rule, name }) => /^C0[12]$/.test(rule) && name.includes('/ts-') && !/ts-(?:next|pages)/.test(name),
);
const { git, cases } = await mergeCases(scenarios, root);
const folders = await writeCases(git, cases, join(root, 'trees'));
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
    // A route that is never reached is not refused, but no request gets there.
    if (entry.scenario.expected.findings.length > 0)
      expect([...(errors.get(entry.trees.get('union') ?? '') ?? [])]).not.toEqual([]);
  });
  test('there are scenarios of each', () => {
    for (const name of ['express', 'fastify', 'hono', 'nest'])
      expect(cases.filter(({ scenario }) => scenario.name.includes(name)).length).toBeGreaterThan(1);
  });
});
