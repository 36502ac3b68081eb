import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '../git/git.ts';
import { readWorktreeHead } from '../git/worktrees.ts';
import type { Incident } from '../model/run.ts';
import type { AttemptPlan } from './attempt.ts';
import type { TaskFlow } from './run-task.ts';

/** What an attempt has no business to change, before it begins. */
interface Surroundings {
  /** Path → size and time, of everything in the main checkout that differs from its commit. */
  readonly checkout: ReadonlyMap<string, string>;
  /** Moves of the worktree's HEAD that were made by us. */
  readonly moves: number;
}

export async function lookAround(flow: TaskFlow, plan: AttemptPlan): Promise<Surroundings> {
  const { repository } = flow.workshop;
  const [checkout, head] = await Promise.all([
    changesIn(repository.workTree),
    readWorktreeHead(repository, plan.path),
  ]);
  return { checkout, moves: head?.moves.length ?? 0 };
}

/** What the agent did besides its work. Git's own records tell; the agent is not asked. */
export async function conductSince(
  flow: TaskFlow,
  plan: AttemptPlan,
  before: Surroundings,
): Promise<Incident[]> {
  const { repository } = flow.workshop;
  const [checkout, head, tip] = await Promise.all([
    changesIn(repository.workTree),
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
    ...wroteOutside(before.checkout, checkout),
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
function wroteOutside(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Incident[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  if (paths.length === 0) return [];
  const named = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
  const detail = `while it worked, ${named} changed in the main checkout: it, or somebody else, wrote there`;
  return [{ kind: 'wrote-outside', detail, isBlocking: false }];
}

async function changesIn(workTree: string | null): Promise<Map<string, string>> {
  if (workTree === null) return new Map();
  const { stdout, code } = await new Git({ cwd: workTree }).run(['status', '--porcelain', '-z'], {
    accept: [0, 128],
  });
  if (code !== 0) return new Map();
  const entries = stdout.toString('utf8').split('\0');
  return new Map(
    entries
      .filter((entry) => entry !== '')
      .map((entry) => {
        const stat = lstatSync(join(workTree, entry.slice(3)), { throwIfNoEntry: false });
        return [entry.slice(3), `${entry.slice(0, 2)} ${stat?.size} ${stat?.mtimeMs}`];
      }),
  );
}
