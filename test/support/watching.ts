import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WatchLine } from '#schema/watch-line.ts';

/** A running `joinery check --watch --json`, line by line. */
export class Watching {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  #wake: () => void = () => {};
  stderr = '';

  constructor(executable: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const words = [executable, 'check', '--watch', '--json', '--confirm', 'none', ...args];
    this.#child = spawn(process.execPath, words, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
    createInterface(this.#child.stdout).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    this.#child.once('close', () => this.#wake());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The next line; waits for it. */
  async next(): Promise<WatchLine> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return WatchLine.strict().parse(JSON.parse(line));
      if (this.#child.exitCode !== null) throw new Error(`the watch has ended: ${this.stderr}`);
      await this.#sign();
    }
  }

  /** Waits until a text appears on stderr. */
  async said(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await this.#sign();
  }

  /** Number of printed lines that were not read. */
  get waiting(): number {
    return this.#lines.length;
  }

  /** Sends Ctrl-C; returns the exit code. */
  interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null) resolve(this.#child.exitCode);
      else this.#child.once('close', (code) => resolve(code));
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #sign(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }
}
