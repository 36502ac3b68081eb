import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentDoors, AgentDriver, AgentRequest } from '#agents/driver.ts';
import { scriptedDriver } from '#agents/drivers/scripted/scripted.ts';
import { reportOf } from '#crew/state/report.ts';
import { Scenario } from '#schema/scenario.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { runChild } from '#test/support/engine-process.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';

const identity = ['-c', 'user.name=Agent', '-c', 'user.email=agent@localhost'];

/** The main checkout, as an agent finds it. */
function repoOf({ cwd }: AgentRequest): string {
  const common = execFileSync('git', ['rev-parse', '--git-common-dir'], { cwd, encoding: 'utf8' });
  return dirname(common.trim());
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
}

/** An agent that does its work and, in its first attempt, something else too. */
function agent(besides: (request: AgentRequest, repo: EngineRepo) => void) {
  return (repo: EngineRepo): AgentDriver => ({
    name: 'careless',
    variables: [],
    async play(request, doors) {
      if (request.round === 1) besides(request, repo);
      writeFileSync(join(request.cwd, 'work.txt'), 'done\n');
      doors.report({ type: 'text', text: 'x'.repeat(60) });
      return { outcome: 'ok', reason: '' };
    },
  });
}

async function runWith(driverFor: (repo: EngineRepo) => AgentDriver) {
  const repo = makeRepo();
  const driver = driverFor(repo);
  const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
  const run = bench.start({ tasks: [task('a', { files: ['work.txt'] })] });
  const state = await bench.drive(run);
  const events = [...bench.workshop.engine.read(run)];
  const played = events.flatMap((event) => (event.type === 'attempt.played' ? [event.data] : []));
  const verdicts = events.flatMap((event) => (event.type === 'attempt.ended' ? [event.data.verdict] : []));
  const content = repo.git('ls-tree', '--name-only', `joinery/${run}/integration`).split('\n');
  bench.close();
  const told = reportOf(run, state).tasks.map(({ incidents }) => incidents ?? []);
  return { repo, state, played, verdicts, content, told, incidents: played[0]?.incidents ?? [] };
}

