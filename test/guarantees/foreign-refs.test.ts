import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentDoors, AgentDriver, AgentRequest } from '#agents/driver.ts';
import { reportOf } from '#crew/state/report.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';

interface Scene {
  readonly repo: EngineRepo;
  readonly run: string;
  readonly request: AgentRequest;
  readonly doors: AgentDoors;
  /** Runs git as the agent's shell does. */
  git(cwd: string, ...args: string[]): string;
  /** The same, and the driver reports it. */
  shell(cwd: string, command: string): void;
}

// Agents can commit even if the user has no git identity.
for (const who of ['AUTHOR', 'COMMITTER']) {
  process.env[`GIT_${who}_NAME`] = 'Agent';
  process.env[`GIT_${who}_EMAIL`] = 'agent@localhost';
}

type Deed = (scene: Scene) => void | Promise<void>;

/** A repository with a user's branch, and an uncommitted file in its checkout. */
function userRepo(): EngineRepo {
  const repo = makeRepo();
  repo.git('branch', 'feat/user');
  repo.git('commit', '--allow-empty', '-m', 'second');
  repo.git('branch', 'user-branch');
  repo.git('tag', 'v1');
  writeFileSync(join(repo.dir, 'draft.txt'), 'mine\n');
  return repo;
}

/** One task; in its first attempt its agent does something in addition to its work. */
async function runWith(deed: Deed) {
  const repo = userRepo();
  const before = namesOf(repo);
  const { state, report, run, verdicts } = await runTasks(repo, { a: deed });
  const [told] = report.tasks;
  return { repo, before, after: namesOf(repo), state, run, verdicts, incidents: told?.incidents ?? [] };
}

async function runTasks(repo: EngineRepo, deeds: Record<string, Deed>) {
  let run = '';
  const driver: AgentDriver = {
    name: 'careless',
    variables: [],
    async play(request, doors) {
      const env = { ...process.env, ...request.env };
      const git = (cwd: string, ...args: string[]) =>
        execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
      const shell = (cwd: string, command: string) => {
        doors.report({ type: 'tool', tool: 'Bash', detail: command, status: 'begun', call: null });
        execFileSync('/bin/sh', ['-c', command], { cwd, stdio: 'ignore' });
      };
      if (request.round === 1) await deeds[request.task]?.({ repo, run, request, doors, git, shell });
      writeFileSync(join(request.cwd, `${request.task}.txt`), 'done\n');
      doors.report({ type: 'text', text: 'x'.repeat(60) });
      return { outcome: 'ok', reason: '' };
    },
  };
  const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
  run = bench.start({ tasks: Object.keys(deeds).map((id) => task(id)) });
  const state = await bench.drive(run);
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  const verdicts = events.flatMap((event) =>
    event.type === 'attempt.ended' ? [`${event.step} ${event.data.verdict}`] : [],
  );
  return { run, state, verdicts, report: reportOf(run, state) };
}

