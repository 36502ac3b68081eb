import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { RecentBlobs } from './recent-blobs.ts';

export interface ObjectHeader {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

export interface Blob {
  readonly size: number;
  /** Null when it is larger than `maxBytes`. */
  readonly content: Buffer | null;
}

/** The largest object that is read as a whole. */
export const mostContent = 8 * 1024 * 1024;

interface Pending {
  readonly name: string;
  readonly wantsContent: boolean;
  settle(header: ObjectHeader | null, content: Buffer | null): void;
  fail(error: Error): void;
}

/** One long-lived `cat-file --batch-command`: requests are sent without waiting, answers come back in order. */
export class ObjectReader {
  readonly #git: Git;
  readonly #recent: RecentBlobs;
  #child: ChildProcessWithoutNullStreams | null = null;
  readonly #queue: Pending[] = [];
  /** Requests are written together: waking the other side of a pipe for each line is slow. */
  #unsent = '';
  #received: Buffer[] = [];
  #receivedLength = 0;
  #awaited: { header: ObjectHeader; end: number } | null = null;
  #stderr = '';
  #ended = false;
  /** Requested objects that the repository lacks: conclusions drawn without them may change. */
  readonly missing = new Set<string>();

  /** `mostRecentBytes`: how much of what was read is remembered, for those who read the same files again and again. */
  constructor(git: Git, { mostRecentBytes = 0 } = {}) {
    this.#git = git;
    this.#recent = new RecentBlobs(mostRecentBytes);
  }

  /** Resolves any object name (`feat/a^{commit}`); null when no such object exists. */
  header(name: string): Promise<ObjectHeader | null> {
    return this.#ask('info', name, (header) => header);
  }

  /** Content of an object by id; null when the repository lacks it or it is larger than `maxBytes`. */
  async content(id: string, maxBytes = mostContent): Promise<Buffer | null> {
    return (await this.blob(id, maxBytes))?.content ?? null;
  }

  /** Null when the repository lacks it. Checks the size before git unpacks the object: a few compressed bytes can fill all memory. */
  async blob(id: string, maxBytes: number): Promise<Blob | null> {
    const recent = this.#recent.get(id);
    if (recent) return { size: recent.length, content: recent.length > maxBytes ? null : recent };
    const header = await this.header(id);
    if (!header || header.size > maxBytes) return header && { size: header.size, content: null };
    const content = await this.#ask('contents', header.id, (_, found) => found);
    if (content) this.#recent.add(header.id, content);
    return content && { size: header.size, content };
  }

  close(): void {
    this.#send();
    this.#ended = true;
    this.#child?.stdin.end();
  }

  /** Starts git at the first request. */
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
    // A large object arrives in many chunks: wait until it is complete instead of joining the chunks each time.
    if (this.#awaited && this.#receivedLength < this.#awaited.end) return;
    let buffer = this.#received.length === 1 ? received : Buffer.concat(this.#received);
    for (let used = this.#settleNext(buffer); used > 0; used = this.#settleNext(buffer))
      buffer = buffer.subarray(used);
    this.#received = buffer.length > 0 ? [buffer] : [];
    this.#receivedLength = buffer.length;
  }

  /** Answers the first pending request when its whole answer has arrived; returns the number of bytes it consumed. */
  #settleNext(buffer: Buffer): number {
    const pending = this.#queue[0];
    if (!pending) return 0;
    const lineEnd = buffer.indexOf(10);
    if (lineEnd < 0) return 0;
    const header = parseHeader(buffer.toString('utf8', 0, lineEnd));
    if (!header || !pending.wantsContent) {
      if (!header) this.missing.add(pending.name);
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

/** Git does not compare an object with its id, and any process with write access can replace the file. */
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

/** `<id> <type> <size>`; anything else (`… missing`, `… ambiguous`) means that no such object exists. */
function parseHeader(line: string): ObjectHeader | null {
  const match = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(line);
  return match?.[1] && match[2] ? { id: match[1], type: match[2], size: Number(match[3]) } : null;
}
