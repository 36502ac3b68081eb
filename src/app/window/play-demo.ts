import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownRoot } from '#process/own-package.ts';
import {
  baseFiles,
  branches,
  plan,
  scenario,
  site,
  visit,
  workflowFile,
  workflowScenario,
} from './demo-story.ts';

export interface PlayedDemo {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the crew and removes everything that was made. */
  end(): Promise<void>;
}

/** Creates a small repository and lets the scripted crew work on it in real time. */
export function playDemo(env: NodeJS.ProcessEnv): PlayedDemo {
  const stage = mkdtempSync(join(tmpdir(), 'joinery-ui-demo-'));
  const shop = join(stage, 'shop');
  const surroundings = {
    ...env,
    JOINERY_STATE_DIR: join(stage, 'state'),
    JOINERY_CACHE_DIR: join(stage, 'cache'),
  };
  build(shop, { ...baseFiles, [workflowFile.path]: workflowFile.content }, branches);
  const second = join(stage, 'site');
  build(second, site.base, site.branches);
  const started: ChildProcess[] = [];
  const joinery = (...args: string[]) => joineryIn(shop, ...args);
  const joineryIn = (cwd: string, ...args: string[]) => {
    const program = join(ownRoot(), 'bin', 'joinery.js');
    started.push(
      spawn(process.execPath, [program, ...args], {
        cwd,
        env: surroundings,
        stdio: ['pipe', 'ignore', 'ignore'],
      }),
    );
  };
  joinery('check', 'main', ...Object.keys(branches));
  for (const [name, value] of Object.entries({ plan, scenario, workflowScenario }))
    writeFileSync(join(stage, `${name}.json`), JSON.stringify(value));
  joinery(
    'run',
    '--plan',
    join(stage, 'plan.json'),
    '--agent',
    'scripted',
    '--scenario',
    join(stage, 'scenario.json'),
  );
  joinery(
    ...['workflow', 'run', 'opening', '--goal', 'Open the shop on Monday', '--agent', 'scripted'],
    ...['--scenario', join(stage, 'workflowScenario.json')],
  );
  joineryIn(second, 'check', 'main', ...Object.keys(site.branches));
  joinery('hooks', 'record', '--agent', 'claude');
  started.at(-1)?.stdin?.end(JSON.stringify({ ...visit, cwd: shop }));
  return {
    cwd: shop,
    env: surroundings,
    async end() {
      // A process that still runs would create its files again.
      await Promise.all(started.map(ended));
      rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const patienceMs = 8000;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  const giveUp = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await exit;
  clearTimeout(giveUp);
}

type Files = Readonly<Record<string, string>>;

function build(dir: string, base: Files, made: Readonly<Record<string, Files>>): void {
  mkdirSync(dir);
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', '-c', 'commit.gpgSign=false', ...args],
      {
        cwd: dir,
        stdio: 'ignore',
      },
    );
  const commit = (files: Files, message: string) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  git('init', '--quiet', '--initial-branch=main');
  commit(base, 'begin');
  for (const [name, files] of Object.entries(made)) {
    git('checkout', '--quiet', '-b', name, 'main');
    commit(files, `feat: ${name.slice('feat/'.length)}`);
  }
  git('checkout', '--quiet', 'main');
}
