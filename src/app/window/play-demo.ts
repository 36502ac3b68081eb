import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownRoot } from '#process/own-package.ts';
import { baseFiles, branches, plan, scenario, visit, workflowFile, workflowScenario } from './demo-story.ts';

export interface PlayedDemo {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the crew and removes everything that was made. */
  end(): void;
}

/** Makes a small repository and lets the scripted crew work on it in real time. */
export function playDemo(env: NodeJS.ProcessEnv): PlayedDemo {
  const stage = mkdtempSync(join(tmpdir(), 'joinery-ui-demo-'));
  const shop = join(stage, 'shop');
  const surroundings = {
    ...env,
    JOINERY_STATE_DIR: join(stage, 'state'),
    JOINERY_CACHE_DIR: join(stage, 'cache'),
  };
  buildShop(shop);
  const started: ChildProcess[] = [];
  const joinery = (...args: string[]) => {
    const program = join(ownRoot(), 'bin', 'joinery.js');
    started.push(
      spawn(process.execPath, [program, ...args], {
        cwd: shop,
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
  joinery('hooks', 'record', '--agent', 'claude');
  started.at(-1)?.stdin?.end(JSON.stringify({ ...visit, cwd: shop }));
  return {
    cwd: shop,
    env: surroundings,
    end() {
      for (const child of started) child.kill();
      rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function buildShop(shop: string): void {
  mkdirSync(shop);
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', '-c', 'commit.gpgSign=false', ...args],
      {
        cwd: shop,
        stdio: 'ignore',
      },
    );
  const commit = (files: Readonly<Record<string, string>>, message: string) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(shop, path)), { recursive: true });
      writeFileSync(join(shop, path), content);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  git('init', '--quiet', '--initial-branch=main');
  commit({ ...baseFiles, [workflowFile.path]: workflowFile.content }, 'users and profiles');
  for (const [name, files] of Object.entries(branches)) {
    git('checkout', '--quiet', '-b', name, 'main');
    commit(files, `feat: ${name.slice('feat/'.length)}`);
  }
  git('checkout', '--quiet', 'main');
}
