import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CheckerFailure,
  checkerEnvironment,
  endGroup,
  ownGroup,
} from '#check/typecheck/containment/containment.ts';
import { limitCpu } from '#check/typecheck/containment/cpu-limit.ts';
import type { Effort } from '#check/typecheck/containment/effort.ts';
import type { Answer, Request } from './messages.ts';

const keptErrorOutput = 2000;
const program = fileURLToPath(new URL(`./checker-process${extname(import.meta.filename)}`, import.meta.url));

/** The other end of `checker-process.ts`. Whatever happens there, a call here ends within the limit of CPU time. */
export class CheckerClient {
  readonly #child: ChildProcess;
  readonly #timeLimitMs: number;
  readonly #effort: Effort;
  #errors = '';
  #ended: CheckerFailure | null = null;
  #pending: { settle(answer: Answer): void; fail(failure: CheckerFailure): void } | null = null;

  constructor(cwd: string, timeLimitMs: number, effort: Effort) {
    this.#timeLimitMs = timeLimitMs;
    this.#effort = effort;
    this.#child = fork(program, [], {
      cwd,
      env: checkerEnvironment(),
      execArgv: ['--max-old-space-size=6144', '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: ownGroup,
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#errors.length < keptErrorOutput) this.#errors += text.slice(0, keptErrorOutput);
    });
    this.#child.on('message', (answer: Answer) => this.#pending?.settle(answer));
    this.#child.on('error', (error) => this.#end(new CheckerFailure('crashed', error.message)));
    this.#child.on('exit', (code, signal) => {
      endGroup(this.#child.pid);
      this.#end(this.#crash(code, signal));
    });
  }

  #crash(code: number | null, signal: NodeJS.Signals | null): CheckerFailure {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const said = this.#errors.split('\n').find((line) => /error|exception|panic|fatal/i.test(line));
    return new CheckerFailure('crashed', said ? `it ${how}: ${said.trim().slice(0, 200)}` : `it ${how}`);
  }

  async ask<Type extends Answer['type']>(
    request: Request,
    expected: Type,
  ): Promise<Extract<Answer, { type: Type }>> {
    const answer = await this.#answerTo(request);
    if (answer.type === expected) return answer as Extract<Answer, { type: Type }>;
    const reason = answer.type === 'failed' ? answer.reason : `it answered ${JSON.stringify(answer.type)}`;
    throw new CheckerFailure(request.type === 'open' ? 'unloadable' : 'crashed', reason);
  }

  #answerTo(request: Request): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const unlimited = limitCpu(this.#child.pid ?? 0, this.#timeLimitMs, {
        onSpent: (cpuMs) => this.#effort.spend(cpuMs),
        onExceeded: () => {
          this.#end(CheckerFailure.timeout(this.#timeLimitMs));
          this.close();
        },
      });
      this.#pending = {
        settle: (answer) => {
          unlimited();
          this.#pending = null;
          resolve(answer);
        },
        fail: (failure) => {
          unlimited();
          this.#pending = null;
          reject(failure);
        },
      };
      this.#child.send(request, (error) => error && this.#end(new CheckerFailure('crashed', error.message)));
    });
  }

  #end(failure: CheckerFailure): void {
    this.#ended ??= failure;
    this.#pending?.fail(this.#ended);
  }

  /** Ends the process and all it started, which may outlive it. */
  close(): void {
    this.#ended ??= new CheckerFailure('crashed', 'it was closed');
    endGroup(this.#child.pid);
    this.#child.stderr?.destroy();
    this.#child.unref();
    if (this.#child.connected) this.#child.disconnect();
  }
}
