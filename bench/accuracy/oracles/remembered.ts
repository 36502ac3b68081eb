import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { benchFolder } from '../../corpora.ts';

/** Increase it when an oracle's answer to the same question changes. */
const oracleVersion = 1;

/** Answers of oracles, cached on disk: a tree is identified by its content, so no question is asked twice. */
export class Remembered {
  readonly #folder = benchFolder('oracles');
  readonly #about: readonly unknown[];

  /** @param about what an answer depends on besides the question: the tool, its settings, what is installed. */
  constructor(about: readonly unknown[]) {
    this.#about = [oracleVersion, ...about];
  }

  read<T>(question: readonly unknown[]): T | undefined {
    try {
      return JSON.parse(readFileSync(this.#path(question), 'utf8')) as T;
    } catch {
      return undefined;
    }
  }

  write(question: readonly unknown[], answer: unknown): void {
    const path = this.#path(question);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(answer));
    renameSync(`${path}.${process.pid}`, path);
  }

  #path(question: readonly unknown[]): string {
    const id = createHash('sha256')
      .update(JSON.stringify([this.#about, question]))
      .digest('hex');
    return join(this.#folder, id.slice(0, 2), id);
  }
}
