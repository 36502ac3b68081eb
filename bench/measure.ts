import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedCommand } from './built.ts';
import { median } from './table.ts';

/** The cost of a command, including its children. */
export interface Cost {
  readonly cpuMs: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const reaper = fileURLToPath(new URL('./reap.pl', import.meta.url));

/**
 * Runs a command and counts the CPU time (user + system) of it and every descendant, including those that were killed or
 * left behind: a type checker is a separate process with a native one below it, and neither is waited for.
 */
export async function runMeasured(
  command: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Cost> {
  const scratch = mkdtempSync(join(tmpdir(), 'joinery-cost-'));
  const costFile = join(scratch, 'cost');
  try {
    const child = spawn('perl', [reaper, costFile, command, ...args], {
      cwd: surroundings.cwd,
      env: { ...process.env, NO_COLOR: '1', ...surroundings.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) => resolve(status ?? 128));
    });
    const [user = 0, system = 0] = readFileSync(costFile, 'utf8').trim().split(/\s+/).map(Number);
    return { cpuMs: (user + system) * 1000, code, stdout, stderr };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const peakProbe = new URL('./peak-probe.js', import.meta.url).href;

export interface CheckCost extends Cost {
  /** Largest resident size of our own process. */
  readonly peakBytes: number;
}

/** The real command in a separate process, with its own cache. Exit codes up to `mostCode` are results. */
export async function runCheck(
  repository: string,
  cache: string,
  branches: readonly string[],
  options: readonly string[] = ['--confirm', 'none'],
  { command = publishedCommand(), mostCode = 1 } = {},
): Promise<CheckCost> {
  const scratch = mkdtempSync(join(tmpdir(), 'joinery-peak-'));
  const peakFile = join(scratch, 'peak');
  try {
    const cost = await runMeasured(
      process.execPath,
      ['--import', peakProbe, command, 'check', '--json', ...options, 'main', ...branches],
      {
        cwd: repository,
        env: {
          JOINERY_CACHE_DIR: cache,
          JOINERY_STATE_DIR: join(cache, 'state'),
          JOINERY_PEAK_FILE: peakFile,
        },
      },
    );
    if (cost.code > mostCode)
      throw new Error(`joinery check ended with ${cost.code}:\n${cost.stderr.slice(-2000)}`);
    return { ...cost, peakBytes: Number(readFileSync(peakFile, 'utf8')) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Interleaves the variants, so that a busy minute affects all of them: variant → samples in the order drawn. */
export async function interleave<Name extends string, Sample>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(variants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(await variants[name]());
  }
  return samples;
}

export function medianCpu(samples: readonly { readonly cpuMs: number }[]): number {
  return median(samples.map(({ cpuMs }) => cpuMs));
}
