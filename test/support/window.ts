import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withWindows } from '#app/window/open-windows.ts';
import { type RunningServer, type ServeOptions, startServer } from '#server/http/serve.ts';
import { GitRepository } from './git-repository.ts';
import { joinery, type Outcome, temporaryFolder } from './joinery.ts';

/** A repository with its own state, and a dashboard that serves it as long as the test runs. */
export interface Shown {
  readonly repo: GitRepository;
  readonly server: RunningServer;
  /** With the state of only this repository. */
  readonly env: NodeJS.ProcessEnv;
  joinery(...args: string[]): Promise<Outcome>;
  /** Plays a plan with the scripted crew; returns the id of the run. */
  play(tasks: readonly object[], attempts: readonly object[]): Promise<string>;
  get(path: string, init?: RequestInit): Promise<Response>;
  json<T>(path: string, init?: RequestInit): Promise<T>;
  post(path: string, body: object): Promise<Response>;
}

type Serving = Pick<ServeOptions, 'patienceMs'>;

/** `web`: folder with the pages; without it only the API is available. */
export async function showRepository(web?: string, serving: Serving = {}): Promise<Shown> {
  const repo = new GitRepository();
  repo.commit({ 'README.md': 'hello\n' });
  const outside = temporaryFolder();
  const env = {
    ...process.env,
    JOINERY_STATE_DIR: join(outside, 'state'),
    JOINERY_CACHE_DIR: join(outside, 'cache'),
  };
  const run = (...args: string[]) => joinery(args, { cwd: repo.dir, env });
  const server = await openFor(repo.dir, env, { ...serving, web: web ?? outside });
  const get: Shown['get'] = (path, init = {}) =>
    fetch(new URL(path, server.url), {
      ...init,
      headers: { authorization: `Bearer ${server.key}`, ...init.headers },
    });
  return {
    repo,
    server,
    env,
    joinery: run,
    get,
    json: async <T>(path: string, init?: RequestInit) => (await (await get(path, init)).json()) as T,
    post: (path, body) =>
      get(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    async play(tasks, attempts) {
      const [plan, scenario] = [join(outside, 'plan.json'), join(outside, 'scenario.json')];
      writeFileSync(plan, JSON.stringify({ schema: 'joinery/plan@1', tasks }));
      writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts }));
      const { stdout, stderr } = await run(
        'run',
        '--plan',
        plan,
        '--agent',
        'scripted',
        '--scenario',
        scenario,
        '--json',
      );
      const report = JSON.parse(stdout) as { run?: string };
      if (report.run === undefined) throw new Error(stdout + stderr);
      return report.run;
    },
  };
}

function openFor(
  cwd: string,
  env: NodeJS.ProcessEnv,
  serving: Serving & Pick<ServeOptions, 'web'>,
): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const surroundings = { cwd, env, terminal: { warn() {}, progress() {} }, onInterrupt: () => () => {} };
    const closed = withWindows(surroundings, {}, async (windows) => {
      const server = await startServer({
        ...serving,
        windows,
        version: '0.0.0',
        host: '127.0.0.1',
        port: 0,
      });
      resolve(server);
      await over;
      await server.close();
    });
    closed.catch(reject);
    onTestFinished(async () => {
      end();
      await closed;
    });
  });
}
