import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evidenceOf, guide, Project, tested } from '../support/gates-project.ts';
import { fingerprint } from '../support/git-repository.ts';
import { temporaryFolder } from '../support/joinery.ts';

describe('joinery gates', () => {
  test('runs lint and type check by default, tests with --full, and prints its lines on stderr and its verdict on stdout', async () => {
    const project = tested();
    const fast = await project.run(['gates']);
    expect(fast).toMatchObject({ code: 0, stdout: 'All gates passed.\n' });
    expect(fast.stderr).toMatch(
      /^Quality Gates: fast, from AGENTS.md in [0-9a-f]{12}\n {2}✓ {2}lint {2}node --check run.js .*\n {2}ran not contained .*\n$/,
    );
    const full = await project.gates('--full');
    expect(full).toMatchObject({ code: 0, status: 'pass', mode: 'full', file: 'AGENTS.md', task: null });
    expect(full.gates.map(({ gate, status, reason }) => [gate.id, status, reason])).toEqual([
      ['lint', 'pass', ''],
      ['test', 'pass', '1 passed'],
    ]);
  });

  test('cannot be changed from the worktree', async () => {
    const project = tested();
    project.git('checkout', '-q', '-b', 'work');
    project.commit({
      'AGENTS.md': guide('- lint: `exit 0`', '- test: `exit 0`'),
      'tests.txt': 'adds fail\n',
    });
    project.write({ 'joinery.json': '{"gates":{"commands":[{"kind":"test","run":"true"}]}}' });
    const { code, gates } = await project.gates('--full');
    expect(code).toBe(1);
    expect(gates.map(({ gate }) => gate.command)).toEqual(['node --check run.js', 'node run.js']);
    expect(gates[1]).toMatchObject({ status: 'fail', newFailures: ['a.test.ts > adds'] });
  });

  test('warns if the default branch was moved onto the work', async () => {
    const project = tested();
    const main = project.git('symbolic-ref', '--short', 'HEAD');
    expect((await project.run(['gates'])).stderr).not.toMatch(/warning/);
    project.git('checkout', '-q', '-b', 'work');
    project.commit({ 'AGENTS.md': guide('- lint: `echo fine`') });
    project.git('branch', '-f', main, 'HEAD');
    const { stderr } = await project.run(['gates']);
    expect(stderr).toMatch(
      /^warning: .* holds all commits of this branch: they are judged by their own gates/,
    );
  });

  test('counts only new failures, and runs the base once', async () => {
    const project = tested();
    project.commit({ 'tests.txt': 'adds pass\nold fail\n' });
    project.git('checkout', '-q', '-b', 'work');
    project.commit({ 'tests.txt': 'adds pass\nold fail\nmore pass\n' });
    const passing = await project.gates('--full');
    expect(passing).toMatchObject({ code: 0, status: 'pass' });
    expect(passing.gates[1]).toMatchObject({
      status: 'pass',
      knownFailures: ['a.test.ts > old'],
      newFailures: [],
    });
    project.write({ 'tests.txt': 'adds fail\nold fail\nmore pass\n' });
    const failing = await project.gates('--full');
    expect(failing.code).toBe(1);
    expect(failing.gates[1]).toMatchObject({
      newFailures: ['a.test.ts > adds'],
      knownFailures: ['a.test.ts > old'],
    });
    const runs = evidenceOf(project).filter(({ claim }) => claim === 'test');
    // One on the base; one that passed; one that failed and two repetitions.
    expect(runs).toHaveLength(5);
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('understands a real runner', async () => {
    const suite = (expected: number) => `
      const { describe, it } = require('node:test');
      const assert = require('node:assert');
      const add = require('./add.cjs');
      describe('add', () => {
        it('adds', () => assert.equal(add(1, 1), 2));
        it('is wrong from the beginning', () => assert.equal(add(1, 1), ${expected}));
      });`;
    const project = new Project({
      'AGENTS.md': guide('- test: `node --test`'),
      'add.cjs': 'module.exports = (a, b) => a + b;\n',
      'add.test.cjs': suite(3),
    });
    project.git('checkout', '-q', '-b', 'work');
    const known = await project.gates('--full');
    expect(known.gates[0]).toMatchObject({
      status: 'pass',
      reason: '1 passed, 1 failed; 1 fail on the base commit too',
    });
    project.write({ 'add.cjs': 'module.exports = (a, b) => a - b;\n' });
    const broken = await project.gates('--full');
    expect(broken.code).toBe(1);
    // Node 20 names the suite, later versions the file.
    expect(broken.gates[0]?.newFailures).toEqual([expect.stringMatching(/^add(\.test\.cjs)? > adds$/)]);
  });

  test('give programs only the variables of the list, and other values they find are in no log', async () => {
    const tell =
      "console.log('own:', process.env.MY_TOKEN, ['sekrit', 'value', '123'].join('-')); process.exit(1);";
    const project = new Project({ 'AGENTS.md': guide('- lint: `node tell.js`'), 'tell.js': tell });
    const { stderr } = await project.run(['gates', '--full'], { MY_TOKEN: 'sekrit-value-123' });
    expect(stderr).toContain('own: undefined [MY_TOKEN]');
    const logs = readdirSync(project.state, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('-lint.log'),
    );
    expect(logs).toHaveLength(1);
    expect(readFileSync(join(project.state, logs[0] ?? ''), 'utf8')).toBe('own: undefined [MY_TOKEN]\n');
  });

  test('names a flaky test and does not accept it as proof', async () => {
    const project = tested();
    project.git('checkout', '-q', '-b', 'work');
    project.write({ 'tests.txt': 'adds pass\nshaky flaky\n' });
    const mark = join(temporaryFolder(), 'mark');
    const { code, stderr } = await project.run(['gates', '--full'], { FLAKY_MARK: mark });
    expect(stderr).toMatch(
      /\? {2}test .*\n.*1 flaky, which proves nothing either way; 1 never failed on the base commit\n {6}flaky: a.test.ts > shaky/,
    );
    expect(code).toBe(2);
  });

  test('excuses a test that is also flaky on the base commit', async () => {
    const project = new Project({
      'AGENTS.md': guide('- test: `node run.js`'),
      'tests.txt': 'adds pass\nshaky flaky\n',
    });
    project.git('checkout', '-q', '-b', 'work');
    project.write({ 'new.txt': 'x' });
    // Every other run fails: the first, then not the base, then one repetition, not the other, and the base at last.
    const env = { FLAKY_MARK: join(temporaryFolder(), 'mark'), FLAKY_AGAIN: '1' };
    const { code, stderr } = await project.run(['gates', '--full'], env);
    expect(stderr).toMatch(
      /! {2}test .*\n.*1 flaky, which proves nothing either way; so on the base commit\n/,
    );
    expect(code).toBe(0);
  });

  test('wraps long lines on a narrow terminal, but not those of a log', async () => {
    const title = 'a rather long title that no narrow terminal has room for';
    const failing = `console.log(' FAIL  a.test.ts > ${title}\\n      Tests  1 failed (1)'); process.exit(1);\n`;
    const project = new Project({
      'AGENTS.md': guide('- test: `node fail.js`'),
      'fail.js': 'console.log("1 passed");\n',
    });
    project.git('checkout', '-q', '-b', 'work');
    project.write({ 'fail.js': failing });
    const { stderr } = await project.run(['gates', '--full'], { COLUMNS: '50' });
    expect(stderr).toContain(
      '      new failure: a.test.ts > a rather long title\n                   that no narrow terminal has\n',
    );
    expect(stderr).toContain(`      │  FAIL  a.test.ts > ${title}\n`);
  });

  test('treats tests of a renamed suite as the same tests, if an output joins both titles', async () => {
    // As mocha's TAP reporter writes it.
    const mocha = `let suite = '', n = 0;
      globalThis.describe = (title, body) => { suite = title; body(); };
      globalThis.it = (title, body) => { body(); console.log('ok ' + ++n + ' ' + suite + ' ' + title); };
      require('./add.test.cjs');
      console.log('# tests ' + n + '\\n# pass ' + n + '\\n# fail 0\\n1..' + n);\n`;
    const suite = (title: string, tests: string) => `describe('${title}', () => {\n${tests}});\n`;
    const adds = "it('adds', () => { if (1 + 1 !== 2) throw new Error('no'); });\n";
    const more = "it('adds more', () => { if (1 + 2 !== 3) throw new Error('no'); });\n";
    const project = new Project({
      'AGENTS.md': guide('- test: `node mocha.cjs`'),
      'mocha.cjs': mocha,
      'add.test.cjs': suite('cart', adds + more),
    });
    project.git('checkout', '-q', '-b', 'work');
    project.write({ 'add.test.cjs': suite('basket', adds + more) });
    const renamed = await project.gates('--full');
    expect(renamed.gates[0]).toMatchObject({ status: 'pass', reason: '2 passed' });
    project.write({
      'add.test.cjs': suite('basket', `${adds}it('is new', () => {});\nif (!process.env.CI) ${more}`),
    });
    const lost = await project.gates('--full');
    expect(lost.gates[0]).toMatchObject({
      status: 'fail',
      reason: expect.stringContaining('cart adds more'),
    });
  });

  test.each<[string, Readonly<Record<string, string>>, object]>([
    [
      'by a source that ends the process',
      { 'add.cjs': 'process.exit(0);\nmodule.exports = (a, b) => a + b;\n' },
      { status: 'fail', reason: expect.stringMatching(/ran on the base commit did not run/) },
    ],
    [
      'on a condition, behind another that is new',
      {
        'add.test.cjs': `const { it } = require('node:test');
          const assert = require('node:assert');
          const add = require('./add.cjs');
          it('adds', () => assert.equal(add(1, 1), 2));
          it('is new', () => assert.equal(add(2, 1), 3));
          if (!process.env.CI) it('adds more', () => assert.equal(add(1, 2), 3));\n`,
      },
      {
        status: 'fail',
        reason: expect.stringMatching(/1 that ran on the base commit did not run: .*adds more/),
      },
    ],
    [
      'because they were taken out',
      {
        'add.test.cjs': `const { it } = require('node:test');
          const assert = require('node:assert');
          const add = require('./add.cjs');
          it('adds', () => assert.equal(add(1, 1), 2));\n`,
      },
      {
        status: 'warn',
        reason: expect.stringMatching(/1 fewer than on the base commit, taken out by the change/),
      },
    ],
  ])('notices in a green suite that tests no longer run: %s', async (_name, change, expected) => {
    const project = new Project({
      'AGENTS.md': guide('- test: `node --test`'),
      'add.cjs': 'module.exports = (a, b) => a + b;\n',
      'add.test.cjs': `const { it } = require('node:test');
          const assert = require('node:assert');
          const add = require('./add.cjs');
          it('adds', () => assert.equal(add(1, 1), 2));
          it('adds more', () => assert.equal(add(1, 2), 3));\n`,
    });
    project.git('checkout', '-q', '-b', 'work');
    project.write(change);
    const { gates } = await project.gates('--full');
    expect(gates[0]).toMatchObject(expected);
  });

  test('does not accept a suite without tests, or without counts, as a success', async () => {
    const project = tested();
    project.write({ 'tests.txt': '' });
    expect(await project.gates('--full')).toMatchObject({ code: 1, status: 'fail' });
    const mute = new Project({ 'AGENTS.md': guide('- test: `echo all good`') });
    const report = await mute.gates('--full');
    expect(report).toMatchObject({ code: 2, status: 'inconclusive' });
    expect(report.gates[0]?.reason).toMatch(/does not say how many tests ran/);
  });

  test('runs the subsystem that was touched, and gates without a subsystem', async () => {
    const project = new Project({
      'AGENTS.md': guide(
        '- typecheck: `echo t`',
        '### Frontend',
        '- lint: `echo f`',
        '### Backend',
        '- lint: `echo b`',
      ),
    });
    const ids = async () => (await project.gates()).gates.map(({ gate }) => gate.id);
    expect(await ids()).toEqual(['frontend/lint', 'backend/lint', 'typecheck']);
    project.write({ 'src/backend/a.py': 'x = 1\n' });
    expect(await ids()).toEqual(['backend/lint', 'typecheck']);
  });

  test('shows both ends of a long log and keeps all of it', async () => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `seq 1 1000; exit 3`') });
    const { code, stderr } = await project.run(['gates']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /exit code 3\n {6}│ 1\n[\s\S]*│ 10\n {6}│ … 980 lines …\n {6}│ 991\n[\s\S]*│ 1000\n/,
    );
    const log = /log: (.*)/.exec(stderr)?.[1] ?? '';
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(1001);
  });

  test('finds tools of the project, and reports what it cannot run', async () => {
    const project = new Project({
      'AGENTS.md': guide('- lint: `our-linter`', '- typecheck: `no-such-program`'),
    });
    project.write({ 'node_modules/.bin/our-linter': '#!/bin/sh\necho fine\n' });
    chmodSync(join(project.dir, 'node_modules/.bin/our-linter'), 0o755);
    const { gates } = await project.gates();
    expect(gates.map(({ status }) => status)).toEqual(['pass', 'fail']);
    expect(gates[1]?.reason).toMatch(/exit code 127/);
  });

  test('reports changed files that do not parse, except those that never did', async () => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `echo fine`'), 'old.ts': 'const = ;\n' });
    project.write({ 'old.ts': 'const = 1;\n', 'src/new.ts': 'export const a = ;\n', 'b.json': '{"a": }' });
    const { code, syntax, gates } = await project.gates();
    expect(code).toBe(1);
    expect(syntax).toMatchObject({ status: 'fail', files: 3 });
    expect(syntax.errors.map(({ file }) => file)).toEqual(['b.json', 'src/new.ts']);
    expect(gates[0]?.status).toBe('pass');
    const { stderr, stdout } = await project.run(['gates']);
    expect(stderr).toMatch(/✗ {2}syntax {2}3 changed files\n {6}b.json:1: .*\n {6}src\/new.ts:1: .*\n/);
    expect(stdout).toBe('Changed files do not parse.\n');
  });

  test('prints JUnit', async () => {
    const project = new Project({
      'AGENTS.md': guide('- lint: `echo "a < b"; exit 1`', '- typecheck: `echo ok`'),
    });
    const { code, stdout, stderr } = await project.run(['gates', '--format', 'junit']);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/<testsuites name="joinery gates [0-9a-f]{12}" tests="2" failures="1"/);
    expect(stdout).toContain('a &lt; b');
  });

  test.each([
    [
      'no gates',
      {},
      ['gates'],
      /defines no gates, and no manifest says how it is tested\. Next: write a section/,
    ],
    [
      'an unreadable section',
      { 'AGENTS.md': guide('- smoke: x') },
      ['gates'],
      /AGENTS.md:5: "smoke" may be a gate or a remark/,
    ],
    ['both modes', { 'AGENTS.md': guide('- lint: x') }, ['gates', '--fast', '--full'], /exclude each other/],
    [
      'a task without a run',
      { 'AGENTS.md': guide('- lint: x') },
      ['gates', '--task', 'a'],
      /no runs.*Next: .*joinery gates/,
    ],
    [
      'a worktree that is not there',
      { 'AGENTS.md': guide('- lint: x') },
      ['gates', '--worktree', 'no'],
      /no folder/,
    ],
    [
      'an unknown base',
      { 'AGENTS.md': guide('- lint: x') },
      ['gates', '--base', 'no'],
      /no commit named "no"/,
    ],
  ])('refuses %s', async (_name, files, args, message) => {
    const { code, stderr, stdout } = await new Project(files as Record<string, string>).run(args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('leaves the checkout and the repository unchanged', async () => {
    const project = tested();
    project.commit({ 'tests.txt': 'adds pass\nold fail\n' });
    project.write({ 'tests.txt': 'adds fail\nold fail\n', 'new.txt': 'x' });
    const before = fingerprint(project.dir);
    expect((await project.gates('--full')).code).toBe(1);
    expect(fingerprint(project.dir)).toEqual(before);
  });
});

test('a project without written gates is tested as its manifest says; what else says so is listed, CI only quoted', async () => {
  const project = new Project({
    'package.json': '{"scripts":{"test":"node run.js"}}',
    Makefile: 'test:\n\tnode run.js\n',
    '.github/workflows/ci.yml': 'jobs:\n  t:\n    steps:\n      - run: npm test -- --everything\n',
  });
  const { code, gates, sources } = await project.gates('--full');
  expect({ code, ran: gates.map(({ gate, status }) => [gate.command, gate.origin, status]) }).toEqual({
    code: 0,
    ran: [['npm test', 'package.json', 'pass']],
  });
  expect(sources).toEqual([
    { origin: 'package.json', command: 'npm test', use: 'chosen' },
    { origin: 'Makefile', command: 'make test', use: 'other' },
    { origin: '.github/workflows/ci.yml:4', command: 'npm test -- --everything', use: 'proposal' },
  ]);
  const shown = await project.run(['gates', '--full']);
  expect(shown.stderr).toContain('from package.json in');
  expect(shown.stderr).toContain('only quoted: npm test -- --everything (.github/workflows/ci.yml:4)');
});
