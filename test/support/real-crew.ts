import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { readHandoffBlock } from '#agents/stream/handoff-block.ts';
import { findProcesses, signalProcess } from '#process/sweep.js';
import type { RunEvent } from '#schema/event.ts';
import type { RunReport } from '#schema/run.ts';
import { installedBinary } from '#scripts/contract-agents.ts';
import { GitRepository } from './git-repository.ts';
import { executable, temporaryFolder } from './joinery.ts';
import { ModelServer, type Script } from './model-server/model-server.ts';
import type { ModelRequest } from './model-server/protocol.ts';
import { handoffBlock, type RealAgent, realAgents } from './real-agent.ts';

/** A repository, a model on loopback, and the real command line with a real agent. */
export interface RealCrew {
  readonly agent: RealAgent;
  readonly server: ModelServer;
  readonly repo: GitRepository;
  /** Starts the command line; `end` is its report, null if it printed none. */
  start(...args: string[]): { readonly child: ChildProcess; readonly end: Promise<RunReport | null> };
  plan(tasks: readonly object[], more?: object): string;
  events(): RunEvent[];
  readonly state: string;
  /** The output of a task's first attempt so far. */
  printed(task: string): string;
  /** Processes of all attempts of all runs of this crew that are alive. */
  alive(): number;
}

export async function openCrew(
  name: RealAgent['name'],
  script: (crew: RealCrew) => Script,
): Promise<RealCrew> {
  const agent = realAgents[name];
  const repo = new GitRepository();
  repo.commit({ 'README.md': 'hello\n', '.gitignore': 'joinery.json\n' });
  const outside = temporaryFolder();
  const [home, state] = [join(outside, 'home'), join(outside, 'state')];
  mkdirSync(join(home, '.codex'), { recursive: true });
  const server = await ModelServer.start((request, n) => script(crew)(request, n));
  const config = {
    agents: {
      [name]: {
        command: installedBinary(name),
        args: agent.args(server.url),
        models: { standard: agent.model, strong: agent.model },
      },
    },
    run: { inactivityMinutes: 1, attemptMinutes: 2 },
  };
  writeFileSync(join(repo.dir, 'joinery.json'), JSON.stringify(config));
  const runs = () =>
    repo
      .git('for-each-ref', '--format=%(refname)', 'refs/joinery')
      .split('\n')
      .flatMap((ref) => ref.split('/')[2] ?? []);
  const alive = () => [...new Set(runs())].flatMap((run) => findProcesses({ root: null, mark: run }));
  const crew: RealCrew = {
    agent,
    server,
    repo,
    state,
    alive: () => alive().length,
    start(...args) {
      const child = spawn(process.execPath, [executable, ...args, '--json'], {
        cwd: repo.dir,
        env: {
          ...process.env,
          ...agent.variables(server.url),
          HOME: home,
          JOINERY_STATE_DIR: state,
          JOINERY_CACHE_DIR: join(outside, 'cache', 'joinery'),
          XDG_CACHE_HOME: join(outside, 'cache'),
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      const end = new Promise<RunReport | null>((resolve) => {
        child.once('close', () => resolve(text === '' ? null : (JSON.parse(text) as RunReport)));
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, end };
    },
    plan(tasks, more = {}) {
      const path = join(outside, 'plan.json');
      writeFileSync(path, JSON.stringify({ schema: 'joinery/plan@1', ...more, tasks }));
      return path;
    },
    printed(task) {
      const trace = join(task, 'agent-1', 'turn-1.jsonl');
      const file = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.endsWith(join('/', trace)),
      );
      return file === undefined ? '' : readFileSync(join(state, file), 'utf8');
    },
    events() {
      const file = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.endsWith('events.jsonl'),
      );
      const lines = file === undefined ? [] : readFileSync(join(state, file), 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as RunEvent);
    },
  };
  onTestFinished(async () => {
    for (const found of alive()) signalProcess(found, 'SIGKILL');
    await server.close();
  });
  return crew;
}

/** Which task of the plan a request is about. */
export function taskOf({ prompt }: Pick<ModelRequest, 'prompt'>): string {
  return /^# Task ([\w-]+):/m.exec(prompt)?.[1] ?? '';
}

/** The handoff that the prompt asks for, with these files. */
export function handIn({ prompt }: ModelRequest, files: readonly string[]): string {
  const example = JSON.parse(readHandoffBlock(prompt) ?? '{}') as object;
  return handoffBlock({ ...example, decisions: [], assumptions: [], files });
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(50);
}
