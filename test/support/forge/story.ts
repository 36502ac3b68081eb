import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '#cli/args/invocation.ts';
import { parseCommandLine } from '#cli/args/parse.ts';
import { ciTable } from '#cli/commands/ci.table.ts';
import { run } from '#cli/commands/ci.ts';
import { explainFailure } from '#cli/terminal/failure.ts';
import { createPaint } from '#cli/terminal/paint.ts';
import { type Files, GitRepository } from '../git-repository.ts';
import { type Outcome, temporaryFolder } from '../joinery.ts';
import type { ForgeServer, ToldPull } from './forge-server.ts';

const api = { 'app/__init__.py': '', 'app/api.py': 'def get(id):\n    return id\n' };
const renames = { 'app/api.py': 'def fetch(id):\n    return id\n' };
const uses = { 'app/use.py': 'from app.api import get\n\nget(1)\n' };

/** The ref under which a forge stores the commits of a pull request. */
type HeadOf = (number: number) => string;
export const githubHead: HeadOf = (number) => `refs/pull/${number}/head`;
export const gitlabHead: HeadOf = (number) => `refs/merge-requests/${number}/head`;

/**
 * Five open pull requests: 1 renames what 2 starts to use, 3 comes from a fork and fits, the fork of 4 was deleted, and
 * the forge lost the commits of 5. 6 goes into another branch.
 */
export function clashingPulls(headOf: HeadOf): { repository: GitRepository; pulls: ToldPull[] } {
  const repository = new GitRepository();
  repository.commit(api);
  repository.git('branch', 'release');
  addPull(repository, headOf(1), renames);
  addPull(repository, headOf(2), uses);
  addPull(repository, headOf(3), { 'docs/a.md': 'a\n' });
  addPull(repository, headOf(4), { 'docs/b.md': 'b\n' });
  addPull(repository, headOf(6), { 'app/api.py': 'def other(id):\n    return id\n' });
  return {
    repository,
    pulls: [
      { number: 1, title: 'Rename get | to *fetch* @everyone', author: 'alice' },
      { number: 2, title: 'Use get', author: 'bob' },
      { number: 3, title: 'Docs', author: 'carol', from: 'fork' },
      { number: 4, title: 'More docs', author: 'dave', from: 'gone' },
      { number: 5, title: 'Lost', author: 'erin' },
      { number: 6, title: 'For a release', author: 'frank', base: 'release' },
    ],
  };
}

/** Adds commits that no branch of the repository has. */
export function addPull(repository: GitRepository, ref: string, files: Files, from = 'main'): string {
  const commit = repository.branch('joinery-test-head', files, from);
  repository.git('update-ref', ref, commit);
  repository.git('branch', '-q', '-D', 'joinery-test-head');
  return commit;
}

/** The variables of a job of GitHub Actions. */
export function githubJob({ url, state }: ForgeServer, event: unknown): Record<string, string> {
  const folder = temporaryFolder();
  const file = join(folder, 'event.json');
  writeFileSync(file, JSON.stringify(event));
  return {
    ...quietJob(folder),
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: `${url}/api/v3`,
    GITHUB_SERVER_URL: url,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_PATH: file,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_SHA: 'c'.repeat(40),
    GITHUB_REF: 'refs/pull/2/merge',
    GITHUB_TOKEN: state.token,
  };
}

export const pullEvent = (number: number, base = 'main') => ({
  pull_request: { number, base: { ref: base } },
});

/** The variables of a job of GitLab CI. */
export function gitlabJob({ url, state }: ForgeServer, number: number | null): Record<string, string> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'project'));
  return {
    ...quietJob(folder),
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${url}/api/v4`,
    CI_SERVER_URL: url,
    CI_PROJECT_ID: '42',
    CI_PROJECT_PATH: 'acme/shop',
    CI_PROJECT_DIR: join(folder, 'project'),
    CI_JOB_TOKEN: state.token,
    JOINERY_GITLAB_TOKEN: state.token,
    ...(number === null
      ? {}
      : { CI_MERGE_REQUEST_IID: String(number), CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }),
  };
}

function quietJob(folder: string): Record<string, string> {
  return {
    JOINERY_CACHE_DIR: join(folder, 'cache'),
    JOINERY_STATE_DIR: join(folder, 'state'),
    // A job may run behind a proxy; a server on this machine is reached directly.
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    http_proxy: '',
    https_proxy: '',
  };
}

/** Runs `joinery ci` in a job, within this process: a separate process would take longer than the work. */
export async function inJob(env: Record<string, string>, ...args: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const { options, globals, positionals } = parseCommandLine(ciTable, args);
  const paint = createPaint(false);
  const note = (text: string) => {
    written.stderr += `${text}\n`;
  };
  const print = (text: string) => {
    written.stdout += text.endsWith('\n') ? text : `${text}\n`;
  };
  const invocation: Invocation<typeof ciTable> = {
    options,
    globals,
    positionals,
    cwd: temporaryFolder(),
    env: { ...process.env, ...env },
    terminal: {
      paint,
      width: 80,
      print,
      printJson: (value) => print(JSON.stringify(value)),
      warn: note,
      note,
      progress() {},
      settle() {},
    },
    onInterrupt: () => () => {},
    decision: null,
  };
  try {
    return { code: await run(invocation), signal: null, ...written };
  } catch (error) {
    const { exitCode, text, envelope } = explainFailure(error, globals.verbose === true);
    note(text);
    if (globals.json) print(JSON.stringify(envelope));
    return { code: exitCode, signal: null, ...written };
  }
}
