import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { ReplayReport } from '#schema/replay.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';

/** A shop whose tests run on node:test. */
const base: Files = {
  'package.json': '{"type":"module"}\n',
  'joinery.json': '{"gates":{"env":["SHOP_*"],"commands":[{"kind":"test","run":"node --test"}]}}\n',
  'src/price.js': 'export const price = (pieces) => pieces * 10;\n',
  'src/tax.js': 'export const tax = (amount) => amount;\n',
  'README.md': '# Shop\n',
};
const uses = "import test from 'node:test';\nimport { equal } from 'node:assert/strict';\n";

/** Adds a coupon, and a test of it that depends on the price. */
const coupon: Files = {
  'src/coupon.js':
    "import { price } from './price.js';\nexport const withCoupon = (pieces) => price(pieces) - 5;\n",
  'test/coupon.test.js': `${uses}import { withCoupon } from '../src/coupon.js';
test('a coupon takes five off', () => equal(withCoupon(2), 15));
`,
};
/** Raises prices, with a test that states the reason. */
const dearer: Files = {
  'src/price.js': 'export const price = (pieces) => pieces * 12;\n',
  'test/price.test.js': `${uses}import { price } from '../src/price.js';
test('a piece costs twelve', () => equal(price(1), 12));
`,
};
/** Changes the same file, but no price. */
const reworded: Files = {
  'src/price.js': 'const each = 10;\nexport const price = (pieces) => pieces * each;\n',
};

function repositoryOf(files: Files, branches: Readonly<Record<string, Files>>): GitRepository {
  const repository = new GitRepository();
  repository.commit(files);
  for (const [name, changes] of Object.entries(branches)) repository.branch(name, changes);
  return repository;
}

async function check(
  { dir }: GitRepository,
  args: readonly string[] = [],
  { cache = temporaryFolder(), env = {} }: { cache?: string; env?: Record<string, string> } = {},
) {
  const outcome = await joinery(
    ['check', '--json', '--stats', ...(args.includes('--confirm') ? [] : ['--confirm', 'tests']), ...args],
    {
      cwd: dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, ...env },
    },
  );
  const report = outcome.stdout === '' ? null : CheckReport.strict().parse(JSON.parse(outcome.stdout));
  return {
    ...outcome,
    report,
    runs: Number(/(\d+) test runs/.exec(outcome.stderr)?.[1]),
    found: report?.findings.map(({ rule, branches }) => [rule, ...branches]),
  };
}

