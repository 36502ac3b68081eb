import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { checkerFolder } from '#scripts/contract-checkers.ts';
import { mergeCases, writeCases } from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-next-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const scenarios = readScenarios().filter(({ name }) => name.startsWith('c01/ts-next'));

describe('a build by Next agrees', async () => {
  const { git, cases } = await mergeCases(scenarios, root);
  await writeCases(git, cases, join(root, 'trees'));
  providePackages();

  // A build takes seconds. Sides alone are not built: the twins have the same files, one of them at another path.
  test.each(cases)('with $scenario.name', ({ scenario, trees }) => {
    const refused = refusal(trees.get('union'));
    if (scenario.expected.findings.length === 0) expect(refused).toBe('');
    else expect(refused).toMatch(/resolve to the same path|Conflicting (?:route|app) and page/);
  });
  test('there are conflicts and twins', () => {
    const conflicts = cases.filter(({ scenario }) => scenario.expected.findings.length > 0);
    expect(conflicts.length).toBeGreaterThan(2);
    expect(cases.length - conflicts.length).toBeGreaterThan(2);
  });
});

/** What Next needs to find above the trees. It would install what is missing there. */
function providePackages(): void {
  const installed = join(checkerFolder('next'), 'node_modules');
  const own = fileURLToPath(new URL('../../node_modules', import.meta.url));
  mkdirSync(join(root, 'node_modules'));
  for (const [name, target] of [
    ['next', join(installed, 'next')],
    ['react', join(installed, 'react')],
    ['react-dom', join(installed, 'react-dom')],
    ['@types', join(own, '@types')],
    ['typescript', join(own, 'typescript-5.9')],
  ] as const)
    symlinkSync(target, join(root, 'node_modules', name));
}

/** What Next says against the sites of a tree; empty if it builds all of them. */
function refusal(tree: string | undefined): string {
  const folder = join(root, 'trees', tree ?? '');
  const sites = ['site', 'admin'].map((name) => join(folder, name)).filter((site) => existsSync(site));
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  return (sites.length > 0 ? sites : [folder])
    .map((cwd) =>
      spawnSync(process.execPath, [next, 'build', '--webpack'], {
        cwd,
        encoding: 'utf8',
        env: ownEnvironment(),
      }),
    )
    .map(({ status, stdout, stderr }) => (status === 0 ? '' : `${stdout}${stderr}`))
    .join('');
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _ofTests, ...rest } = process.env;
  return { ...rest, NEXT_TELEMETRY_DISABLED: '1' };
}
