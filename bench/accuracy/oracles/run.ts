import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Loads modules of compiled trees, each run in a process of its own, two at a time: what they did, by tree and run. */
export async function observeAll(
  out: string,
  runs: readonly Run[],
): Promise<Map<string, Map<string, string>>> {
  const observed = new Map<string, Map<string, string>>();
  const waiting = [...runs];
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const own = observed.get(run.tree) ?? new Map<string, string>();
      observed.set(run.tree, own);
      if (own.has(keyOf(run))) continue;
      const seen = await observe(join(out, run.tree), run.modules);
      if (seen !== null) own.set(keyOf(run), seen);
    }
  };
  await Promise.all([work(), work()]);
  return observed;
}

/** What the modules did, as text; null when the process did not come to its end. */
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
