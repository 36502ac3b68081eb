import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkerEnvironment } from '#check/typecheck/containment/checker-environment.ts';
import { CheckerFailure, endGroup, ownGroup } from '#check/typecheck/containment/containment.ts';
import { limitCpu } from '#check/typecheck/containment/cpu-limit.ts';
import type { Effort } from '#check/typecheck/containment/effort.ts';
import { limited, mostMemory } from '#process/limits.ts';
import type { Answer, Request } from './messages.ts';

const keptErrorOutput = 2000;

/** In seconds of CPU time, for all trees together: only a compiler that hangs reaches this. */
const longestLife = 7200;

const program = fileURLToPath(new URL(`./checker-process${extname(import.meta.filename)}`, import.meta.url));

/** Client of `checker-process.ts`. Whatever happens there, a call here ends within the CPU limit. */
export class CheckerClient {
  readonly #child: ChildProcess;
  readonly #timeLimitMs: number;
  readonly #effort: Effort;
  #errors = '';
  #ended: CheckerFailure | null = null;
  #pending: { settle(answer: Answer): void; fail(failure: CheckerFailure): void } | null = null;

  constructor(cwd: string, timeLimitMs: number, effort: Effort) {
    this.#timeLimitMs = timeLimitMs;
    const flags = ['--max-old-space-size=6144', '--disable-warning=ExperimentalWarning'];
    const node = limited(process.execPath, flags, { memoryBytes: mostMemory, cpuSeconds: longestLife });
    this.#effort = effort;
    this.#child = fork(program, [], {
      cwd,
      env: checkerEnvironment(),
      execPath: node.command,
      execArgv: node.args,
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
      this.#end(CheckerFailure.ended(signal, code, this.#errors));
    });
  }

  async ask<Type extends Answer['type']>(
    request: Request,
    expected: Type,
  ): Promise<Extract<Answer, { type: Type }>> {
    const answer = await this.#answerTo(request).catch((failure: CheckerFailure) => {
      // A compiler that does not even load has seen no file.
      throw request.type === 'open' ? new CheckerFailure(failure.kind, failure.message) : failure;
    });
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
      // Without a free file descriptor there is no channel; the child reports the reason.
      if (this.#child.connected)
        this.#child.send(
          request,
          (error) => error && this.#end(new CheckerFailure('crashed', error.message)),
        );
    });
  }

  #end(failure: CheckerFailure): void {
    this.#ended ??= failure;
    this.#pending?.fail(this.#ended);
  }

  /** Ends the process and everything it started, which may outlive it. */
  close(): void {
    this.#ended ??= new CheckerFailure('crashed', 'it was closed');
    endGroup(this.#child.pid);
    this.#child.stderr?.destroy();
    this.#child.unref();
    if (this.#child.connected) this.#child.disconnect();
  }
}