describe('a test that a branch adds', () => {
  test('is a proven witness if it passes there and fails on the union', async () => {
    const repository = repositoryOf(base, { coupon, dearer, docs: { 'README.md': '# The shop\n' } });
    const cache = temporaryFolder();
    const { code, report, found, stderr } = await check(repository, [], { cache });
    expect({ code, found }).toEqual({ code: 1, found: [['V03', 'coupon', 'dearer']] });
    expect(stderr).toMatch(/--confirm tests runs code of the branches on this machine/);
    const finding = report?.findings[0];
    expect(finding).toMatchObject({
      category: 'behaviour',
      severity: 'blocking',
      confidence: 'proven',
      witness: { absentOn: ['coupon', 'dearer'], command: `joinery replay ${finding?.id}` },
    });
    expect(finding?.message).toContain('"a coupon takes five off" of coupon passes there and fails');
    expect(finding?.witness.output).toMatch(/19 !== 15/);
    expect(finding?.sites).toEqual([
      expect.objectContaining({ branch: 'dearer', file: 'src/price.js', role: 'provider' }),
      expect.objectContaining({ branch: 'coupon', file: 'test/coupon.test.js', line: 4, role: 'consumer' }),
    ]);
    expect(report?.landable).toHaveLength(2);

    const again = await check(repository, [], { cache });
    expect({ runs: again.runs, report: again.report }).toEqual({ runs: 0, report });

    const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
    const replayed = await joinery(['replay', finding?.id ?? '', '--json'], { cwd: repository.dir, env });
    expect(ReplayReport.parse(JSON.parse(replayed.stdout)).proof).toBe('confirmed');
    expect(repository.git('status', '--porcelain', '--ignored')).toBe('');
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(
      readdirSync(join(cache, 'objects')).flatMap((key) => readdirSync(join(cache, 'objects', key))),
    ).toEqual([]);
  });

  test('reports nothing if it passes on the union too, in one run', async () => {
    const repository = repositoryOf(base, { coupon, reworded });
    const { code, found, runs, report } = await check(repository);
    expect({ code, found, runs, degraded: report?.degraded }).toEqual({
      code: 0,
      found: [],
      runs: 1,
      degraded: [],
    });
  });

  test('is not run if no other branch can affect it', async () => {
    const repository = repositoryOf(base, {
      coupon,
      tax: { 'src/tax.js': 'export const tax = (amount) => amount * 2;\n' },
      docs: { 'README.md': '# The shop\n' },
    });
    const { code, found, runs } = await check(repository);
    expect({ code, found, runs }).toEqual({ code: 0, found: [], runs: 0 });
  });

  test('blocks also if it passes on the base as well: the union is red', async () => {
    const pinned = {
      'test/pin.test.js': dearer['test/price.test.js']?.replace('twelve', 'ten').replace('12', '10') ?? '',
    };
    const { code, found, report } = await check(repositoryOf(base, { pinned, dearer }));
    expect({ code, found }).toEqual({ code: 1, found: [['V03', 'dearer', 'pinned']] });
    expect(report?.findings[0]).toMatchObject({
      severity: 'blocking',
      confidence: 'proven',
      effect: 'stops',
    });
  });

  test('is blamed on every branch needed for the failure, and on no other', async () => {
    const repository = repositoryOf(
      {
        ...base,
        'src/price.js': `${base['src/price.js']}export const floor = { value: 0 };\n`,
        'src/cap.js': 'export const cap = 100;\n',
      },
      {
        sum: {
          'src/sum.js':
            "import { price, floor } from './price.js';\nimport { cap } from './cap.js';\nexport const sum = (n) => Math.min(Math.max(price(n), 0), cap) + (floor.value * (cap - 100));\n",
          'test/sum.test.js': `${uses}import { sum } from '../src/sum.js';\ntest('sums', () => equal(sum(1), 10));\n`,
        },
        floor: { 'src/price.js': `${base['src/price.js']}export const floor = { value: 3 };\n` },
        cap: { 'src/cap.js': 'export const cap = 101;\n' },
        tax: { 'src/tax.js': 'export const tax = (amount) => amount * 2;\n' },
      },
    );
    const { found } = await check(repository);
    expect(found).toEqual([['V03', 'cap', 'floor', 'sum']]);
  });

  test('is run with a branch that the union of all has to leave out', async () => {
    const cheaper = { 'src/price.js': 'export const price = (pieces) => pieces * 9;\n' };
    const { found } = await check(repositoryOf(base, { coupon, dearer, cheaper }));
    expect(found?.filter(([rule]) => rule === 'V03').sort()).toEqual([
      ['V03', 'cheaper', 'coupon'],
      ['V03', 'coupon', 'dearer'],
    ]);
  });

  test('is blamed on the base if the base has moved', async () => {
    const repository = repositoryOf(base, { coupon });
    repository.commit(dearer);
    const { code, found } = await check(repository, ['main', 'coupon']);
    expect({ code, found }).toEqual({ code: 1, found: [['V03', 'coupon', 'main']] });
  });

  test('that fails on its own branch blames no other', async () => {
    const broken = {
      ...coupon,
      'test/coupon.test.js': coupon['test/coupon.test.js']?.replace('15', '99') ?? '',
    };
    const { code, found } = await check(repositoryOf(base, { broken, dearer }));
    expect({ code, found }).toEqual({ code: 0, found: [] });
  });

  test('that fails only sometimes is flaky and blocks nothing', async () => {
    const mark = join(temporaryFolder(), 'mark');
    const flaky: Files = {
      ...coupon,
      'test/coupon.test.js': `${uses}import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { withCoupon } from '../src/coupon.js';
const mark = process.env.SHOP_MARK;
test('a coupon, sometimes', () => {
  const isMarked = existsSync(mark);
  if (isMarked) rmSync(mark);
  else writeFileSync(mark, '');
  equal(withCoupon(2) > 0 && isMarked, true);
});
`,
    };
    const repository = repositoryOf(base, { flaky, reworded });
    const { code, found, report } = await check(repository, [], { env: { SHOP_MARK: mark } });
    expect({ code, found, inconclusive: report?.inconclusive }).toEqual({
      code: 0,
      found: [],
      inconclusive: [],
    });
    expect(report?.degraded.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /^flaky test, it proves nothing: "a coupon, ?sometimes" \(test\/coupon\.test\.js\) of flaky/,
      ),
    ]);
  });
});

