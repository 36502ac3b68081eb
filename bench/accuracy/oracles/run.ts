import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { twoAtATime } from '../two-at-a-time.ts';

const runner = fileURLToPath(new URL('./run-modules.ts', import.meta.url));
const timeLimitMs = 20_000;

/** Modules of a tree to load in one process. */
export interface Run {
  readonly tree: string;
  readonly modules: readonly string[];
}

export function keyOf({ modules }: Run): string {
  return modules.join(' ');
}

/** Loads modules of compiled trees, each run in a separate process: what they did, by tree and run. */
export async function observeAll(
  out: string,
  runs: readonly Run[],
): Promise<Map<string, Map<string, string>>> {
  const distinct = [...new Map(runs.map((run) => [`${run.tree} ${keyOf(run)}`, run])).values()];
  const seen = await twoAtATime(distinct, (run) => observe(join(out, run.tree), run.modules));
  const observed = new Map<string, Map<string, string>>();
  for (const [at, run] of distinct.entries()) {
    const own = observed.get(run.tree) ?? new Map<string, string>();
    const text = seen[at];
    if (typeof text === 'string') own.set(keyOf(run), text);
    observed.set(run.tree, own);
  }
  return observed;
}

/** What the modules did, as text; null if the process did not finish. */
function observe(folder: string, modules: readonly string[]): Promise<string | null> {
  const files = modules.map((path) => join(folder, path.replace(/\.ts$/, '.js')));
  const child = spawn(process.execPath, [runner, ...files], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve(code === 0 ? Buffer.concat(parts).toString('utf8').replaceAll(folder, '') : null),
    );
  });
}
