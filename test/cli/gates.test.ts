import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EvidenceCheckReport, EvidenceRunReport, GatesReport } from '#schema/gates.ts';
import { RunReport } from '#schema/run.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { executable, joinery, type Outcome, temporaryFolder } from '../support/joinery.ts';

const guide = (...lines: string[]) => `# Guide\n\n## Quality Gates\n\n${lines.join('\n')}\n`;

/** A runner that prints what vitest would, from a file with a line per test: `name pass` or `name fail`. */
const runner = `
const lines = require('node:fs').readFileSync('tests.txt', 'utf8').trim().split('\\n').filter(Boolean);
const tests = lines.map((line) => line.split(' '));
const failed = tests.filter(([, how]) => how === 'fail' || (how === 'flaky' && once()));
function once() {
  const mark = process.env.FLAKY_MARK;
  const isMarked = require('node:fs').existsSync(mark);
  if (isMarked && process.env.FLAKY_AGAIN) require('node:fs').rmSync(mark);
  else require('node:fs').writeFileSync(mark, '');
  return !isMarked;
}
for (const [name] of failed) console.log(' FAIL  a.test.ts > ' + name);
const passed = tests.length - failed.length;
if (tests.length === 0) console.log('No test files found, exiting with code 0');
else console.log('      Tests  ' + (failed.length ? failed.length + ' failed | ' : '') + passed + ' passed (' + tests.length + ')');
process.exit(failed.length ? 1 : 0);
`;

class Project extends GitRepository {
  readonly state = temporaryFolder();

  constructor(files: Readonly<Record<string, string>>) {
    super();
    this.commit({ '.gitignore': 'ignored/\n', 'run.js': runner, 'tests.txt': 'adds pass\n', ...files });
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const own = { JOINERY_STATE_DIR: this.state, JOINERY_CACHE_DIR: this.state, LC_ALL: 'C.UTF-8' };
    return joinery(args, { cwd: this.dir, env: { ...own, ...env } });
  }

  async gates(...args: string[]): Promise<GatesReport & { code: number | null }> {
    const { code, stdout } = await this.run(['gates', '--json', ...args]);
    return { ...GatesReport.parse(JSON.parse(stdout)), code };
  }
}

const tested = () =>
  new Project({ 'AGENTS.md': guide('- lint: `node --check run.js`', '- test: `node run.js`') });

