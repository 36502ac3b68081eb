import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { executable } from './joinery.ts';

/** A command that runs until Ctrl-C. */
export interface Served {
  /** Its output until the text appeared. */
  until(text: string): Promise<string>;
  /** Sends Ctrl-C; returns the exit code. */
  interrupt(): Promise<number | null>;
}

export function serve(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Served {
  const child = spawn(process.execPath, [executable, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  let printed = '';
  let wake = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    wake();
  });
  closed.then(() => wake());
  return {
    async until(text) {
      while (!printed.includes(text)) {
        if (child.exitCode !== null) throw new Error(`it has ended: ${printed}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return printed;
    },
    interrupt() {
      child.kill('SIGINT');
      return closed;
    },
  };
}
