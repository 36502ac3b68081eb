import { openCleanRoom } from '#crew/task/place/clean-room.ts';
import { readerOf } from '#crew/task/place/read-room.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { type FileMutant, notAbleToFail, type TrialRun } from '#gates/mutants/able-to-fail.ts';
import { type ChangedText, changedCases } from '#gates/mutants/changed-cases.ts';
import type { GateRoom } from '#gates/run/run-gates.ts';
import { markOf, recordEvidence } from '#gates/runner/record.ts';
import type { Yardstick } from '#gates/yardstick/yardstick-tree.ts';
import { treeOf, writeCommit } from '#git/merges/branches.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { type Change, diffTrees } from '#git/trees/tree.ts';
import { writeChanged } from '#git/trees/write-tree.ts';
import type { Gate, GateResult } from '#schema/gates.ts';

const mostNames = 5;

/**
 * A new test must be able to fail: on the sources of base, or on a mutant of the changed lines. Tests that cannot are
 * reported.
 */
export async function showTests(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  result: GateResult,
  { withheld, contested }: Pick<Yardstick, 'withheld' | 'contested'>,
  room: GateRoom,
): Promise<GateResult> {
  const { objects } = flow.premises;
  const trees = await Promise.all([plan.base, commit].map((each) => treeOf(objects.git, each)));
  const [base = '', work = ''] = trees;
  const [changes = []] = await diffTrees(objects.git, [[base, work]], { renames: false });
  const texts = await textsOf(flow, base, work, changes);
  const cases = changedCases(texts);
  if (cases.length === 0 || room.place.signal?.aborted) return result;
  const ofTests = new Set([...withheld, ...contested]);
  const trial = (from: string, taken: readonly Change[]) => tryOn(flow, plan, result.gate, room, from, taken);
  const idle = await notAbleToFail(cases, texts, {
    onBase: () =>
      trial(
        base,
        changes.filter(({ path }) => ofTests.has(path)),
      ),
    withMutant: (mutant) => trial(work, mutated(flow, changes, mutant)),
  });
  if (idle.length === 0) return result;
  const names = idle.slice(0, mostNames).map(({ path, id }) => `${path}: ${id}`);
  const more = idle.length > mostNames ? ` and ${idle.length - mostNames} more` : '';
  const remark = `not shown able to fail: ${names.join(', ')}${more}`;
  return {
    ...result,
    status: result.status === 'pass' ? 'warn' : result.status,
    reason: [result.reason, remark].filter((each) => each !== '').join('; '),
  };
}

async function textsOf(
  { premises }: TaskFlow,
  base: string,
  work: string,
  changes: readonly Change[],
): Promise<ChangedText[]> {
  const paths = changes.map(({ path }) => path);
  const [before, after] = await Promise.all(
    [base, work].map((tree) => readFilesAt(premises.objects.git, tree, paths)),
  );
  return paths.map((path) => ({
    path,
    before: before?.get(path) ?? null,
    after: after?.get(path) ?? null,
  }));
}

function mutated({ premises }: TaskFlow, changes: readonly Change[], { path, text }: FileMutant): Change[] {
  return changes.flatMap((change) => {
    if (change.path !== path || change.after === null) return [];
    const id = premises.objects.own.add('blob', Buffer.from(text));
    return [{ ...change, after: { ...change.after, id } }];
  });
}

/** Runs the suite on a tree that differs from another by these changes; null when it was aborted. */
async function tryOn(
  flow: TaskFlow,
  plan: AttemptPlan,
  { id, kind, command, timeoutMs }: Gate,
  room: GateRoom,
  from: string,
  taken: readonly Change[],
): Promise<TrialRun | null> {
  if (room.place.signal?.aborted) return null;
  const { objects } = flow.premises;
  const reader = new ObjectReader(objects.git);
  const tree = await writeChanged({ scratch: objects, objects: reader }, from, taken).finally(() =>
    reader.close(),
  );
  if (tree === null) throw new Error('a tree of the repository is missing');
  const message = `Attempt ${plan.n} of task ${flow.id}: can its tests fail?`;
  const draft = { tree, parents: [plan.base], message, at: flow.state.createdAt };
  const trial = await writeCommit(objects.git, draft);
  await objects.publish(trial, [plan.base]);
  const { path, env, close } = await openCleanRoom(flow, plan, trial, 'mutant');
  try {
    const worktree = await readerOf(flow, room.baseline.scratch, path, trial);
    const evidence = await recordEvidence(
      { claim: kind, gate: id, command: { kind: 'line', line: command }, timeoutMs },
      // Results on a mutant are no evidence about the task's work.
      { ...room.place, worktree, env, run: null, task: null, attempt: null, mark: markOf(room.place) },
    );
    return evidence.outcome === 'cancelled'
      ? null
      : { ...evidence, cpuMs: evidence.cpuMs ?? evidence.wallMs };
  } finally {
    await close();
  }
}
