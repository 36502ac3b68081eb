import { stepOf } from '#crew/state/state.ts';
import { openCleanRoom } from '#crew/task/place/clean-room.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { readerOf } from '#crew/task/place/read-room.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { type GateRoom, runGates } from '#gates/run/run-gates.ts';
import { type Measurement, withYardstick } from '#gates/yardstick/with-yardstick.ts';
import { yardstickTree } from '#gates/yardstick/yardstick-tree.ts';
import { treeOf, writeCommit } from '#git/merges/branches.ts';
import type { GateResult } from '#schema/gates.ts';
import { showTests } from './show-tests.ts';

/**
 * A suite that passes is run again as it was on base, because the work may have changed it. Only where
 * base's tests are not content with the work, what the task names is taken as the work has it. At last the tests that the work
 * brings are asked whether they can fail.
 */
export async function measureAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  result: GateResult,
  room: GateRoom,
): Promise<GateResult> {
  if (result.gate.kind !== 'test' || !['pass', 'warn'].includes(result.status)) return result;
  const strict = await measure(flow, plan, commit, result, room, []);
  const isContent = strict.result === null || ['pass', 'warn'].includes(strict.result.status);
  const named = isContent ? [] : namedInWords(flow, strict.yardstick.withheld);
  const lenient = named.length === 0 ? null : await measure(flow, plan, commit, result, room, named);
  const measured = withYardstick(result, strict, lenient);
  if (!['pass', 'warn'].includes(measured.status)) return measured;
  return showTests(flow, plan, commit, measured, strict.yardstick, room);
}

/**
 * Files that the words of the task or of a person name. Its list of files says where an agent may write; that a test is to
 * change is said in so many words: `Test-Change: src/sum.test.ts: sums are rounded now`.
 */
function namedInWords({ state, id }: TaskFlow, paths: readonly string[]): string[] {
  const { task, context } = stepOf(state, id);
  const criteria = task.acceptance.flatMap(({ text, arg }) => [text, arg ?? '']);
  const words = [task.title, task.description, ...criteria, ...context].join('\n');
  return paths.filter((path) => words.includes(path));
}

async function measure(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  { gate }: GateResult,
  room: GateRoom,
  named: readonly string[],
): Promise<Measurement> {
  const { objects } = flow.premises;
  const { config, inputs } = await definitionsAt(objects, flow.state.base);
  const [base, work] = [await treeOf(objects.git, plan.base), await treeOf(objects.git, commit)];
  const pythonRoots = config.python.roots;
  const yardstick = await yardstickTree({ scratch: objects, base, work, inputs, named, pythonRoots });
  if (yardstick.tree === work || yardstick.tree === base) return { yardstick, result: null };
  const message = `The sources of attempt ${plan.n} of task ${flow.id}, with the tests of base`;
  const draft = { tree: yardstick.tree, parents: [plan.base], message, at: flow.state.createdAt };
  const measuring = await writeCommit(objects.git, draft);
  // Worktrees are made by the repository's own git.
  await objects.publish(measuring, [plan.base, commit]);
  const { path, env, restore, prepare, close } = await openCleanRoom(flow, plan, measuring, 'yardstick');
  try {
    const worktree = await readerOf(flow, room.baseline.scratch, path, measuring);
    const place = { ...room.place, worktree, env };
    const [result = null] = await runGates([gate], { place, baseline: room.baseline, restore, prepare });
    return { yardstick, result };
  } finally {
    await close();
  }
}