/** All refs of the user, and the HEAD of the checkout. */
function namesOf(repo: EngineRepo): string[] {
  const refs = repo.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n');
  const own = refs.filter((line) => !/^refs\/(heads\/)?joinery\//.test(line));
  return [...own, readFileSync(join(repo.dir, '.git/HEAD'), 'utf8').trim()];
}

/** Overwritten values that are still reachable. */
function kept(repo: EngineRepo, run: string): string[] {
  const text = repo.git('for-each-ref', '--format=%(objectname)', `refs/joinery/${run}/kept/refs/`);
  return text.split('\n').filter((line) => line !== '');
}

/** A commit that exists and that no ref points to. */
function strayCommit({ git, request }: Scene): string {
  return git(request.cwd, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'stray');
}

const untilSeen = () => new Promise((next) => setTimeout(next, 50));

describe('refs of the run', () => {
  test.each(['heads/joinery/RUN/integration', 'heads/joinery/RUN/extra', 'joinery/RUN/kept/a/9'])(
    'refs/%s: an agent that moves or creates it is blocked, and it is restored',
    async (name) => {
      let stray = '';
      const { repo, run, verdicts, incidents, state } = await runWith((scene) => {
        stray = strayCommit(scene);
        scene.git(scene.request.cwd, 'update-ref', `refs/${name.replace('RUN', scene.run)}`, stray);
      });
      expect(verdicts).toEqual(['a revise', 'a approve']);
      expect(incidents).toEqual([expect.stringContaining(`refs/${name.replace('RUN', run)} was`)]);
      expect(state.status).toBe('done');
      expect(kept(repo, run)).toEqual([stray]);
      expect(repo.git('log', '--format=%s', `joinery/${run}/integration`)).not.toContain('stray');
    },
  );

  test.each(['refs/heads/joinery/RUN/integration', 'refs/heads/user-branch'])(
    '%s: an agent that makes it an alias of a branch of the user is blocked; nothing is written through it',
    async (name) => {
      const { before, after, repo, run, verdicts, incidents, state } = await runWith((scene) => {
        const ref = name.replace('RUN', scene.run);
        scene.git(scene.request.cwd, 'symbolic-ref', ref, 'refs/heads/feat/user');
      });
      expect(verdicts).toEqual(['a revise', 'a approve']);
      expect(incidents).toEqual([expect.stringContaining(name.replace('RUN', run))]);
      expect({ status: state.status, after }).toEqual({ status: 'done', after: before });
      expect(repo.git('for-each-ref', '--format=%(symref)').trim()).toBe('');
    },
  );

  test('are restored while the agent is still running', async () => {
    const seen: string[] = [];
    await runWith(async (scene) => {
      const ref = `refs/heads/joinery/${scene.run}/integration`;
      const at = scene.git(scene.request.cwd, 'rev-parse', ref);
      scene.git(scene.request.cwd, 'update-ref', ref, strayCommit(scene));
      for (let tries = 0; tries < 200 && seen.at(-1) !== at; tries++) {
        await untilSeen();
        seen.push(scene.git(scene.request.cwd, 'rev-parse', ref));
      }
      expect(seen.at(-1)).toBe(at);
    });
    expect(seen.length).toBeGreaterThan(0);
  });

  test('a commit in the worktree of a sibling blocks the task that made it; the sibling is accepted with its work', async () => {
    const repo = userRepo();
    const begun = new Set<string>();
    let isDone = false;
    const both = async (own: string) => {
      begun.add(own);
      while (begun.size < 2) await untilSeen();
    };
    const { run, verdicts, report, state } = await runTasks(repo, {
      guilty: async ({ request, git }) => {
        await both('guilty');
        const other = join(dirname(request.cwd), 'innocent');
        writeFileSync(join(request.cwd, 'guilty.txt'), 'x');
        git(other, 'add', '-A');
        git(other, 'commit', '-m', 'not mine');
        isDone = true;
      },
      innocent: async ({ request }) => {
        writeFileSync(join(request.cwd, 'early.txt'), 'work\n');
        await both('innocent');
        while (!isDone) await untilSeen();
      },
    });
    expect(verdicts.toSorted()).toEqual(['guilty approve', 'guilty revise', 'innocent approve']);
    const told = Object.fromEntries(report.tasks.map(({ id, incidents }) => [id, incidents ?? []]));
    expect(told.guilty).toEqual([expect.stringContaining(`refs/heads/joinery/${run}/innocent was moved`)]);
    expect(told.innocent).toEqual([]);
    expect(state.status).toBe('done');
    expect(repo.git('ls-tree', '--name-only', `joinery/${run}/integration`)).toContain('early.txt');
    expect(repo.git('log', '--format=%s', `joinery/${run}/integration`)).not.toContain('not mine');
    expect(kept(repo, run)).toHaveLength(1);
  });

  test('a sibling that is switched to another branch is switched back and not blamed', async () => {
    const repo = userRepo();
    const begun = new Set<string>();
    let isDone = false;
    const both = async (own: string) => {
      begun.add(own);
      while (begun.size < 2) await untilSeen();
    };
    const { verdicts } = await runTasks(repo, {
      guilty: async ({ request, git }) => {
        await both('guilty');
        git(join(dirname(request.cwd), 'innocent'), 'checkout', '-b', 'trap');
        isDone = true;
      },
      innocent: async () => {
        await both('innocent');
        while (!isDone) await untilSeen();
      },
    });
    expect(verdicts.toSorted()).toEqual(['guilty approve', 'guilty revise', 'innocent approve']);
    expect(namesOf(repo).join('\n')).not.toContain('trap');
  });
});

describe('refs of the user that an agent moves are restored, and its attempt is blocked', () => {
  test.each<[string, Deed]>([
    [
      'main, by update-ref',
      (scene) => void scene.git(scene.request.cwd, 'update-ref', 'refs/heads/main', strayCommit(scene)),
    ],
    ['a branch, by force', ({ git, request }) => void git(request.cwd, 'branch', '-f', 'feat/user', 'main')],
    ['a tag, by force', ({ shell, request }) => shell(request.cwd, 'git tag -f v1 feat/user')],
    ['a branch, deleted', ({ shell, request }) => shell(request.cwd, 'git branch -D user-branch')],
    ['a tag, deleted', ({ shell, request }) => shell(request.cwd, 'git tag -d v1')],
    [
      'main, by a commit in the checkout',
      ({ git, repo }) => void git(repo.dir, 'commit', '--allow-empty', '-m', 'agent was here'),
    ],
    [
      'HEAD of the checkout',
      ({ git, repo }) => {
        git(repo.dir, 'checkout', '-b', 'hijack');
        git(repo.dir, 'commit', '--allow-empty', '-m', 'agent was here');
      },
    ],
  ])('%s', async (_, deed) => {
    const { repo, before, after, verdicts, incidents, state } = await runWith(deed);
    expect(after).toEqual(before);
    expect(verdicts).toEqual(['a revise', 'a approve']);
    expect(incidents.length).toBeGreaterThan(0);
    expect(state.status).toBe('done');
    expect(readFileSync(join(repo.dir, 'draft.txt'), 'utf8')).toBe('mine\n');
  });

  test('a new branch or tag is removed and kept under a ref, and does not block', async () => {
    let stray = '';
    const { repo, run, before, after, verdicts, incidents } = await runWith((scene) => {
      stray = strayCommit(scene);
      scene.git(scene.request.cwd, 'branch', 'sneaky', stray);
      scene.shell(scene.request.cwd, 'git tag v2');
    });
    expect(after).toEqual(before);
    expect(verdicts).toEqual(['a approve']);
    expect(incidents.map((line) => /refs\/\S+/.exec(line)?.[0]).toSorted()).toEqual([
      'refs/heads/sneaky',
      'refs/tags/v2',
    ]);
    expect(kept(repo, run)).toContain(stray);
  });

  test('another checkout of the user that was switched to other files is reported and not changed', async () => {
    const { repo, after, verdicts, incidents } = await runWith(({ git, repo }) => {
      git(repo.dir, 'checkout', 'feat/user');
    });
    // If HEAD were moved back under the files of another commit, they would look like changes.
    expect(after.at(-1)).toBe('ref: refs/heads/feat/user');
    expect(verdicts).toEqual(['a revise', 'a approve']);
    expect(incidents).toEqual([expect.stringContaining('from main to feat/user')]);
    expect(repo.git('status', '--porcelain')).toBe('?? draft.txt');
  });
});

describe('what the user does meanwhile', () => {
  test.each<[string, (repo: EngineRepo) => void, number]>([
    ['commits on main', (repo) => repo.git('commit', '--allow-empty', '-m', 'by hand'), 1],
    ['deletes a branch', (repo) => repo.git('branch', '-D', 'user-branch'), 1],
    ['moves a branch', (repo) => repo.git('branch', '-f', 'feat/user', 'main'), 1],
    ['switches branches', (repo) => repo.git('checkout', '-q', 'feat/user'), 1],
    ['makes a branch', (repo) => repo.git('branch', 'new'), 0],
    ['makes a tag', (repo) => repo.git('tag', 'new-tag'), 0],
    ['fetches', (repo) => repo.git('update-ref', 'refs/remotes/origin/main', 'main'), 0],
  ])('%s: it stays and blocks no task', async (_, act, remarks) => {
    let wanted: string[] = [];
    const { after, verdicts, incidents } = await runWith(({ repo }) => {
      act(repo);
      wanted = namesOf(repo);
    });
    expect(after).toEqual(wanted);
    expect(verdicts).toEqual(['a approve']);
    // Git writes its settings when a branch is deleted: that is reported too.
    expect(incidents.filter((line) => !line.includes('.git/config'))).toHaveLength(remarks);
    for (const incident of incidents) expect(incident).toContain('or somebody else');
  });

  test('a commit on top of what an agent did is not removed', async () => {
    let top = '';
    const { repo, verdicts } = await runWith((scene) => {
      scene.git(scene.repo.dir, 'commit', '--allow-empty', '-m', 'agent was here');
      scene.repo.git('commit', '--allow-empty', '-m', 'by hand');
      top = scene.repo.git('rev-parse', 'main');
    });
    expect(repo.git('rev-parse', 'main')).toBe(top);
    expect(verdicts).toEqual(['a revise', 'a approve']);
  });

  test('checking out the integration branch gives a warning', async () => {
    const { state, verdicts } = await runWith(({ repo, run }) => {
      repo.git('checkout', '-q', `joinery/${run}/integration`);
    });
    expect(state.degraded).toEqual([expect.stringContaining('git reset --hard')]);
    expect(verdicts).toEqual(['a approve']);
  });

  test('the commits of a deleted branch stay reachable', async () => {
    const repo = userRepo();
    repo.git('checkout', '-q', 'user-branch');
    appendFileSync(join(repo.dir, 'README.md'), 'x');
    repo.git('commit', '-qam', 'only here');
    const only = repo.git('rev-parse', 'HEAD');
    repo.git('checkout', '-q', 'main');
    const { run } = await runTasks(repo, {
      a: ({ repo: its }) => void its.git('branch', '-D', 'user-branch'),
    });
    expect(kept(repo, run)).toEqual([only]);
  });
});