describe('joinery gates', () => {
  it('runs lint and type check by default, tests with --full, and speaks on stderr', async () => {
    const project = tested();
    const fast = await project.run(['gates']);
    expect(fast).toMatchObject({ code: 0, stdout: '' });
    expect(fast.stderr).toMatch(
      /^Quality Gates: fast, from AGENTS.md in [0-9a-f]{12}\n {2}✓ {2}lint {2}node --check run.js .*\nAll gates passed.\n$/,
    );
    const full = await project.gates('--full');
    expect(full).toMatchObject({ code: 0, status: 'pass', mode: 'full', file: 'AGENTS.md', task: null });
    expect(full.gates.map(({ gate, status, reason }) => [gate.id, status, reason])).toEqual([
      ['lint', 'pass', ''],
      ['test', 'pass', '1 passed'],
    ]);
  });

  it('cannot be changed from the worktree', async () => {
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

  it('says when the default branch was moved onto the work', async () => {
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

  it('counts new failures only, and runs the base once', async () => {
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

  it('understands a real runner', async () => {
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
    expect(broken.gates[0]?.newFailures).toEqual(['add.test.cjs > adds']);
  });

  it('names a flaky test and takes it for no proof', async () => {
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

  it('lets a test be flaky that is so on the base commit', async () => {
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

  it('breaks long lines where a terminal is narrow, but not those of a log', async () => {
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

  it('takes tests of a renamed suite for the same tests, where an output puts both into one title', async () => {
    // As the TAP reporter of mocha writes it.
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

  it.each<[string, Readonly<Record<string, string>>, object]>([
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
  ])('sees in a green suite that tests do not run any more: %s', async (_name, change, expected) => {
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

  it('does not take a suite without tests, or without counts, for a success', async () => {
    const project = tested();
    project.write({ 'tests.txt': '' });
    expect(await project.gates('--full')).toMatchObject({ code: 1, status: 'fail' });
    const mute = new Project({ 'AGENTS.md': guide('- test: `echo all good`') });
    const report = await mute.gates('--full');
    expect(report).toMatchObject({ code: 2, status: 'inconclusive' });
    expect(report.gates[0]?.reason).toMatch(/does not say how many tests ran/);
  });

  it('runs the subsystem that was touched, and what belongs to none', async () => {
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

  it('shows both ends of a long log and keeps all of it', async () => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `seq 1 1000; exit 3`') });
    const { code, stderr } = await project.run(['gates']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /exit code 3\n {6}│ 1\n[\s\S]*│ 10\n {6}│ … 980 lines …\n {6}│ 991\n[\s\S]*│ 1000\n/,
    );
    const log = /log: (.*)/.exec(stderr)?.[1] ?? '';
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(1001);
  });

  it('finds tools of the project, and tells what it cannot run', async () => {
    const project = new Project({
      'AGENTS.md': guide('- lint: `our-linter`', '- typecheck: `no-such-program`'),
    });
    project.write({ 'node_modules/.bin/our-linter': '#!/bin/sh\necho fine\n' });
    chmodSync(join(project.dir, 'node_modules/.bin/our-linter'), 0o755);
    const { gates } = await project.gates();
    expect(gates.map(({ status }) => status)).toEqual(['pass', 'fail']);
    expect(gates[1]?.reason).toMatch(/exit code 127/);
  });

  it('finds changed files that do not parse, and leaves those alone that never did', async () => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `echo fine`'), 'old.ts': 'const = ;\n' });
    project.write({ 'old.ts': 'const = 1;\n', 'src/new.ts': 'export const a = ;\n', 'b.json': '{"a": }' });
    const { code, syntax, gates } = await project.gates();
    expect(code).toBe(1);
    expect(syntax).toMatchObject({ status: 'fail', files: 3 });
    expect(syntax.errors.map(({ file }) => file)).toEqual(['b.json', 'src/new.ts']);
    expect(gates[0]?.status).toBe('pass');
    const { stderr } = await project.run(['gates']);
    expect(stderr).toMatch(
      /✗ {2}syntax {2}3 changed files\n {6}b.json:1: .*\n {6}src\/new.ts:1: .*\n[\s\S]*Changed files do not parse\.\n$/,
    );
  });

  it('prints JUnit', async () => {
    const project = new Project({
      'AGENTS.md': guide('- lint: `echo "a < b"; exit 1`', '- typecheck: `echo ok`'),
    });
    const { code, stdout, stderr } = await project.run(['gates', '--format', 'junit']);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/<testsuites name="joinery gates [0-9a-f]{12}" tests="2" failures="1"/);
    expect(stdout).toContain('a &lt; b');
  });

  it.each([
    ['no gates', {}, ['gates'], /defines no gates\. Next: write a section/],
    [
      'a section nobody understands',
      { 'AGENTS.md': guide('- tests: x') },
      ['gates'],
      /AGENTS.md:5: there is no gate "tests"/,
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

  it('leaves the checkout and the repository as they were', async () => {
    const project = tested();
    project.commit({ 'tests.txt': 'adds pass\nold fail\n' });
    project.write({ 'tests.txt': 'adds fail\nold fail\n', 'new.txt': 'x' });
    const before = fingerprint(project.dir);
    expect((await project.gates('--full')).code).toBe(1);
    expect(fingerprint(project.dir)).toEqual(before);
  });
});

function evidenceOf(project: Project): { claim: string; task: string | null }[] {
  return evidenceFiles(project.state).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { claim: string; task: string | null }),
  );
}

function evidenceFiles(state: string): string[] {
  return readdirSync(state)
    .map((name) => join(state, name, 'evidence', 'evidence.jsonl'))
    .filter((file) => existsSync(file));
}

describe('joinery gates in a sandbox', () => {
  it('does without the state folder, says so, and counts every failure when it cannot try the base', async () => {
    const project = tested();
    project.git('checkout', '-q', '-b', 'work');
    project.write({ 'tests.txt': 'adds fail\n' });
    const cache = temporaryFolder();
    // Nobody may make a folder there, not even the superuser.
    const env = { JOINERY_STATE_DIR: '/sys/joinery', XDG_CACHE_HOME: cache };
    const { code, stderr } = await project.run(['gates', '--full'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^warning: \/sys\/joinery\S* cannot be written here: .* kept in \S*joinery-evidence/,
    );
    expect(stderr).toMatch(/new failure: a.test.ts > adds/);
    expect(readdirSync(join(cache, 'joinery-evidence'))).toHaveLength(1);
  });

  it('knows its task from what the run wrote down', async () => {
    const project = tested();
    const base = project.git('rev-parse', 'HEAD');
    const work = join(temporaryFolder(), 'work.json');
    const worktree = realpathSync(project.dir);
    const known = { v: 1, run: 'r1', task: 'a', attempt: 2, worktree, rules: base, base, declared: [] };
    writeFileSync(work, JSON.stringify(known));
    const { stdout } = await project.run(['gates', '--json'], { JOINERY_WORK: work });
    expect(GatesReport.parse(JSON.parse(stdout))).toMatchObject({ run: 'r1', task: 'a', status: 'pass' });
    const { code } = await project.run(['gates', '--task', 'b'], { JOINERY_WORK: work });
    expect(code).toBe(3);
  });
});

describe('joinery gates in a run', () => {
  /** The words that start a crew of one, which edits `tests.txt` and goes on as it is told. */
  function crewOf(more: readonly object[]): string[] {
    const outside = temporaryFolder();
    const file = (name: string, content: object) => {
      writeFileSync(join(outside, name), JSON.stringify(content));
      return join(outside, name);
    };
    const tasks = [{ id: 'a', title: 'A', files: ['tests.txt'] }];
    const edit = { write: { path: 'tests.txt', content: 'adds pass\nmore pass\n' } };
    const attempts = [{ task: 'a', do: [edit, ...more] }];
    const plan = file('plan.json', { schema: 'joinery/plan@1', tasks });
    const scenario = file('scenario.json', { schema: 'joinery/scenario@1', attempts });
    return ['run', '--plan', plan, '--scenario', scenario];
  }

  it('finds joinery under its name, and its report lists every claim with the evidence', async () => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `joinery version`', '- test: `node run.js`') });
    const { code, stdout } = await project.run([...crewOf([]), '--json']);
    expect(code).toBe(0);
    const { tasks } = RunReport.parse(JSON.parse(stdout));
    expect(tasks[0]?.claims).toMatchObject([
      { claim: 'lint', command: 'joinery version', status: 'pass', evidence: expect.any(String) },
      { claim: 'test', command: 'node run.js', status: 'pass', tests: { passed: 2, failed: 0, skipped: 0 } },
    ]);
  });

  it('finds the task by its worktree, by its name, and grounds its work before a full run', async () => {
    const project = tested();
    const env = { JOINERY_STATE_DIR: project.state, JOINERY_CACHE_DIR: project.state };
    const crew = spawn(
      process.execPath,
      [executable, ...crewOf([{ say: 'at work' }, { sleepMs: 600_000 }])],
      {
        cwd: project.dir,
        env: { ...process.env, ...env },
        stdio: 'ignore',
      },
    );
    const over = new Promise((resolve) => crew.once('exit', resolve));
    try {
      const worktree = await expect
        .poll(() => worktreeOf(project.state, 'a'), { timeout: 60_000, interval: 100 })
        .not.toBeNull()
        .then(() => worktreeOf(project.state, 'a') ?? '');
      await expect
        .poll(() => readFileSync(join(worktree, 'tests.txt'), 'utf8'), { timeout: 60_000, interval: 100 })
        .toContain('more');
      const call = async (cwd: string, ...args: string[]) => {
        const { code, stdout } = await joinery(['gates', '--json', ...args], { cwd, env });
        return { ...GatesReport.parse(JSON.parse(stdout)), code };
      };
      const fast = await call(worktree);
      expect(fast).toMatchObject({ code: 0, task: 'a', mode: 'fast', ground: null, worktree });
      const full = await call(project.dir, '--task', 'a', '--full');
      expect(full).toMatchObject({ task: 'a', run: fast.run, worktree, ground: { status: 'pass' } });
      expect(full.gates.map(({ gate, status }) => [gate.id, status])).toContainEqual(['test', 'pass']);
      writeFileSync(join(worktree, 'AGENTS.md'), guide('- test: `exit 0`'));
      const tampered = await call(worktree, '--full');
      expect(tampered).toMatchObject({ code: 1, status: 'fail', ground: { status: 'fail' }, gates: [] });
      expect(tampered.ground?.findings.map(({ check }) => check)).toContain('gate-tampering');
      const unknown = await joinery(['gates', '--task', 'b'], { cwd: worktree, env });
      expect(unknown).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/has no task b.*its tasks: a/),
      });
    } finally {
      crew.kill('SIGINT');
      await over;
    }
    const recorded = evidenceOf(project).filter(({ task }) => task === 'a');
    expect(recorded.map(({ claim }) => claim)).toEqual(['lint', 'lint', 'test']);
  }, 180_000);
});

function worktreeOf(state: string, slug: string): string | null {
  const found = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((path) =>
    new RegExp(`^[^/]+/worktrees/[^/]+/[^/]+/${slug}/tests\\.txt$`).test(path),
  );
  return found === undefined ? null : join(realpathSync(state), dirname(found));
}

describe('joinery evidence', () => {
  it('check takes its text from stdin, and says so when it gets it otherwise', async () => {
    const { code, stderr } = await tested().run(['evidence', 'check', 'All tests pass']);
    expect(code).toBe(3);
    expect(stderr).toContain('| joinery evidence check');
  });

  const record = async (project: Project, ...args: string[]) => {
    const { code, stdout } = await project.run(['evidence', 'run', '--json', ...args]);
    return { ...EvidenceRunReport.parse(JSON.parse(stdout)), code };
  };
  const check = async (project: Project, ...args: string[]) => {
    const { code, stdout } = await project.run(['evidence', 'check', '--json', ...args]);
    const { claims, status } = EvidenceCheckReport.parse(JSON.parse(stdout));
    return { code, status, reasons: claims.map(({ reason }) => reason) };
  };

  it('proves a claim for these very files and no others', async () => {
    const project = new Project({});
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['missing'] });
    const { code, evidence } = await record(project, '--claim', 'test', '--', 'node', 'run.js');
    expect(code).toBe(0);
    expect(evidence).toMatchObject({
      command: 'node run.js',
      exitCode: 0,
      tests: { passed: 1 },
      tools: { node: process.versions.node },
    });
    expect(evidence.tree).toBe(project.git('rev-parse', 'HEAD^{tree}'));
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0, reasons: [null] });
    project.write({ 'ignored/x': 'x' });
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0 });
    project.write({ 'new.txt': 'x' });
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['stale'] });
    project.write({ 'new.txt': null });
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0 });
  });

  it('is not fooled by commands that show nothing, fail, or run no test', async () => {
    const project = new Project({});
    const reasonOf = async (...args: string[]) => (await record(project, ...args)).reason;
    expect(await reasonOf('--claim', 'test', '--', 'echo', 'All tests passed!')).toBe('no-counts');
    expect(await reasonOf('--claim', 'build', '--', 'true')).toBe('empty-log');
    expect(await reasonOf('--claim', 'build', '--', 'sh', '-c', 'echo error TS1005: x')).toBe(
      'failure-marker',
    );
    expect(await reasonOf('--claim', 'test', '--', 'no-such-program')).toBe('not-finished');
    expect(await reasonOf('--claim', 'test', '--timeout', '1', '--', 'sleep', '60')).toBe('not-finished');
    project.write({ 'tests.txt': '' });
    expect(await reasonOf('--claim', 'test', '--', 'node', 'run.js')).toBe('no-tests');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['no-tests'] });
  });

  it('holds a text to its words', async () => {
    const project = new Project({});
    await record(project, '--claim', 'test', '--', 'node', 'run.js');
    const notes = (text: string) => project.write({ 'ignored/notes.md': text });
    notes('Done. All tests pass!');
    expect(await check(project, '--notes', 'ignored/notes.md')).toMatchObject({
      code: 1,
      reasons: ['no-count-claimed'],
    });
    notes('Done. 12 tests passed.');
    expect(await check(project, '--notes', 'ignored/notes.md')).toMatchObject({
      code: 1,
      reasons: ['wrong-count'],
    });
    notes('Done. 1 test passed, the build succeeds.');
    expect((await check(project, '--notes', 'ignored/notes.md')).reasons.toSorted()).toEqual([
      'missing',
      null,
    ]);
    notes('I wrote a parser.');
    const { code, stderr } = await project.run(['evidence', 'check', '--notes', 'ignored/notes.md']);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/claims nothing/) });
  });

  it('accepts only the gates where there are gates', async () => {
    const project = tested();
    await record(project, '--claim', 'test', '--', 'echo', '5 passed');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['other-command'] });
    await project.gates('--full');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0, reasons: [null] });
  });

  it('refuses a log that was changed afterwards', async () => {
    const project = new Project({});
    const { evidence } = await record(project, '--claim', 'test', '--', 'node', 'run.js');
    appendFileSync(evidence.log.file, 'more');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['changed-log'] });
  });
});
