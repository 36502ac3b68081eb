import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord } from '#lib/shell-word.ts';
import { repoKey } from '#schema/paths.ts';
import { Git } from './git.ts';
import { GitError } from './git-error.ts';

/** A repository as found on disk. Nothing here writes to it. */
export interface Repository {
  /** Git with the user's configuration: use it for names, refs and worktrees only. */
  readonly git: Git;
  /** The folder it was opened from: paths that people type are relative to it. */
  readonly from: string;
  /** Real path of the common git directory, shared by all worktrees. */
  readonly commonDir: string;
  readonly objectsDir: string;
  /** Top of the working tree; null in a bare repository. */
  readonly workTree: string | null;
  /** Name of the folders that Joinery keeps for this repository: `shop-1a2b3c4d`. */
  readonly key: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly isShallow: boolean;
  /** The commits of the `names` that were resolved when the repository was opened. */
  readonly commits: ReadonlyMap<string, string>;
}

/** Also resolves `names`, if git knows all of them: a process for that alone costs more than the answer. */
export async function openRepository(dir: string, names: readonly string[] = []): Promise<Repository> {
  const git = new Git({ cwd: dir });
  const plain = [...new Set(names)].filter((name) => /^\w+([./-]\w+)*$/.test(name));
  const asked = await probe(git, plain);
  const { code, stderr, facts, commits, top } = asked.isWhole ? asked : await probe(git, []);
  const [common = '', objects = '', format = '', shallow = '', bare] = facts;
  if (bare === undefined) throw notARepository(dir, stderr);
  const commonDir = realpathSync(resolve(dir, common));
  const workTree = code === 0 ? top.join('\n') : null;
  return {
    git,
    from: dir,
    commonDir,
    objectsDir: realpathSync(resolve(dir, objects)),
    workTree,
    key: repoKey(commonDir),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    isShallow: shallow === 'true',
    commits,
  };
}

const questions = [
  '--git-common-dir',
  '--git-path',
  'objects',
  '--show-object-format',
  '--is-shallow-repository',
  '--is-bare-repository',
];
const factCount = 5;
/** Git only reads a few small files here: after this time it waits for something that never comes. */
const longestProbeMs = 60_000;

async function probe(git: Git, names: readonly string[]) {
  const commitsOf = names.map((name) => `${name}^{commit}`);
  // `--show-toplevel` comes last: in a bare repository git stops there.
  const { code, stdout, stderr } = await git.run(
    ['rev-parse', ...questions, ...commitsOf, '--show-toplevel'],
    { accept: [0, 128], timeoutMs: longestProbeMs },
  );
  const lines = stdout.toString('utf8').replace(/\n$/, '').split('\n');
  const ids = lines.slice(factCount, factCount + names.length);
  return {
    code,
    stderr,
    facts: lines.slice(0, factCount),
    commits: new Map(names.map((name, index) => [name, ids[index] ?? ''])),
    top: lines.slice(factCount + names.length),
    /** At a name that it does not know, git prints the name and stops. */
    isWhole: ids.length === names.length && ids.every((id) => /^[\da-f]{40,64}$/.test(id)),
  };
}

function notARepository(dir: string, stderr: string): GitError {
  if (/dubious ownership/.test(stderr)) {
    return new GitError('unsafe-repository', `git refuses ${dir}: it belongs to another user`, {
      hint: `if you trust it: git config --global --add safe.directory ${shellWord(dir)}`,
    });
  }
  if (/not a git repository/i.test(stderr)) {
    return new GitError('not-a-repository', `${dir} is not inside a git repository`, {
      hint: 'go into a repository, or name one with -C <dir>',
    });
  }
  return new GitError(
    'unreadable-repository',
    `${dir} cannot be read as a git repository: ${stderr.split('\n')[0]}`,
  );
}
