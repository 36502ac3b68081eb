import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The published form of the command, built by `npm test`; the sources if tests are run alone. */
export const executable =
  process.env.JOINERY_TEST_EXECUTABLE ?? fileURLToPath(new URL('../../bin/joinery.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Sent to stdin. */
  readonly input?: string;
}

/** Runs the real executable in a separate process. */
export function joinery(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return runNode([executable, ...args], surroundings);
}

export function runNode(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, input = '' }: Surroundings = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
  child.stdin.on('error', () => {}).end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A folder that exists as long as the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In memory if possible, for tests that open thousands of files and do not test durability. */
export function memoryFolder(): string {
  if (!existsSync('/dev/shm')) return temporaryFolder();
  const folder = mkdtempSync('/dev/shm/joinery-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
