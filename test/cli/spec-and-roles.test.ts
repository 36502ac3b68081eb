import { describe, expect, test } from 'vitest';
import type { RolesReport, SpecAudit } from '#schema/planning.ts';
import { openPlanning } from '#test/support/planning.ts';

describe('joinery spec', () => {
  test('new writes a spec to fill in, and never overwrites one', async () => {
    const bench = openPlanning();
    expect(await bench.call('spec', 'new', 'prd', 'my-x')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('specs/product/my-x.md'),
    });
    expect(bench.read('specs/product/my-x.md')).toContain('# My X');
    bench.write('specs/product/my-x.md', 'mine');
    for (const [args, code] of [
      [['prd', 'my-x'], 'spec-exists'],
      [['prd', 'My_X'], 'bad-name'],
      [['prdd', 'my-x'], 'bad-kind'],
      [['prd'], 'no-name'],
    ] as const) {
      const refused = await bench.json<{ error: object }>('spec', 'new', ...args);
      expect(refused).toMatchObject({ code: 3, report: { error: { code } } });
    }
    expect(bench.read('specs/product/my-x.md')).toBe('mine');
  });

  test('audit names lines and sets its exit code', async () => {
    const bench = openPlanning();
    expect(await bench.json<SpecAudit>('spec', 'audit', 'specs/greeting.md')).toMatchObject({
      code: 0,
      report: { status: 'pass', kind: 'feature', issues: [] },
    });
    bench.write('specs/tech/pay.md', '# Pay\n\n## Approach\n\nTODO [gone](./gone.md)\n');
    const failed = await bench.call('spec', 'audit', 'specs/tech/pay.md');
    expect(failed.code).toBe(1);
    const words = failed.stdout.replace(/\s+/g, ' ');
    expect(words).toContain('✗ specs/tech/pay.md:5 TODO: decide it (structural)');
    expect(words).toContain('✗ specs/tech/pay.md:5 the link to ./gone.md leads to no file (structural)');
    expect(words).toContain('it does not link to its product spec');
    expect(words).toMatch(/fail specs\/tech\/pay\.md \(rfc\): \d+ errors/);
    expect(await bench.call('spec', 'audit', 'specs/none.md')).toMatchObject({ code: 3 });
  });
});

describe('joinery roles', () => {
  test('lists every role with its origin, from the commit and never from the worktree', async () => {
    const bench = openPlanning();
    bench.write('.joinery/roles/verifier.md', 'Not committed.\n');
    const ours = await bench.json<RolesReport>('roles');
    expect(ours.report.roles.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['architect', 'verifier', 'developer']),
    );
    expect(ours.report.roles.every(({ origin, path }) => origin === 'joinery' && path === null)).toBe(true);
    bench.repo.commit({
      '.joinery/roles/verifier.md': 'OWN-VERIFIER\n',
      '.joinery/roles/architekt.md': 'x\n',
    });
    bench.write('.joinery/roles/verifier.md', 'Changed since.\n');
    const own = await bench.json<RolesReport>('roles');
    expect(own.report.roles.filter(({ origin }) => origin === 'project')).toMatchObject([
      { name: 'verifier', path: '.joinery/roles/verifier.md' },
    ]);
    expect(own.stderr).toContain('architekt.md replaces no role; did you mean architect.md?');
    expect(await bench.call('roles', 'verifier')).toMatchObject({ code: 0, stdout: 'OWN-VERIFIER\n' });
    expect(await bench.call('roles', 'verifyer')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"verifier"'),
    });
  });
});
