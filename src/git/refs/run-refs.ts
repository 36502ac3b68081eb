import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { type LockPolicy, ownLocks, transact } from './ref-transaction.ts';

export interface RunRefsOptions {
  readonly commonDir: string;
  /** Called for each lock that was waited for or removed. */
  readonly report?: (what: string) => void;
  /** Whether the log knows no newer holder: then a fence above ours was raised by a process that holds nothing. */
  readonly isHolder?: () => boolean;
}

/** Gives up on a ref that another process moved this many times between our read and our write. */
const mostTries = 20;

/**
 * The refs of one run, for one holder. Each move and the comparison with the fence are one git transaction: a process that was replaced
 * while it slept cannot move a ref, however late it wakes up.
 */
export class RunRefs {
  readonly git: Git;
  readonly #objects: ObjectReader;
  readonly #fence: string;
  readonly #mark: string;
  readonly #token: number;
  readonly #locks: LockPolicy;
  readonly #isHolder: () => boolean;
  readonly #written = new Map<string, string | null>();
  #writes = 0;
  #inFlight = 0;

  private constructor(
    git: Git,
    token: number,
    fence: string,
    mark: string,
    locks: LockPolicy,
    isHolder: () => boolean,
  ) {
    this.git = git;
    this.#isHolder = isHolder;
    this.#token = token;
    this.#objects = new ObjectReader(git);
    this.#fence = fence;
    this.#mark = mark;
    this.#locks = locks;
  }

  /** Raises the fence to the holder's token. Throws when a newer holder has done so already. */
  static async raise(
    git: Git,
    run: string,
    token: number,
    { commonDir, report = () => {}, isHolder = () => false }: RunRefsOptions,
  ): Promise<RunRefs> {
    const fence = `refs/joinery/${run}/fence`;
    const mark = await git.text(['hash-object', '-w', '--stdin'], { input: `${token}\n` });
    const locks = { folder: commonDir, isOurs: ownLocks(commonDir, run), report };
    const refs = new RunRefs(git, token, fence, mark, locks, isHolder);
    try {
      await refs.#takeFence({ mayMake: true });
      return refs;
    } catch (error) {
      refs.close();
      throw error;
    }
  }

  /** Restores a fence that was not moved by a newer holder. A missing fence was pruned together with its run. */
  async #takeFence({ mayMake = false } = {}): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      const seen = await readObject(this.git, this.#fence);
      if (seen === this.#mark) return;
      const isNewer = seen === null ? !mayMake : (await tokenIn(this.git, seen)) > this.#token;
      if (isNewer && !(seen !== null && this.#isHolder())) throw fenced(this.#fence);
      if (isNewer)
        this.#locks.report(`${this.#fence} was not raised by a holder of the run; it was restored`);
      if (await transact(this.git, [update(this.#fence, this.#mark, seen)], this.#locks)) return;
    }
    throw restless(this.#fence);
  }

  /** The commit a ref points to now; null when there is no such ref. */
  read(ref: string): Promise<string | null> {
    return this.#resolve(`${ref}^{commit}`);
  }

  async treeOf(commit: string): Promise<string> {
    const tree = await this.#resolve(`${commit}^{tree}`);
    if (tree === null)
      throw new GitError('objects-missing', `commit ${commit} is gone`, { exitCode: exitCodes.environment });
    return tree;
  }

  /** Throws when a newer holder has raised the fence: the files there belong to that holder. */
  async assertHeld(): Promise<void> {
    if ((await this.#resolve(this.#fence)) !== this.#mark) await this.#takeFence();
  }

  close(): void {
    this.#objects.close();
  }

  /** Asks a long-lived git, because starting one costs more than the answer. Ctrl-C may have ended it. */
  async #resolve(name: string): Promise<string | null> {
    const header = await this.#objects.header(name).catch(() => undefined);
    return header === undefined ? readObject(this.git, name) : (header?.id ?? null);
  }

  /** Where this holder last put a ref; null: it removed the ref; undefined: it never moved the ref. */
  written(ref: string): string | null | undefined {
    return this.#written.get(ref);
  }

  /** How many writes have ended; null while one is in progress. A value read during a write may be older than `written`. */
  get writes(): number | null {
    return this.#inFlight === 0 ? this.#writes : null;
  }

  get fence(): string {
    return this.#fence;
  }

  /** Moves a ref only from the value that was seen; null: it must not exist. False: another process moved it in between. */
  async move(ref: string, to: string, from: string | null): Promise<boolean> {
    return this.#write(ref, to, update(ref, to, from));
  }

  /** Removes a ref, but only at the value that was seen. */
  async remove(ref: string, from: string): Promise<boolean> {
    return this.#write(ref, null, `delete ${ref}\0${from}\0`);
  }

  async #write(ref: string, to: string | null, command: string): Promise<boolean> {
    this.#inFlight += 1;
    try {
      for (let tries = 0; tries < mostTries; tries++) {
        const verify = `verify ${this.#fence}\0${this.#mark}\0`;
        const isDone = await transact(this.git, [verify, command], this.#locks);
        const isHeld = isDone || (await readObject(this.git, this.#fence)) === this.#mark;
        if (!isHeld) await this.#takeFence();
        else if (!isDone && (await readObject(this.git, ref)) !== to) return false;
        else {
          this.#written.set(ref, to);
          return true;
        }
      }
      throw restless(ref);
    } finally {
      this.#inFlight -= 1;
      this.#writes += 1;
    }
  }

  /** Moves a ref from any old value: for refs that only the run writes. */
  async set(ref: string, to: string): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      const from = await this.read(ref);
      if (from === to || (await this.move(ref, to, from))) return;
    }
    throw restless(ref);
  }
}

function update(ref: string, to: string, from: string | null): string {
  return `update ${ref}\0${to}\0${from ?? '0'.repeat(to.length)}\0`;
}

async function readObject(git: Git, ref: string): Promise<string | null> {
  const result = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', ref], {
    accept: [0, 1, 128],
  });
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
}

function fenced(fence: string): GitError {
  return new GitError('fenced', `another process took over this run: ${fence} was raised`, {
    exitCode: exitCodes.environment,
    hint: 'watch it: joinery logs -f',
  });
}

/** 0 when the blob is not a token: an agent or a person put it there. */
async function tokenIn(git: Git, fence: string): Promise<number> {
  const { code, stdout } = await git.run(['cat-file', 'blob', fence], { accept: [0, 1, 128] });
  const token = Number(stdout.toString('utf8'));
  return code === 0 && Number.isSafeInteger(token) ? token : 0;
}

function restless(ref: string): GitError {
  return new GitError('ref-restless', `${ref} was moved by another process ${mostTries} times in a row`, {
    exitCode: exitCodes.environment,
    hint: 'find out who moves it (git reflog), then: joinery resume',
  });
}
