import { execFileSync } from 'node:child_process';

/** Commits of squashed pull requests in a bare clone, written again onto other commits as if they had been made in parallel. */
export class Picker {
  readonly #clone: string;

  constructor(clone: string) {
    this.#clone = clone;
  }

  /** The change of a commit on top of another one; null if it does not apply there, or is there already. */
  pick(onto: string, commit: string): string | null {
    // Git finds the parent as the ancestor of two commits that are made for it.
    const parent = this.#commitOf(`${commit}^1`, []);
    try {
      const [tree = ''] = this.git(
        'merge-tree',
        '--write-tree',
        this.#commitOf(onto, [parent]),
        this.#commitOf(commit, [parent]),
      ).split('\n');
      return tree === this.git('rev-parse', `${onto}^{tree}`) ? null : this.#commitOf(tree, [onto]);
    } catch {
      return null;
    }
  }

  git(...args: string[]): string {
    const who = { NAME: 'bench', EMAIL: 'bench@example.org', DATE: '2026-01-01T00:00:00Z' };
    const env = Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]);
    return execFileSync('git', args, {
      cwd: this.#clone,
      encoding: 'utf8',
      env: { ...process.env, ...Object.fromEntries(env) },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    }).trim();
  }

  #commitOf(treeish: string, parents: readonly string[]): string {
    const tree = this.git('rev-parse', `${treeish}^{tree}`);
    return this.git('commit-tree', tree, '-m', 'picked', ...parents.flatMap((parent) => ['-p', parent]));
  }
}