describe('in addition to its work, an agent', () => {
  test('did nothing', async () => {
    const { played, verdicts } = await runWith(agent(() => {}));
    expect(played).toHaveLength(1);
    expect(played[0]).not.toHaveProperty('incidents');
    expect(verdicts).toEqual(['approve']);
  });

  test('committed: its files are used, its commits are not', async () => {
    const { incidents, verdicts, repo, content } = await runWith(
      agent(({ cwd }) => {
        writeFileSync(join(cwd, 'extra.txt'), 'x');
        git(cwd, 'add', '-A');
        git(cwd, 'commit', '-m', 'mine');
      }),
    );
    expect(incidents).toMatchObject([{ kind: 'committed', detail: expect.stringContaining('mine') }]);
    expect(verdicts).toEqual(['approve']);
    expect(content).toEqual(expect.arrayContaining(['work.txt', 'extra.txt']));
    expect(repo.git('log', '--format=%s', '--branches')).not.toContain('mine');
  });

  test('left its branch: its work is not used, and the next attempt gets the reason', async () => {
    const { incidents, verdicts, state, told } = await runWith(
      agent(({ cwd }) => git(cwd, 'checkout', '-b', 'elsewhere')),
    );
    expect(incidents).toMatchObject([
      { kind: 'switched-branch', isBlocking: true },
      { kind: 'moved-ref', isBlocking: false },
    ]);
    expect(incidents[0]?.detail).toContain('refs/heads/elsewhere');
    expect(verdicts).toEqual(['revise', 'approve']);
    expect(state.status).toBe('done');
    // The second attempt behaved; the report still mentions the first.
    expect(told[0]?.[0]).toMatch(/^attempt 1: it left its branch/);
  });

  test('left its branch and came back', async () => {
    const { incidents, verdicts } = await runWith(
      agent(({ cwd }) => {
        git(cwd, 'checkout', '-b', 'elsewhere');
        git(cwd, 'checkout', '-');
      }),
    );
    expect(incidents).toMatchObject([
      { kind: 'switched-branch', isBlocking: false },
      { kind: 'moved-ref', isBlocking: false },
    ]);
    expect(verdicts).toEqual(['approve']);
  });

  test('wrote into the main checkout, also into a file that was already changed', async () => {
    const { incidents, verdicts } = await runWith((repo) => {
      writeFileSync(join(repo.dir, 'README.md'), 'a person is at work here\n');
      return agent(() => {
        writeFileSync(join(repo.dir, 'README.md'), 'not any more\n');
        writeFileSync(join(repo.dir, 'stray.txt'), 'x');
      })(repo);
    });
    expect(incidents).toMatchObject([{ kind: 'wrote-outside', isBlocking: false }]);
    expect(incidents[0]?.detail).toContain('README.md, stray.txt');
    expect(incidents[0]?.detail).toContain(': it, or somebody else, wrote there');
    expect(verdicts).toEqual(['approve']);
  });

  test.each([
    ['an ignored file', '.env'],
    ['a file in an ignored folder', 'dist/index.js'],
    ['a file in a folder that was new before', 'drafts/second.txt'],
    ['a hook of git', '.git/hooks/pre-commit'],
    ['the settings of git', '.git/config'],
  ])('wrote %s', async (_, path) => {
    const { incidents } = await runWith((repo) => {
      writeFileSync(join(repo.dir, '.gitignore'), '.env\ndist/\nnode_modules/\n');
      for (const folder of ['drafts', 'dist', '.git/hooks', 'node_modules'])
        mkdirSync(join(repo.dir, folder), { recursive: true });
      writeFileSync(join(repo.dir, 'drafts', 'first.txt'), 'x');
      writeFileSync(join(repo.dir, 'dist', 'old.js'), 'x');
      return agent(() => appendFileSync(join(repo.dir, path), '# x\n'))(repo);
    });
    const shown = path.startsWith('dist/') ? 'dist/' : path;
    expect(incidents.map(({ kind, detail }) => [kind, detail.split(' changed in ')[0]])).toEqual([
      ['wrote-outside', `while it worked, ${shown}`],
    ]);
  });

  test('wrote outside while others worked: no single task is blamed', async () => {
    const repo = makeRepo();
    let arrived = 0;
    const driver: AgentDriver = {
      name: 'careless',
      variables: [],
      async play(request, doors) {
        arrived += 1;
        const isAlone = request.task === 'last';
        while (!isAlone && arrived < 2) await new Promise((next) => setTimeout(next, 5));
        if (request.task === 'guilty') writeFileSync(join(repo.dir, 'stray.txt'), 'x');
        while (!isAlone && !existsSync(join(repo.dir, 'stray.txt')))
          await new Promise((next) => setTimeout(next, 5));
        writeFileSync(join(request.cwd, `${request.task}.txt`), 'done\n');
        doors.report({ type: 'text', text: 'x'.repeat(60) });
        return { outcome: 'ok', reason: '' };
      },
    };
    const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
    const tasks = [task('guilty'), task('innocent'), task('last', { dependsOn: ['guilty', 'innocent'] })];
    const run = bench.start({ tasks });
    const report = reportOf(run, await bench.drive(run));
    bench.close();
    const who = (...ids: string[]) => expect.stringContaining(`: one of ${ids.join(', ')}, or somebody else`);
    expect(report.tasks.map(({ id, incidents }) => [id, incidents])).toEqual([
      ['guilty', [who('guilty', 'innocent')]],
      ['innocent', [who('innocent', 'guilty')]],
      ['last', undefined],
    ]);
  });
});

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

/** The daemon has become `sleep`, no longer the shell that starts it. */
function isAsleep(pid: string): boolean {
  return pid !== '' && readIfThere(`/proc/${pid}/comm`) === 'sleep';
}

