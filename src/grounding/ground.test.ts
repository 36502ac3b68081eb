import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedLines } from '#lib/changed-lines.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { findingsOf, groundCommits, grounded, groundedValues, statusOf } from '#test/support/grounded.ts';
import { sample } from '#test/support/sampling.ts';

const code = 'export function f() {\n  return 1;\n}\n';
const testOf = (name: string) =>
  `import { f } from './${name}.ts';\n\ntest('f', () => {\n  expect(f()).toBe(1);\n});\n`;
const base = { 'src/a.ts': code, 'README.md': 'hello\n' };

describe('the diff', () => {
  test('must not be empty, unless the task declares no file', () => {
    expect(statusOf(groundedValues(base, {}), 'non-empty-diff')).toBe('fail');
    expect(statusOf(groundedValues(base, {}, { declared: ['src/a.ts'] }), 'non-empty-diff')).toBe('fail');
    expect(statusOf(groundedValues(base, {}, { declared: [] }), 'non-empty-diff')).toBe('warn');
  });

  test('must contain every declared file, or have deleted it', () => {
    const status = (declared: string[], changed = {}) =>
      statusOf(groundedValues(base, changed, { declared }), 'declared-files');
    expect(status(['src/a.ts', 'src/', './README.md'])).toBe('pass');
    expect(status(['src/new.ts'])).toBe('fail');
    expect(status(['src/new/'])).toBe('fail');
    expect(status(['src/a.ts'], { 'src/a.ts': null })).toBe('pass');
  });

  test('of a blocked agent does not count', () => {
    const claim = { status: 'blocked', why: 'which port?' } as const;
    const result = groundedValues(base, { 'src/a.ts': 'x' }, { claim });
    expect(findingsOf(result, 'not-blocked')[0]?.message).toContain('which port?');
    expect(result.status).toBe('fail');
  });
});

describe('files generated from the contract', () => {
  const stub =
    '// Made by joinery contract stubs from contract 0123. Do not edit.\nexport interface User {}\n';
  const made = { ...base, 'contract/contract.ts': stub };
  const status = (changed: Parameters<typeof groundedValues>[1]) =>
    statusOf(groundedValues(made, changed), 'contract-stubs');

  test('are read-only: changing or deleting one fails, creating one does not', () => {
    expect(status({ 'contract/contract.ts': `${stub}// more\n` })).toBe('fail');
    expect(status({ 'contract/contract.ts': null })).toBe('fail');
    expect(status({ 'contract/contract.ts': 'export {};\n' })).toBe('fail');
    expect(status({ 'contract/other.ts': stub })).toBe('pass');
    expect(status({ 'src/a.ts': 'x\n' })).toBe('pass');
    const result = groundedValues(made, { 'contract/contract.ts': null });
    expect(findingsOf(result, 'contract-stubs')[0]?.message).toContain('read-only');
  });
});

describe('links', () => {
  const toLink = (target: string) => {
    const repository = new GitRepository();
    const from = repository.commit(base);
    repository.git('checkout', '-q', '-b', 'work');
    rmSync(join(repository.dir, 'src/a.ts'));
    symlinkSync(target, join(repository.dir, 'src/a.ts'));
    repository.git('add', '--all');
    repository.git('commit', '-q', '-m', 'link');
    return groundCommits(repository.dir, from, 'work');
  };

  test.each(['/tmp/a.ts', '../../a.ts', '../src/../../x', '..//..'])(
    'must not lead out of the repository: %s',
    async (target) => {
      const result = await toLink(target);
      expect(statusOf(result, 'links-inside')).toBe('fail');
    },
  );

  test('may lead to files and folders of the repository; elsewhere they are reported', async () => {
    expect(statusOf(await toLink('../README.md'), 'links-inside')).toBe('pass');
    expect(statusOf(await toLink('..'), 'links-inside')).toBe('pass');
    expect(statusOf(await toLink('../node_modules/x.js'), 'links-inside')).toBe('warn');
  });
});

