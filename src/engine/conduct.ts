import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '../git/git.ts';
import { readWorktreeHead } from '../git/worktrees.ts';
import type { Incident } from '../model/run.ts';
import type { AttemptPlan } from './attempt.ts';
import type { TaskFlow } from './run-task.ts';
import { stepOf } from './state.ts';

/** Path → size, time and mode. */
type Marks = ReadonlyMap<string, string>;

/** What an attempt has no business to change, before it begins. */
interface Surroundings {
  /** Of everything in the main checkout that differs from its commit, and of git's own settings and hooks. */
  readonly outside: Marks;
  /** Moves of the worktree's HEAD that were made by us. */
  readonly moves: number;
}

export async function lookAround(flow: TaskFlow, plan: AttemptPlan): Promise<Surroundings> {
  const { repository } = flow.workshop;
  const [outside, head] = await Promise.all([marksOutside(flow), readWorktreeHead(repository, plan.path)]);
  return { outside, moves: head?.moves.length ?? 0 };
}

/** What the agent did besides its work. Git's own records tell; the agent is not asked. */
export async function conductSince(
  flow: TaskFlow,
  plan: AttemptPlan,
  before: Surroundings,
): Promise<Incident[]> {
  const { repository } = flow.workshop;
  const [outside, head, tip] = await Promise.all([
    marksOutside(flow),
    readWorktreeHead(repository, plan.path),
    flow.refs.read(`refs/heads/${plan.branch}`),
  ]);
  const moves = head?.moves.slice(before.moves) ?? [];
  const isElsewhere = head !== null && head.branch !== `refs/heads/${plan.branch}`;
  return [
    ...committed(
      moves.map(({ what }) => what),
      tip !== plan.from,
    ),
    ...switched(moves, isElsewhere, head?.branch ?? null),
    ...wroteOutside(before.outside, outside, othersAtWork(flow), flow.id),
  ];
}

function committed(moves: readonly string[], hasMoved: boolean): Incident[] {
  const own = moves.filter((what) => /^(commit|merge|rebase|cherry-pick|revert|am|pull)\b/.test(what));
  if (own.length === 0 && !hasMoved) return [];
  const first = own[0] === undefined ? '' : ` (${own[0]})`;
  const detail = `it moved its branch by itself${first}; its files were taken, its commits were not`;
  return [{ kind: 'committed', detail, isBlocking: false }];
}

/** Files that were changed on another branch are not what was asked for, however good they are. */
function switched(
  moves: readonly { readonly from: string; readonly to: string; readonly what: string }[],
  isElsewhere: boolean,
  branch: string | null,
): Incident[] {
  const away = moves.filter(
    ({ from, to, what }) => what.startsWith('checkout: ') || (what.startsWith('reset: ') && from !== to),
  );
  if (!isElsewhere && away.length === 0) return [];
  const where = isElsewhere
    ? `it left its branch for ${branch ?? 'none'}`
    : 'it left its branch and came back';
  const how = away[0] === undefined ? '' : ` (${away[0].what})`;
  return [{ kind: 'switched-branch', detail: `${where}${how}`, isBlocking: isElsewhere }];
}

/** Whoever else works in the main checkout is seen too: this is a remark, not a verdict. */
function wroteOutside(before: Marks, after: Marks, others: readonly string[], id: string): Incident[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  if (paths.length === 0) return [];
  const named = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
  const who = others.length === 0 ? 'it' : `one of ${[id, ...others].join(', ')}`;
  const detail = `while it worked, ${named} changed in the main checkout: ${who}, or somebody else, wrote there`;
  return [{ kind: 'wrote-outside', detail, isBlocking: false }];
}

/** Tasks of the run whose agents were at work in the same time: the traces of one cannot be told from another's. */
function othersAtWork({ state, id }: TaskFlow): string[] {
  const since = stepOf(state, id).attempts.at(-1)?.promptedAt ?? '';
  return [...state.steps.values()]
    .filter(({ task, attempts }) => {
      const isAtWork = attempts.some(
        ({ promptedAt, endedAt }) => promptedAt !== null && (endedAt === null || endedAt >= since),
      );
      return task.id !== id && isAtWork;
    })
    .map(({ task }) => task.id);
}

async function marksOutside({ workshop }: TaskFlow): Promise<Marks> {
  const { workTree, commonDir } = workshop.repository;
  const checkout = workTree === null ? [] : await changesIn(workTree, workshop.provisioning.folders);
  return new Map([...checkout, ...marksOfGit(commonDir)]);
}

/** What differs from the commit, new and ignored files included; an ignored folder counts as one thing. */
async function changesIn(workTree: string, except: readonly string[]): Promise<[string, string][]> {
  const { stdout, code } = await new Git({ cwd: workTree }).run(
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching'],
    { accept: [0, 128] },
  );
  if (code !== 0) return [];
  return stdout
    .toString('utf8')
    .split('\0')
    .map((entry) => ({ status: entry.slice(0, 2), path: entry.slice(3) }))
    .filter(({ path }) => path !== '' && !except.some((folder) => isBelow(path, folder)))
    .map(({ status, path }) => [path, `${status} ${markOf(join(workTree, path))}`]);
}

/** Dependency folders, wherever they lie, are taken over by hard links: others may touch them. */
function isBelow(path: string, folder: string): boolean {
  return `/${path}/`.includes(`/${folder}/`);
}

/** What makes git run programs: nobody's work, and it would run as whoever uses git next. */
function marksOfGit(commonDir: string): [string, string][] {
  const hooks = existsSync(join(commonDir, 'hooks')) ? readdirSync(join(commonDir, 'hooks')) : [];
  return ['config', 'config.worktree', 'info/attributes', ...hooks.map((name) => `hooks/${name}`)].map(
    (path) => [`.git/${path}`, markOf(join(commonDir, path))],
  );
}

function markOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs} ${stat.mode}` : '';
}