describe('tests of branches', () => {
  /** Fails unless it sees exactly this. */
  const asserting = (assertion: string): Files => ({
    ...coupon,
    'test/coupon.test.js': `${uses}import { withCoupon } from '../src/coupon.js';\ntest('surroundings', () => equal(withCoupon(1) > 0 && (${assertion}), true));\n`,
  });

  test('are not run unless requested', async () => {
    const repository = repositoryOf(base, { coupon, dearer });
    const cache = temporaryFolder();
    const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
    const { code, stderr } = await joinery(['check', '--stats'], { cwd: repository.dir, env });
    expect({ code, says: /runs code/.test(stderr) }).toEqual({ code: 0, says: false });
    expect(stderr).not.toMatch(/test runs/);
  });

  test('get no credentials, run under the sandbox, and cannot write to the repository by accident', async () => {
    const secret = asserting("process.env.API_TOKEN === undefined && process.env.CONFINED === 'yes'");
    const repository = repositoryOf(base, { secret, reworded });
    const { code, found, report } = await check(repository, ['--sandbox', "env CONFINED='yes'"], {
      env: { API_TOKEN: 'sesame-0123456789' },
    });
    expect({ code, found, inconclusive: report?.inconclusive }).toEqual({
      code: 0,
      found: [],
      inconclusive: [],
    });
    expect(existsSync(join(repository.dir, 'test'))).toBe(false);
  });

  test('need a sandbox that exists, and only if they run', async () => {
    const repository = repositoryOf(base, { coupon, reworded });
    const env = { JOINERY_CACHE_DIR: temporaryFolder() };
    const run = (...args: string[]) => joinery(['check', ...args], { cwd: repository.dir, env });
    const missing = await run('--confirm', 'tests', '--sandbox', 'no-such-sandbox --quiet');
    expect({ code: missing.code, said: missing.stderr }).toEqual({
      code: 5,
      said: expect.stringContaining('"no-such-sandbox", which is not installed'),
    });
    expect((await run('--sandbox', 'env')).code).toBe(3);
  });

  test('without a runner make the check inconclusive', async () => {
    const repository = repositoryOf({ ...base, 'joinery.json': '{}\n' }, { coupon, dearer });
    const { code, report } = await check(repository);
    expect({ code, reasons: report?.inconclusive.map(({ reason }) => reason) }).toEqual({
      code: 2,
      reasons: [expect.stringMatching(/^no test command is known; name one in "gates\.commands"/)],
    });
  });

  test('in Python need no settings: what is installed runs them, here unittest', async () => {
    const repository = repositoryOf(
      { 'shop.py': 'def price(n): return n * 10\n' },
      {
        coupon: {
          'coupon.py': 'from shop import price\ndef with_coupon(n): return price(n) - 5\n',
          'tests/test_coupon.py': `import unittest
from coupon import with_coupon
class CouponTest(unittest.TestCase):
    def test_takes_five_off(self):
        self.assertEqual(with_coupon(2), 15)
    def test_is_a_number(self):
        self.assertIsInstance(with_coupon(2), int)
`,
        },
        dearer: { 'shop.py': 'def price(n): return n * 12\n' },
      },
    );
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
    // Without site-packages there is no pytest.
    repository.write({ '.git/bin/python3': `#!/bin/sh\nexec ${python.trim()} -S "$@"\n` });
    chmodSync(join(repository.dir, '.git/bin/python3'), 0o755);
    const env = { PATH: `${join(repository.dir, '.git/bin')}${delimiter}${process.env.PATH}` };
    const { code, found, report } = await check(repository, [], { env });
    expect({ code, found, inconclusive: report?.inconclusive }).toEqual({
      code: 1,
      found: [['V03', 'coupon', 'dearer']],
      inconclusive: [],
    });
    expect(report?.findings[0]?.message).toContain('test_takes_five_off');
  });

  test('with unreadable output make the check inconclusive', async () => {
    const repository = repositoryOf(
      { ...base, 'joinery.json': '{"gates":{"commands":[{"kind":"test","run":"echo fine; exit 3"}]}}\n' },
      { coupon, dearer },
    );
    const { code, report } = await check(repository);
    expect({ code, reasons: report?.inconclusive.map(({ reason }) => reason) }).toEqual({
      code: 2,
      reasons: [expect.stringContaining('its output does not say which tests ran')],
    });
  });

  test('end with the check when that is interrupted', async () => {
    const mark = join(temporaryFolder(), 'pid');
    const hanging: Files = {
      ...coupon,
      'test/coupon.test.js': `${uses}import { writeFileSync } from 'node:fs';
import { withCoupon } from '../src/coupon.js';
test('hangs', async () => {
  writeFileSync(process.env.SHOP_MARK, String(process.pid));
  await new Promise(() => setInterval(withCoupon, 1000));
});
`,
    };
    const { dir } = repositoryOf(base, { hanging, reworded });
    const cache = temporaryFolder();
    const env = { ...process.env, JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, SHOP_MARK: mark };
    const child = spawn(process.execPath, [executable, 'check', '--confirm', 'tests'], { cwd: dir, env });
    const ended = once(child, 'exit');
    await expect
      .poll(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '', { timeout: 60_000 })
      .toBe(true);
    child.kill('SIGTERM');
    await ended;
    const isAlive = () => {
      try {
        return process.kill(Number(readFileSync(mark, 'utf8')), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive, { timeout: 20_000 }).toBe(false);
  });

  test('that do not end are killed', async () => {
    const hanging = asserting('await new Promise(() => setInterval(() => {}, 1000))');
    const files = {
      ...hanging,
      'test/coupon.test.js':
        hanging['test/coupon.test.js']?.replace('() => equal', 'async () => equal') ?? '',
    };
    const settings = '{"gates":{"commands":[{"kind":"test","run":"node --test","timeoutSeconds":2}]}}\n';
    const repository = repositoryOf({ ...base, 'joinery.json': settings }, { files, dearer });
    const { code, report } = await check(repository);
    expect({ code, reasons: report?.inconclusive.map(({ reason }) => reason) }).toEqual({
      code: 2,
      reasons: [expect.stringContaining('it did not end in time')],
    });
  });
});

describe('--confirm build', () => {
  const builds = (run: string): Files => ({
    ...base,
    'joinery.json': JSON.stringify({ gates: { commands: [{ kind: 'build', run }] } }),
    'build.js':
      "import { existsSync } from 'node:fs';\nif (existsSync('src/a.js') && existsSync('src/b.js')) {\n  console.log('src/b.js:1:1: error: it is there twice');\n  process.exit(1);\n}\n",
  });
  const both = { a: { 'src/a.js': 'export {};\n' }, b: { 'src/b.js': 'export {};\n' } };

  test('proves what fails in the union and on no branch', async () => {
    const repository = repositoryOf(builds('node build.js'), { ...both, c: { 'src/c.js': 'export {};\n' } });
    const { code, found, report } = await check(repository, ['--confirm', 'build']);
    expect({ code, found }).toEqual({ code: 1, found: [['V04', 'a', 'b']] });
    expect(report?.findings[0]?.witness.output).toContain('it is there twice');
    expect(report?.findings[0]?.sites).toEqual([
      expect.objectContaining({ branch: 'b', file: 'src/b.js', line: 1 }),
    ]);
  });

  test.each([
    ['a build that fails on the base already', 'exit 1', 0],
    ['a build that is not installed', 'no-such-builder', 2],
  ])('reports no branch for %s', async (_name, run, expected) => {
    const { code, found } = await check(repositoryOf(builds(run), both), ['--confirm', 'build']);
    expect({ code, found }).toEqual({ code: expected, found: [] });
  });
});

test.each([
  ['types,tests', 0],
  ['none', 0],
  ['none,tests', 3],
  ['types,magic', 3],
])('--confirm %s exits with %i', async (list, code) => {
  const repository = repositoryOf(base, { coupon });
  const env = { JOINERY_CACHE_DIR: temporaryFolder() };
  const outcome = await joinery(['check', '--confirm', list], { cwd: repository.dir, env });
  expect(outcome.code).toBe(code);
});

test.each([
  [['types', 'tests'], 1, ['V03']],
  ['build, tests', 1, ['V03']],
  [[], 0, []],
  ['none', 0, []],
  [['magic'], 3, undefined],
] as const)('"confirm": %j in the config asks for the same: exit code %i', async (confirm, code, rules) => {
  const settings = { ...JSON.parse(base['joinery.json'] ?? ''), confirm };
  const repository = repositoryOf({ ...base, 'joinery.json': JSON.stringify(settings) }, { coupon, dearer });
  const folder = temporaryFolder();
  const outcome = await joinery(['check', '--json'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: folder, JOINERY_STATE_DIR: folder },
  });
  expect(outcome.code, outcome.stderr).toBe(code);
  const { findings } = JSON.parse(outcome.stdout);
  expect(findings?.map(({ rule }: { rule: string }) => rule)).toEqual(rules);
});