describe('the scope', () => {
  const scope = (paths: string[], told: Parameters<typeof groundedValues>[2] = {}) =>
    statusOf(
      groundedValues(base, Object.fromEntries(paths.map((path) => [path, 'x\n'])), {
        declared: ['src/a.ts'],
        ...told,
      }),
      'declared-scope',
    );

  test('warns about one or two files outside it and fails for three', () => {
    expect(scope(['src/a.ts'])).toBe('pass');
    expect(scope(['x.md', 'y.md'])).toBe('warn');
    expect(scope(['x.md', 'y.md', 'z.md'])).toBe('fail');
    expect(scope(['x.md', 'y.md', 'z.md'], { policy: { undeclared: 3 } })).toBe('warn');
    expect(scope(['x.md', 'y.md', 'z.md'], { granted: ['z.md'] })).toBe('warn');
  });

  test('never includes a file of another unfinished task; for its tests it warns', () => {
    const others = [{ id: 'b', files: ['src/b.ts', 'src/b.test.ts'], isFinished: false }];
    expect(scope(['src/b.ts'], { others })).toBe('fail');
    expect(scope(['src/b.test.ts'], { others })).toBe('warn');
    expect(scope(['src/b.ts'], { others: others.map((task) => ({ ...task, isFinished: true })) })).toBe(
      'warn',
    );
  });

  test('includes the test of a declared file and the lock file of a declared manifest', () => {
    expect(scope(['src/a.test.ts'])).toBe('pass');
    expect(scope(['package-lock.json'], { declared: ['package.json'] })).toBe('pass');
    expect(scope(['package-lock.json'])).toBe('warn');
  });

  test('counts both ends of a renamed file', () => {
    const result = groundedValues(base, { 'src/a.ts': null, 'src/b.ts': code }, { declared: ['src/b.ts'] });
    expect(findingsOf(result, 'declared-scope').map(({ file }) => file)).toEqual(['src/a.ts']);
  });

  test('suggests what to do', () => {
    const [finding] = findingsOf(
      groundedValues(base, { 'x.md': 'x' }, { declared: ['src/a.ts'] }),
      'declared-scope',
    );
    expect(finding?.hint).toMatch(/revert.*amend.*reason.*blocked/);
  });
});

describe('a new source file', () => {
  const status = (files: Record<string, string>, told: Parameters<typeof groundedValues>[2] = {}) =>
    statusOf(groundedValues(base, files, told), 'tests-for-sources');

  test.each([
    ['src/widget.tsx', 'src/widget.test.tsx'],
    ['src/widget.tsx', 'src/widget.spec.ts'],
    ['src/hooks/use-auth.ts', 'src/hooks/__tests__/use-auth.test.ts'],
    ['src/hooks/use-auth.ts', 'test/hooks/use-auth.test.ts'],
    ['lib/server.js', 'test/server.js'],
    ['app/models/user.py', 'app/models/user_test.py'],
    ['app/models/user.py', 'app/models/test_user.py'],
    ['app/models/user.py', 'tests/test_user.py'],
    ['app/models/user.py', 'tests/models/test_user.py'],
    ['pkg/user.go', 'pkg/user_test.go'],
    ['src/main/java/a/User.java', 'src/test/java/a/UserTest.java'],
    ['lib/user.rb', 'spec/user_spec.rb'],
  ])('%s is tested by %s', (source, tests) => {
    const text = source.endsWith('.py') ? 'def f():\n    return 1\n' : code;
    const testText = tests.endsWith('.py')
      ? 'def test_f():\n    assert 1 == one()\n'
      : tests.endsWith('.go')
        ? 'func TestX(t *testing.T) {}\n'
        : tests.endsWith('.java')
          ? '@Test void works() { }\n'
          : tests.endsWith('.rb')
            ? "it 'works' do\nend\n"
            : testOf('x');
    expect(status({ [source]: text })).toBe('fail');
    expect(status({ [source]: text, [tests]: testText })).toBe('pass');
  });

  test.each([
    'src/vitest.config.ts',
    'src/types.ts',
    'src/a.d.ts',
    'db/migrations/1.py',
    'app/page.tsx',
    'src/x.css',
    'docs/x.md',
    'src/a.stories.tsx',
    'src/test/setup.ts',
  ])('%s needs none', (path) => expect(status({ [path]: code })).toBe('pass'));

  test('with nothing to run needs none', () => {
    expect(status({ 'src/user.ts': 'export interface User {\n  id: string;\n}\n' })).toBe('pass');
    expect(
      status({
        'src/doors.ts':
          'export interface Doors {\n  open(): void;\n  on: (x: string) => void;\n}\n\nexport type F = (a: { b: number }) => void;\n',
      }),
    ).toBe('pass');
    expect(status({ 'src/limits.ts': 'export const most = 5;\n' })).toBe('pass');
    expect(status({ 'app/__init__.py': '' })).toBe('pass');
    expect(status({ 'src/x.rs': 'fn f() {}\n#[test]\nfn t() {}\n' })).toBe('pass');
  });

  test('is not tested by a test of the same name elsewhere, or by a file without tests', () => {
    expect(status({ 'src/x/user.ts': code, 'src/y/user.test.ts': testOf('user') })).toBe('fail');
    expect(status({ 'src/user.ts': code, 'src/user.test.ts': "import './user.ts';\n" })).toBe('fail');
  });

  test('may be tested by another task', () => {
    const others = [{ id: 't', files: ['src/user.test.ts'], isFinished: false }];
    expect(status({ 'src/user.ts': code }, { others })).toBe('warn');
  });

  test('needs its test where the project says', () => {
    const policy = { testsFor: [{ source: 'src/{dir}/{name}.ts', tests: ['checks/{dir}/{name}.ts'] }] };
    expect(status({ 'src/a/user.ts': code, 'src/a/user.test.ts': testOf('user') }, { policy })).toBe('fail');
    expect(
      status({ 'src/a/user.ts': code, 'tests/x.ts': '', 'checks/a/user.ts': testOf('user') }, { policy }),
    ).toBe('fail');
    const tests = {
      ...policy,
      testsFor: [{ source: 'src/{dir}/{name}.ts', tests: ['tests/{dir}/{name}.ts'] }],
    };
    expect(status({ 'src/a/user.ts': code, 'tests/a/user.ts': testOf('user') }, { policy: tests })).toBe(
      'pass',
    );
    expect(status({ 'src/gen/user.ts': code }, { policy: { untested: ['src/gen/**'] } })).toBe('pass');
  });
});

