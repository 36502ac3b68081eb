import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunReport } from '../../src/model/run.ts';
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
  readonly pid: number;
  readonly end: Promise<ChildEnd>;
  kill(signal: NodeJS.Signals): void;
}

/** Another process on the same repository. `wrap` puts a program in front of it, to set limits. */
export function startChild(order: ChildOrder, wrap: readonly string[] = []): RunningChild {
  const [program = '', ...args] = [...wrap, process.execPath, script];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(order));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
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
  return { pid: child.pid ?? 0, end, kill: (signal) => child.kill(signal) };
}

export function runChild(order: ChildOrder, wrap: readonly string[] = []): Promise<ChildEnd> {
  return startChild(order, wrap).end;
}
