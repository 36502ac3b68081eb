import { compareRuns } from '#crew/state/compare.ts';
import type { RunState } from '#crew/state/state.ts';
import type { Git } from '#git/call/git.ts';
import { changedFiles, changedLines, readRef, treeOf } from '#git/merges/branches.ts';
import type { CompareReport } from '#schema/compare.ts';
import { UsageError } from '#schema/errors.ts';
import { stateNow } from './report-run.ts';
import type { RunRoom } from './run-room.ts';

/** Two runs of this repository side by side: outcome, findings, cost, time, and how their results differ. */
export async function compareHere(room: RunRoom, names: readonly string[]): Promise<CompareReport> {
  const [one, other] = names.map((name) => room.choose(name));
  if (one === undefined || other === undefined || one === other) {
    throw new UsageError({
      code: 'not-two-runs',
      message: one === other ? `both names mean run ${one}` : 'two runs are compared',
      hint: 'joinery compare <run> <run>; joinery runs lists them',
    });
  }
  const { git } = room.repository;
  const first = { run: one, state: await stateNow(room, one) };
  const second = { run: other, state: await stateNow(room, other) };
  const results = [await resultOf(git, first.state), await resultOf(git, second.state)] as const;
  return compareRuns([first, second], results, await diffOf(git, results));
}

type Result = CompareReport['runs'][0]['result'];

async function resultOf(git: Git, { landed, integration }: RunState): Promise<Result> {
  const commit = await readRef(git, landed?.after ?? integration.commit);
  return commit === null ? null : { commit, tree: await treeOf(git, commit) };
}

async function diffOf(git: Git, [from, to]: readonly [Result, Result]): Promise<CompareReport['diff']> {
  if (from === null || to === null) return null;
  const lines = await changedLines(git, from.tree, to.tree);
  const files = (await changedFiles(git, from.tree, to.tree)).map((file) => ({
    ...file,
    ...(lines.get(file.path) ?? { added: null, deleted: null }),
  }));
  return {
    isSame: from.tree === to.tree,
    files,
    command: `git diff ${from.commit.slice(0, 12)} ${to.commit.slice(0, 12)}`,
  };
}