describe('imports', () => {
  const files = {
    'src/a.ts':
      "import { b } from './b.ts';\nimport { gone } from './gone.ts';\n\nexport const a = () => b() + gone();\n",
    'src/b.ts': 'export function b() {\n  return 1;\n}\n\nexport function c() {\n  return 2;\n}\n',
    'src/user.ts': "import { c } from './b.ts';\n\nexport const user = c;\n",
    'app/__init__.py': '',
    'app/one.py': 'from app.two import two\n',
    'app/two.py': 'def two():\n    return 2\n',
  };
  const messages = async (changed: Record<string, string | null>) =>
    findingsOf(await grounded(files, changed), 'imports-resolve').map(({ message }) => message);

  test("that were already broken are not this branch's fault", async () => {
    expect(await messages({ 'src/a.ts': files['src/a.ts'].replace('+ gone', '- gone') })).toEqual([]);
  });

  test('that the change adds must resolve', async () => {
    expect(await messages({ 'src/user.ts': `import './nowhere.ts';\n${files['src/user.ts']}` })).toEqual([
      'src/user.ts: "./nowhere.ts" leads to no file',
    ]);
  });

  test('that the change breaks in other files are reported there', async () => {
    expect(await messages({ 'src/b.ts': 'export function b() {\n  return 1;\n}\n' })).toEqual([
      'src/user.ts: src/b.ts has no c',
    ]);
    expect((await messages({ 'src/b.ts': null })).sort()).toEqual([
      'src/a.ts: "./b.ts" leads to no file',
      'src/user.ts: "./b.ts" leads to no file',
    ]);
    expect(await messages({ 'app/two.py': null })).toEqual(['app/one.py: "app.two" leads to no file']);
  });

  test('of a file that does not parse are unknown, not fine', async () => {
    const result = await grounded(files, { 'src/user.ts': 'import { from ;;\n' });
    expect(statusOf(result, 'imports-resolve')).toBe('inconclusive');
    expect(result.status).toBe('inconclusive');
    expect(result.inconclusive[0]?.file).toBe('src/user.ts');
  });

  test('of a changed test show what it tests', async () => {
    const result = await grounded(files, {
      'src/deep/new.ts': code,
      'test/everything.test.ts':
        "import { f } from '../src/deep/new.ts';\n\ntest('f', () => {\n  expect(f()).toBe(1);\n});\n",
    });
    expect(statusOf(result, 'tests-for-sources')).toBe('pass');
  });
});

describe('severities', () => {
  test('come from the policy of the base', () => {
    const gateRuns = { passed: 0, failed: 0 };
    const status = (checks: object) =>
      statusOf(groundedValues(base, { 'README.md': 'x' }, { gateRuns, policy: { checks } }), 'gate-evidence');
    expect(status({})).toBe('warn');
    expect(status({ 'gate-evidence': 'blocking' })).toBe('fail');
    expect(status({ 'gate-evidence': 'off' })).toBe('skipped');
  });

  test('of criteria follow from their results', () => {
    const criterion = { text: 'it works', verifyBy: 'test' } as const;
    const status = (found: 'met' | 'unmet' | 'unverified' | 'inconclusive') =>
      statusOf(
        groundedValues(base, { 'README.md': 'x' }, { criteria: [{ criterion, status: found, detail: '' }] }),
        'acceptance',
      );
    expect([status('met'), status('unmet'), status('unverified'), status('inconclusive')]).toEqual([
      'pass',
      'fail',
      'warn',
      'inconclusive',
    ]);
  });
});

describe('changed lines', () => {
  test('are the full difference between two texts, in any order', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { added, removed } = changedLines(
          before.map((line) => `${line}\n`).join(''),
          after.map((line) => `${line}\n`).join(''),
        );
        const rest: string[] = [...before];
        for (const { text, line } of removed) {
          expect(before[line - 1]).toBe(text);
          rest.splice(rest.indexOf(text), 1);
        }
        for (const { text, line } of added) expect(after[line - 1]).toBe(text);
        expect([...rest, ...added.map(({ text }) => text)].sort()).toEqual([...after].sort());
      }),
      sample('changed lines add up', { normal: 300, soak: 20_000 }),
    );
  });
});
