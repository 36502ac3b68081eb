import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { exitCodes } from '#schema/exit-codes.ts';

export interface ObjectHeader {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

export interface Blob {
  readonly size: number;
  /** Null when it is larger than asked for. */
  readonly content: Buffer | null;
}

/** Nothing that is read whole is larger. */
export const mostContent = 8 * 1024 * 1024;

interface Pending {
  readonly name: string;
  readonly wantsContent: boolean;
  settle(header: ObjectHeader | null, content: Buffer | null): void;
  fail(error: Error): void;
}

/** One long-lived `cat-file --batch-command`: questions go in at once, answers come back in order. */
export class ObjectReader {
  readonly #git: Git;
  #child: ChildProcessWithoutNullStreams | null = null;
  readonly #queue: Pending[] = [];
  /** Written together: a pipe is slow to wake the other side for each line. */
  #unsent = '';
  #received: Buffer[] = [];
  #receivedLength = 0;
  #awaited: { header: ObjectHeader; end: number } | null = null;
  #stderr = '';
  #ended = false;
  /** Content that the repository does not have was asked for: what was concluded without it may change. */
  sawMissing = false;

  constructor(git: Git) {
    this.#git = git;
  }

  /** Resolves any object name (`feat/a^{commit}`); null when there is no such object. */
  header(name: string): Promise<ObjectHeader | null> {
    return this.#ask('info', name, (header) => header);
  }

  /** Content of an object by id; null when the repository does not have it, or when it is larger than we read. */
  async content(id: string, maxBytes = mostContent): Promise<Buffer | null> {
    return (await this.blob(id, maxBytes))?.content ?? null;
  }

  /** Null when the repository does not have it. Git unpacks only what is small enough: a few bytes can stand for all memory. */
  async blob(id: string, maxBytes: number): Promise<Blob | null> {
    const header = await this.header(id);
    if (!header || header.size > maxBytes) return header && { size: header.size, content: null };
    return this.#ask('contents', header.id, (_, content) => content && { size: header.size, content });
  }

  close(): void {
    this.#send();
    this.#ended = true;
    this.#child?.stdin.end();
  }

  /** Started by the first question. */
  #open(): ChildProcessWithoutNullStreams {
    const child = this.#git.spawn(['cat-file', '--batch-command']);
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString('utf8');
    });
    child.stdin.on('error', () => {});
    child.on('error', (cause) => this.#failAll(GitError.notStarted(cause)));
    child.on('close', (code) => {
      this.#ended = true;
      this.#failAll(GitError.fromRun(['cat-file'], { code: code ?? 128, stderr: this.#stderr }));
    });
    return child;
  }

  #ask<T>(
    command: 'info' | 'contents',
    name: string,
    answer: (header: ObjectHeader | null, content: Buffer | null) => T,
  ): Promise<T> {
    if (/[\n\0]/.test(name)) return Promise.resolve(answer(null, null));
    if (this.#ended)
      return Promise.reject(
        new GitError('git-failed', 'git cat-file has ended', { exitCode: exitCodes.environment }),
      );
    this.#git.prepare(name);
    this.#child ??= this.#open();
    if (this.#unsent === '') process.nextTick(() => this.#send());
    return new Promise((resolve, reject) => {
      this.#queue.push({
        name,
        wantsContent: command === 'contents',
        settle: (header, content) => resolve(answer(header, content)),
        fail: reject,
      });
      this.#unsent += `${command} ${name}\n`;
    });
  }

  #send(): void {
    if (this.#unsent !== '' && !this.#ended) this.#child?.stdin.write(this.#unsent);
    this.#unsent = '';
  }

  #receive(received: Buffer): void {
    this.#received.push(received);
    this.#receivedLength += received.length;
    // A large object arrives in many chunks: wait until all of it is here instead of joining at each one.
    if (this.#awaited && this.#receivedLength < this.#awaited.end) return;
    let buffer = this.#received.length === 1 ? received : Buffer.concat(this.#received);
    for (let used = this.#settleNext(buffer); used > 0; used = this.#settleNext(buffer))
      buffer = buffer.subarray(used);
    this.#received = buffer.length > 0 ? [buffer] : [];
    this.#receivedLength = buffer.length;
  }

  /** Settles the first pending question when its whole answer is here; returns the bytes it took. */
  #settleNext(buffer: Buffer): number {
    const pending = this.#queue[0];
    if (!pending) return 0;
    const lineEnd = buffer.indexOf(10);
    if (lineEnd < 0) return 0;
    const header = parseHeader(buffer.toString('utf8', 0, lineEnd));
    if (!header || !pending.wantsContent) {
      this.sawMissing ||= !header;
      this.#queue.shift();
      pending.settle(header, null);
      return lineEnd + 1;
    }
    const end = lineEnd + 1 + header.size;
    if (buffer.length < end + 1) {
      this.#awaited = { header, end: end + 1 };
      return 0;
    }
    this.#awaited = null;
    this.#queue.shift();
    const content = Buffer.from(buffer.subarray(lineEnd + 1, end));
    if (isGenuine(pending.name, header, content)) pending.settle(header, content);
    else pending.fail(damaged(pending.name));
    return end + 1;
  }

  #failAll(error: Error): void {
    for (const pending of this.#queue.splice(0)) pending.fail(error);
  }
}

/** Git does not compare an object with its id, and any process with write access can put anything there. */
function isGenuine(name: string, { type }: ObjectHeader, content: Buffer): boolean {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return true;
  const hash = createHash(name.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`${type} ${content.length}\0`).update(content).digest('hex') === name;
}

export function damaged(id: string): GitError {
  return new GitError('objects-damaged', `object ${id} of the repository is not what its name says`, {
    exitCode: exitCodes.environment,
    hint: 'look what is damaged with: git fsck --full',
  });
}

/** `<id> <type> <size>`; anything else (`… missing`, `… ambiguous`) means there is no such object. */
function parseHeader(line: string): ObjectHeader | null {
  const match = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(line);
  return match?.[1] && match[2] ? { id: match[1], type: match[2], size: Number(match[3]) } : null;
}
