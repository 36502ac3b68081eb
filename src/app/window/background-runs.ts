import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { holderName } from '#app/workplace/holder-name.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { parseJsonFile } from '#lib/parse-json.ts';
import { ownRoot } from '#process/own-package.ts';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { EnvironmentError, UsageError } from '#schema/errors.ts';

const pollMs = 100;
const patienceMs = 60_000;

/** Runs that a server starts as separate processes, which continue when the server ends. */
export interface BackgroundRuns {
  /** Returns the id of the new run. The same request twice gives one run. */
  start(id: string, spec: string, agent: string | undefined): Promise<string>;
  resume(id: string, run: string, isDriven: () => boolean): Promise<void>;
}

export function backgroundRuns(
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  state: string,
  runIds: () => string[],
  /** The first process that drove a run. */
  firstHolder: (run: string) => string | undefined,
): BackgroundRuns {
  const folder = join(state, 'started');
  const begun = new Map<string, Promise<string>>();

  const begin = (id: string, args: readonly string[]) => {
    mkdirSync(folder, { recursive: true });
    const output = join(folder, `${id}.json`);
    const program = join(ownRoot(), 'bin', 'joinery.js');
    const stdout = openSync(output, 'w');
    try {
      const child = spawn(process.execPath, [program, ...args, '--json'], {
        cwd,
        env,
        detached: true,
        stdio: ['ignore', stdout, 'ignore'],
      });
      child.unref();
      return { child, output };
    } finally {
      closeSync(stdout);
    }
  };

  const startNew = async (id: string, spec: string, agent: string | undefined): Promise<string> => {
    const mark = join(folder, `${id}.run`);
    if (existsSync(mark)) return readFileSync(mark, 'utf8');
    const known = new Set(runIds());
    const what = spec.endsWith('.json') ? ['--plan', spec] : [spec];
    const { child, output } = begin(id, ['run', ...what, ...(agent === undefined ? [] : ['--agent', agent])]);
    // Other processes may start runs at the same moment: ours is the one that this child drives.
    const isOurs = (each: string) => !known.has(each) && firstHolder(each) === holderName(child.pid);
    const run = await until(child, output, () => runIds().find(isOurs) ?? null);
    writeFileSync(mark, run);
    return run;
  };

  return {
    start(id, spec, agent) {
      if (spec.startsWith('-'))
        throw new UsageError({
          code: 'bad-spec',
          message: `${spec} is not the path of a spec`,
          hint: 'specs/<name>.md, or a plan: plan.json',
        });
      const known = begun.get(id);
      if (known) return known;
      const started = startNew(id, spec, agent);
      begun.set(id, started);
      // A failed start may be retried after the spec was fixed.
      started.catch(() => begun.delete(id));
      return started;
    },
    async resume(id, run, isDriven) {
      const { child, output } = begin(id, ['resume', run]);
      await until(child, output, () => (isDriven() ? run : null));
    },
  };
}

/** Waits until `look` finds a value; throws the error with which the process exited. */
async function until(child: ChildProcess, output: string, look: () => string | null): Promise<string> {
  let code: number | null = null;
  child.once('exit', (status) => {
    code = status ?? 1;
  });
  child.once('error', () => {
    code = 5;
  });
  for (const started = Date.now(); Date.now() - started < patienceMs; await wait(pollMs)) {
    const found = look();
    if (found !== null) return found;
    // It exited before it was seen: a run with nothing left to do exits successfully.
    if (code !== null) return look() ?? refused(output);
  }
  // Otherwise it could start later, unseen, beside its replacement.
  child.kill();
  throw new EnvironmentError({
    code: 'not-started',
    message: 'the run did not begin in time',
    hint: 'joinery runs',
  });
}

function refused(output: string): never {
  const parsed = ErrorEnvelope.safeParse(parseJsonFile(output));
  if (parsed.success) throw new UsageError(parsed.data.error);
  throw new UsageError({
    code: 'not-started',
    message: 'the run ended before it started',
    hint: 'joinery runs',
  });
}
