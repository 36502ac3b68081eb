import type { Git } from './git.ts';
import { GitError } from './git-error.ts';
import { ObjectReader } from './object-reader.ts';

/**
 * The refs of one run, for one holder. Each move and the comparison with the fence are one transaction of git: a
 * process that was replaced while it slept cannot move anything any more, however late it wakes up.
 */
export class RunRefs {
  readonly git: Git;
  readonly #objects: ObjectReader;
  readonly #fence: string;
  readonly #mark: string;

  private constructor(git: Git, fence: string, mark: string) {
    this.git = git;
    this.#objects = new ObjectReader(git);
    this.#fence = fence;
    this.#mark = mark;
  }

  /** Raises the fence to the holder's token. Throws when a newer holder has done so already. */
  static async raise(git: Git, run: string, token: number): Promise<RunRefs> {
    const fence = `refs/joinery/${run}/fence`;
    const mark = await git.text(['hash-object', '-w', '--stdin'], { input: `${token}\n` });
    for (;;) {
      const seen = await readObject(git, fence);
      const standing = seen === null ? 0 : Number(await git.text(['cat-file', 'blob', seen]));
      if (standing > token) throw fenced(fence);
      if (seen === mark || (await transact(git, [update(fence, mark, seen)])))
        return new RunRefs(git, fence, mark);
    }
  }

  /** The commit a ref points to now; null when there is no such ref. */
  read(ref: string): Promise<string | null> {
    return this.#resolve(`${ref}^{commit}`);
  }

  async treeOf(commit: string): Promise<string> {
    const tree = await this.#resolve(`${commit}^{tree}`);
    if (tree === null) throw new GitError('objects-missing', `commit ${commit} is gone`, { exitCode: 5 });
    return tree;
  }

  /** Throws when a newer holder has raised the fence: whatever lies there is its own by now. */
  async assertHeld(): Promise<void> {
    if ((await this.#resolve(this.#fence)) !== this.#mark) throw fenced(this.#fence);
  }

  close(): void {
    this.#objects.close();
  }

  /** Asked of a git that stays, because starting one costs more than the answer. Ctrl-C may have ended it. */
  async #resolve(name: string): Promise<string | null> {
    const header = await this.#objects.header(name).catch(() => undefined);
    return header === undefined ? readObject(this.git, name) : (header?.id ?? null);
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
