import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { RunReport } from '#schema/run.ts';
import type { ChildOrder } from './engine-child.ts';

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly run: string;
  readonly report: RunReport | null;
  readonly points: readonly string[];
  readonly reached: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly stderr: string;
}

const script = fileURLToPath(new URL('engine-child.ts', import.meta.url));

export interface RunningChild {
  readonly end: Promise<ChildEnd>;
  /** Resolves when it has reached its stopping point. */
  readonly paused: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Another process on the same repository. `wrap` puts a program in front of it, to set limits. */
export function startChild(order: ChildOrder, wrap: readonly string[] = []): RunningChild {
  const [program = '', ...args] = [...wrap, process.execPath, script];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin.end(JSON.stringify(order));
  let stdout = '';
  let stderr = '';
  const paused = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
    if (stdout.includes('{"reached"')) paused.resolve();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const end = new Promise<ChildEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const said = Object.assign(
        {},
        ...stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
      );
      resolve({ run: '', report: null, points: [], reached: '', error: null, ...said, code, signal, stderr });
    });
  });
  return { end, paused: paused.promise, kill: (signal) => child.kill(signal) };
}

export function runChild(order: ChildOrder, wrap: readonly string[] = []): Promise<ChildEnd> {
  return startChild(order, wrap).end;
}
