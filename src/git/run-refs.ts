import { readRef } from './branches.ts';
import type { Git } from './git.ts';
import { GitError } from './git-error.ts';

/**
 * The refs of one run, for one holder. Each move and the comparison with the fence are one transaction of git: a
 * process that was replaced while it slept cannot move anything any more, however late it wakes up.
 */
export class RunRefs {
  readonly git: Git;
  readonly #fence: string;
  readonly #mark: string;

  private constructor(git: Git, fence: string, mark: string) {
    this.git = git;
    this.#fence = fence;
    this.#mark = mark;
  }

  /** Raises the fence to the holder's token. Throws when a newer holder has done so already. */
  static async raise(git: Git, run: string, token: number): Promise<RunRefs> {
    const fence = `refs/joinery/${run}/fence`;
    const mark = await git.text(['hash-object', '-w', '--stdin'], { input: `${token}\n` });
    const refs = new RunRefs(git, fence, mark);
    for (;;) {
      const seen = await readObject(git, fence);
      if (seen === mark) return refs;
      const standing = seen === null ? 0 : Number(await git.text(['cat-file', 'blob', seen]));
      if (standing > token) throw fenced(fence);
      if (await transact(git, [update(fence, mark, seen)])) return refs;
    }
  }

  read(ref: string): Promise<string | null> {
    return readRef(this.git, ref);
  }

  /** Moves a ref only from where it was seen; null: it must not exist. False: somebody moved it in between. */
  async move(ref: string, to: string, from: string | null): Promise<boolean> {
    if (await transact(this.git, [`verify ${this.#fence}\0${this.#mark}\0`, update(ref, to, from)]))
      return true;
    if ((await readObject(this.git, this.#fence)) !== this.#mark) throw fenced(this.#fence);
    return (await this.read(ref)) === to;
  }

  /** Moves a ref from wherever it is: for refs that nobody but the run has a say in. */
  async set(ref: string, to: string): Promise<void> {
    for (;;) {
      const from = await this.read(ref);
      if (from === to || (await this.move(ref, to, from))) return;
    }
  }
}

function update(ref: string, to: string, from: string | null): string {
  return `update ${ref}\0${to}\0${from ?? '0'.repeat(to.length)}\0`;
}

async function transact(git: Git, commands: readonly string[]): Promise<boolean> {
  const result = await git.run(['update-ref', '--no-deref', '--create-reflog', '--stdin', '-z'], {
    input: commands.join(''),
    accept: [0, 1, 128],
  });
  return result.code === 0;
}

async function readObject(git: Git, ref: string): Promise<string | null> {
  const result = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', ref], {
    accept: [0, 1, 128],
  });
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
}

function fenced(fence: string): GitError {
  return new GitError('fenced', `another process took over this run: ${fence} was raised`, {
    exitCode: 5,
    hint: 'watch it: joinery logs -f',
  });
}
