import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { scriptedDriver } from '../../src/agents/drivers/scripted.ts';
import { createRun, driveRun, type RunControl } from '../../src/engine/run-plan.ts';
import type { RunState } from '../../src/engine/state.ts';
import {
  openRunStore,
  type RunStore,
  type Workshop,
  type WorkshopOptions,
  workshopFor,
} from '../../src/engine/workshop.ts';
import { openRepository, type Repository } from '../../src/git/repository.ts';
import { Plan } from '../../src/model/plan.ts';
import { Provisioning } from '../../src/model/provisioning.ts';
import { defaultSettings, type RunSettings } from '../../src/model/run.ts';
import { Scenario } from '../../src/model/scenario.ts';

/** A repository with one commit and a state folder beside it, both in one temp folder. */
export interface EngineRepo {
  readonly root: string;
  readonly dir: string;
  readonly stateDir: string;
  git(...args: string[]): string;
  remove(): void;
}

export function makeRepo(files: Readonly<Record<string, string>> = { 'README.md': 'hello\n' }): EngineRepo {
  const root = mkdtempSync(join(tmpdir(), 'joinery-engine-'));
  const dir = join(root, 'project');
  mkdirSync(dir);
  const git = (...args: string[]) => gitIn(dir, args);
  git('init', '--quiet', '--initial-branch=main');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  return {
    root,
    dir,
    stateDir: join(root, 'state'),
    git,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function gitIn(dir: string, args: readonly string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
    GIT_AUTHOR_DATE: '2030-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z',
  };
  return execFileSync('git', ['-C', dir, ...args], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd();
}

export interface Bench {
  readonly repository: Repository;
  readonly runs: RunStore;
  readonly workshop: Workshop;
  start(plan: unknown, settings?: Partial<RunSettings>): string;
  drive(run: string, control?: Partial<RunControl>): Promise<RunState>;
  close(): void;
}

/** The engine on a repository with a scripted crew, as the command line builds it. */
export async function openBench(
  repo: Pick<EngineRepo, 'dir' | 'stateDir'>,
  scenario: unknown,
  options: Partial<WorkshopOptions> & { maxPages?: number; afterAction?: (action: string) => void } = {},
): Promise<Bench> {
  const env = { ...process.env, JOINERY_STATE_DIR: repo.stateDir };
  const repository = await openRepository(repo.dir);
  const runs = openRunStore(repository, { ...options, env });
  const driver = scriptedDriver(
    Scenario.parse({ schema: 'joinery/scenario@1', ...(scenario as object) }),
    options.afterAction,
  );
  const workshop = workshopFor(repository, runs, {
    provisioning: Provisioning.parse({}),
    driver: () => driver,
    env,
    ...options,
  });
  const head = (await repository.git.text(['rev-parse', 'HEAD'])).trim();
  return {
    repository,
    runs,
    workshop,
    start: (plan, settings) =>
      createRun(workshop, {
        plan: Plan.parse({ schema: 'joinery/plan@1', ...(plan as object) }),
        base: head,
        baseRef: 'main',
        settings: { ...defaultSettings, ...settings },
      }),
    drive: (run, control) =>
      driveRun(workshop, run, { stop: new AbortController().signal, holder: 'test', ...control }),
    close: () => runs.close(),
  };
}

export function task(id: string, more: object = {}): object {
  return { id, title: `Task ${id}`, ...more };
}

export function writes(taskId: string, path: string, content = `${taskId}\n`, more: object = {}): object {
  return { task: taskId, do: [{ write: { path, content } }], ...more };
}
