import { mkdirSync } from 'node:fs';
import { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { exitCodes } from '#schema/exit-codes.ts';

export interface Remote {
  /** https, or http on this machine. */
  readonly url: string;
  /** `user:password`; null: anonymous. */
  readonly login: string | null;
}

/** Full name on the remote → name in the mirror: refs/pull/12/head → refs/pull/12. */
export type WantedRefs = ReadonlyMap<string, string>;

const tries = 3;

/**
 * Creates or updates a bare repository with the wanted refs, as far as the remote has them: no checkout, no hooks, no submodules. Returns
 * the names (on the remote) that the remote lacks.
 */
export async function mirrorRefs(
  dir: string,
  remote: Remote,
  wanted: WantedRefs,
): Promise<readonly string[]> {
  const names = [...wanted.keys()];
  assertNames(names);
  mkdirSync(dir, { recursive: true });
  const git = remoteGit(dir, remote);
  for (let tried = 1; ; tried++) {
    try {
      return await fetchOnce(git, dir, remote, wanted);
    } catch (error) {
      // A ref may vanish between the two calls, and networks fail for a moment.
      if (!(error instanceof GitError) || error.code !== 'git-failed' || tried === tries)
        throw explained(error, remote);
    }
  }
}

async function fetchOnce(git: Git, dir: string, { url }: Remote, wanted: WantedRefs): Promise<string[]> {
  const listed = await git.text(['ls-remote', '--quiet', '--end-of-options', url, ...wanted.keys()]);
  const there = new Map(
    listed.split('\n').flatMap((line): [string, string][] => {
      const [id = '', name] = line.split('\t');
      return name === undefined ? [] : [[name, id]];
    }),
  );
  const [anyId = ''] = there.values();
  await git.run([
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--object-format=${anyId.length === 64 ? 'sha256' : 'sha1'}`,
    dir,
  ]);
  const found = [...wanted].filter(([name]) => there.has(name));
  if (found.length > 0) {
    await git.run(
      [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--stdin',
        '--end-of-options',
        url,
      ],
      { input: found.map(([name, own]) => `+${name}:${own}\n`).join('') },
    );
  }
  return [...wanted.keys()].filter((name) => !there.has(name));
}

/** The login is passed in git's environment and sent to this address only. */
function remoteGit(dir: string, { url, login }: Remote): Git {
  const header = login === null ? [] : [`Authorization: Basic ${Buffer.from(login).toString('base64')}`];
  return new Git({
    cwd: dir,
    env: { GIT_ALLOW_PROTOCOL: 'https:http', GIT_ASKPASS: '', SSH_ASKPASS: '' },
    config: [
      ['credential.helper', ''],
      ['http.followRedirects', 'false'],
      ...header.map((value): [string, string] => [`http.${url}.extraHeader`, value]),
    ],
  });
}

/** Names come from outside: a name that is an option, a pattern or more than one line is refused. */
function assertNames(names: readonly string[]): void {
  const bad = names.find(
    (name) => !/^refs\/[^\s~^:?*[\\\p{Cc}]+$/u.test(name) || /\.\.|\/\/|\/$|\.lock$|@\{/.test(name),
  );
  if (bad === undefined) return;
  throw new GitError('bad-ref-name', `${JSON.stringify(bad)} is not a valid branch name`, {
    hint: 'name branches of the repository, for example: feat/a',
  });
}

function explained(error: unknown, { url }: Remote): unknown {
  if (!(error instanceof GitError) || error.code !== 'git-failed') return error;
  return new GitError('fetch-failed', `${url} cannot be fetched: ${error.message}`, {
    exitCode: exitCodes.needsPerson,
    hint: 'may the token read the repository? run the job again',
    cause: error,
  });
}

/** Points a ref of the mirror at a commit that the mirror has. */
export async function pinRef(dir: string, name: string, commit: string): Promise<void> {
  await new Git({ cwd: dir }).run(['update-ref', name, commit]);
}
