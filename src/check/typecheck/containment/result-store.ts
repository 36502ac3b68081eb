import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const mostBytes = 128 * 1024 * 1024;

/**
 * Answers of checkers, cached between runs: one file for each question. An answer that cannot be read or does
 * not match its checksum is ignored.
 */
export class ResultStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  read(question: readonly unknown[]): unknown {
    try {
      const file = this.#file(question);
      const text = readFileSync(file, 'utf8');
      const end = text.indexOf('\n');
      const answer = text.slice(end + 1);
      if (digest(answer) !== text.slice(0, end)) return undefined;
      const now = new Date();
      utimesSync(file, now, now);
      return JSON.parse(answer);
    } catch {
      return undefined;
    }
  }

  write(question: readonly unknown[], answer: unknown): void {
    const file = this.#file(question);
    const draft = `${file}.${process.pid}`;
    const text = JSON.stringify(answer);
    try {
      mkdirSync(this.#dir, { recursive: true });
      writeFileSync(draft, `${digest(text)}\n${text}`);
      renameSync(draft, file);
    } catch {
      // A cache that cannot be written costs only time.
    }
  }

  /** Keeps the newest answers up to the size limit. */
  trim(): void {
    try {
      const files = readdirSync(this.#dir).map((name) => {
        const { size, mtimeMs } = statSync(join(this.#dir, name));
        return { name, size, mtimeMs };
      });
      let total = 0;
      for (const { name, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
        total += size;
        if (total > mostBytes) rmSync(join(this.#dir, name), { force: true });
      }
    } catch {
      // Another process is clearing the cache.
    }
  }

  #file(question: readonly unknown[]): string {
    return join(this.#dir, `${digest(JSON.stringify(question))}.json`);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
