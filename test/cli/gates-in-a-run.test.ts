import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatesReport } from '#schema/gates.ts';
import { RunReport } from '#schema/run.ts';
import { evidenceOf, guide, Project, tested } from '../support/gates-project.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';

describe('joinery gates in a sandbox', () => {
  test('works without the state folder, says so, and counts every failure if the base cannot be run', async () => {
    const project = tested();
    project.git('checkout', '-q', '-b', 'work');
    project.write({ 'tests.txt': 'adds fail\n' });
    const cache = temporaryFolder();
    // No user may create a folder there, not even root.
    const env = { JOINERY_STATE_DIR: '/sys/joinery', XDG_CACHE_HOME: cache };
    const { code, stderr } = await project.run(['gates', '--full'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^warning: \/sys\/joinery\S* cannot be written here: .* kept in \S*joinery-evidence/,
    );
    expect(stderr).toMatch(/new failure: a.test.ts > adds/);
    expect(readdirSync(join(cache, 'joinery-evidence'))).toHaveLength(1);
  });

  test('believes no evidence in a folder that others can write to', async () => {
    const project = tested();
    const cache = temporaryFolder();
    const env = { JOINERY_STATE_DIR: '/sys/joinery', XDG_CACHE_HOME: cache };
    expect((await project.run(['gates', '--full'], env)).code).toBe(0);
    const claim = ['evidence', 'check', '--claim', 'test'];
    expect((await project.run(claim, env)).code).toBe(0);
    chmodSync(join(cache, 'joinery-evidence'), 0o777);
    const { code, stderr } = await project.run(claim, env);
    expect([code, stderr]).toEqual([5, expect.stringContaining('proves nothing')]);
  });

  test('knows its task from the file that the run wrote', async () => {
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
  /** The arguments that start a crew of one, which edits `tests.txt` and then does what `more` says. */
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
    return ['run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario];
  }

  test('finds joinery by name, and its report lists every claim with the evidence', async () => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `joinery version`', '- test: `node run.js`') });
    const { code, stdout } = await project.run([...crewOf([]), '--json']);
    // This runner counts its cases and names none, which proves nothing of the result.
    expect(code).toBe(2);
    const { tasks } = RunReport.parse(JSON.parse(stdout));
    expect(tasks[0]?.claims).toMatchObject([
      { claim: 'lint', command: 'joinery version', status: 'pass', evidence: expect.any(String) },
      { claim: 'test', command: 'node run.js', status: 'pass', tests: { passed: 2, failed: 0, skipped: 0 } },
    ]);
  });

  test('finds the task by its worktree or its name, and grounds its work before a full run', async () => {
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
