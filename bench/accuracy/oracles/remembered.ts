import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { benchFolder } from '../../corpora.ts';

/** Raise when an oracle answers the same question otherwise than before. */
const oracleVersion = 1;

/** What oracles said, kept on disk: a tree is named by its content, so that no question needs a second answer. */
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