test.skipIf(process.platform !== 'linux')(
  'a daemon without environment, session or parent is found by its folder, ended and reported',
  async () => {
    const { incidents, verdicts } = await runWith(
      agent(({ cwd }, { dir }) => {
        const script =
          '(env -i PID="$0" setsid /bin/sh -c \'echo $$ >"$PID"; exec sleep 60\' >/dev/null 2>&1 </dev/null &) &';
        execFileSync('/bin/sh', ['-c', script, join(dir, '.git', 'pid')], { cwd, stdio: 'ignore' });
        while (!isAsleep(readIfThere(join(dir, '.git', 'pid')))) execFileSync('sleep', ['0.01']);
      }),
    );
    expect(incidents).toMatchObject([{ kind: 'left-processes', isBlocking: false }]);
    // It may not have become `sleep` yet.
    const pid = /daemon (\d+) \(/.exec(incidents[0]?.detail ?? '')?.[1];
    expect(pid).toBeDefined();
    const stat = `/proc/${pid}/stat`;
    expect(existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'))).toBe(false);
    expect(verdicts).toEqual(['approve']);
  },
);

describe('in the worktree of another task, an agent', () => {
  /** Two tasks. The agent that starts first does to the other what `meets` says, once the other waits or works. */
  async function runTwo(
    maxAgents: number,
    meets: (request: AgentRequest, other: string, doors: AgentDoors) => void,
  ) {
    const repo = makeRepo();
    const begun: string[] = [];
    let isOver = false;
    let isWaiting: () => boolean = () => false;
    const until = async (condition: () => boolean) => {
      while (!condition()) await new Promise((next) => setTimeout(next, 5));
    };
    const driver: AgentDriver = {
      name: 'careless',
      variables: [],
      async play(request, doors) {
        begun.push(request.task);
        if (begun[0] === request.task && request.round === 1) {
          await until(() => (maxAgents === 1 ? isWaiting() : begun.length === 2));
          meets(request, join(dirname(request.cwd), request.task === 'a' ? 'b' : 'a'), doors);
          isOver = true;
        } else await until(() => isOver);
        writeFileSync(join(request.cwd, `${request.task}.txt`), 'done\n');
        doors.report({ type: 'text', text: 'x'.repeat(60) });
        return { outcome: 'ok', reason: '' };
      },
    };
    const bench = await openBench(repo, { attempts: [] }, { driver: () => driver, maxAgents });
    const run = bench.start({ tasks: [task('a'), task('b')] });
    isWaiting = () =>
      [...bench.workshop.engine.read(run)].some(
        (event) => event.type === 'attempt.used' && event.data.tool === 'waits',
      );
    const state = await bench.drive(run);
    const content = repo.git('ls-tree', '-r', '--name-only', `joinery/${run}/integration`).split('\n');
    bench.close();
    const told = new Map(reportOf(run, state).tasks.map(({ id, incidents }) => [id, incidents ?? []]));
    const [first = ''] = begun;
    // The agent that moved a ref gets a second attempt, which may start before the other task.
    const other = begun.find((id) => id !== first) ?? '';
    return { of: told.get(first), ofOther: told.get(other), other, content, state, repo };
  }

  test.each([
    ['a new file', (other: string) => writeFileSync(join(other, 'stray.txt'), 'x'), 'stray.txt'],
    ['a file of the base', (other: string) => appendFileSync(join(other, 'README.md'), 'x'), 'README.md'],
    ['a commit', (other: string) => git(other, 'commit', '--allow-empty', '-m', 'x'), 'HEAD'],
    ['nothing any more', (other: string) => rmSync(other, { recursive: true }), 'all of it'],
  ])(
    'left %s before that task started: it is reported, and the other is not harmed',
    async (_, leave, what) => {
      const { of, ofOther, other, content, state, repo } = await runTwo(1, (_request, path) => leave(path));
      expect(of).toContainEqual(
        expect.stringContaining(
          `${what} changed in the worktree of task ${other}, whose agent had not started: it, or`,
        ),
      );
      expect(ofOther).toEqual([]);
      expect(content).toEqual(['README.md', 'a.txt', 'b.txt']);
      expect(repo.git('show', `${state.integration.commit}:README.md`)).toBe('hello');
      expect(repo.git('log', '--format=%s', state.integration.commit)).not.toMatch(/^x$/m);
      // What was there and nowhere else is kept first, and named.
      expect(state.degraded.filter((each) => !each.includes('had work that no branch has'))).toEqual([
        expect.stringContaining(`task ${other} was changed before its agent started`),
      ]);
      expect(state.status).toBe('done');
    },
  );

  test('made it unreadable for git, and left a file: git is not asked, and the file is found', async () => {
    const { of, ofOther, other, content, state } = await runTwo(1, (_request, path) => {
      const index = execFileSync('git', ['rev-parse', '--git-path', 'index'], {
        cwd: path,
        encoding: 'utf8',
      });
      writeFileSync(index.trim(), 'no index');
      writeFileSync(join(path, 'stray.txt'), 'x');
    });
    expect(of).toEqual([expect.stringContaining(`stray.txt changed in the worktree of task ${other}`)]);
    expect(ofOther).toEqual([]);
    expect(content).toEqual(['README.md', 'a.txt', 'b.txt']);
    expect(state.status).toBe('done');
  });

  test('put a link in its place: the other starts in a new one, and nothing is done through the link', async () => {
    const { ofOther, other, content, state, repo } = await runTwo(1, (request, path) => {
      renameSync(path, join(dirname(request.cwd), 'moved'));
      symlinkSync(repoOf(request), path);
    });
    expect(ofOther).toEqual([]);
    expect(content).toEqual(['README.md', 'a.txt', 'b.txt']);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(state.degraded).toEqual([
      `the worktree of task ${other} could not be compared with what it was and was created again`,
      expect.stringMatching(/moved had work that no branch has: it is kept; bring it back: git branch /),
    ]);
    expect(state.status).toBe('done');
  });

  test('changed nothing: nothing is reported', async () => {
    const { of, ofOther, state } = await runTwo(1, () => {});
    expect({ of, ofOther, degraded: state.degraded }).toEqual({ of: [], ofOther: [], degraded: [] });
  });

  test('that is also running: only the targets of its tools are reported', async () => {
    const { of, ofOther, other } = await runTwo(2, ({ cwd }, path, doors) => {
      // An agent whose output is too long to record is still watched.
      doors.report({ type: 'text', text: 'x'.repeat(17 * 1024 * 1024) });
      const use = (tool: string, detail: string) =>
        doors.report({ type: 'tool', tool, detail, status: 'begun', call: null });
      use('Bash', `cat ${path}/README.md`);
      use('Bash', `echo x > ${path}-2/stray.txt`);
      use('Edit', join(cwd, 'src/a.ts'));
      use('Bash', `cp ${path}-2/stray.txt ${path}/stray.txt`);
      use('Bash', `cp ${path}-2/stray.txt ${path}/stray.txt`);
      use('Write', `../${basename(path)}/stray.txt`);
    });
    const reached = (how: string) =>
      expect.stringMatching(
        `accessed the worktree of task ${other}, .*\\(${how}: .*like the work of ${other}`,
      );
    expect({ of, ofOther }).toEqual({ of: [reached('Bash'), reached('Write')], ofOther: [] });
  });
});

test('what an agent had spent when we were killed is found out afterwards, and counted once', async () => {
  const repo = makeRepo();
  const scenario = {
    attempts: [{ task: 'a', do: [{ usage: { in: 50, out: 5, usd: 0.5 } }, { sleepMs: 300 }, { say: 'x' }] }],
  };
  const plan = { tasks: [task('a')] };
  const whole = await runChild({ ...repo, plan, scenario });
  const crashAt = whole.points.indexOf('play: after sleepMs') + 1;
  expect(crashAt).toBeGreaterThan(0);
  const killed = await runChild({ ...repo, plan, scenario, crashAt });
  expect(killed.signal).toBe('SIGKILL');
  const inner = scriptedDriver(Scenario.parse({ schema: 'joinery/scenario@1', ...scenario }));
  // According to its traces: more than it had reported.
  const driver: AgentDriver = { ...inner, spentSoFar: () => ({ in: 70, out: 7, usd: 0.75, cached: 3 }) };
  const bench = await openBench(repo, scenario, { driver: () => driver });
  const state = await bench.drive(killed.run);
  bench.close();
  expect(state.steps.get('a')?.attempts.map(({ usage }) => usage)).toMatchObject([
    { in: 70, out: 7, usd: 0.75, cached: 3 },
    { in: 50, out: 5, usd: 0.5 },
  ]);
});
