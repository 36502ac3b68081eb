import { stepOf } from '#crew/state/state.ts';
import { openCleanRoom } from '#crew/task/place/clean-room.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { readerOf } from '#crew/task/place/read-room.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { type Controls, type GateRoom, runGates } from '#gates/run/run-gates.ts';
import { type ControlledTree, changedNames, controlledTree } from '#gates/yardstick/control-tree.ts';
import { type Measurement, withYardstick } from '#gates/yardstick/with-yardstick.ts';
import { yardstickTree } from '#gates/yardstick/yardstick-tree.ts';
import { treeOf, writeCommit } from '#git/merges/branches.ts';
import { mentionsPath } from '#lib/mentions-path.ts';
import type { Gate, GateResult } from '#schema/gates.ts';
import { showTests } from './show-tests.ts';

/**
 * When the suite passes, base's version of it runs too, because the work may have changed the suite. Only if base's tests
 * fail, test files named by the task are used as the work has them. Finally the new tests must be able to fail.
 */
export async function measureAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  result: GateResult,
  room: GateRoom,
): Promise<GateResult> {
  if (result.gate.kind !== 'test' || !isContent(result)) return result;
  const strict = await measure(flow, plan, commit, result, room, []);
  const isMet = strict.result === null || isContent(strict.result);
  const named = isMet || strict.isForged ? [] : namedInWords(flow, strict.yardstick.withheld);
  const lenient = named.length === 0 ? null : await measure(flow, plan, commit, result, room, named);
  const measured = withYardstick(result, strict, lenient);
  if (!isContent(measured)) return measured;
  return showTests(flow, plan, commit, measured, strict.yardstick, room);
}

/**
 * Files that the text of the task or a message of a person names. The task's list of files says where an agent may write;
 * the change of a test must be requested explicitly: `Test-Change: src/sum.test.ts: sums are rounded now`.
 */
function namedInWords({ state, id }: TaskFlow, paths: readonly string[]): string[] {
  const { task, context } = stepOf(state, id);
  const criteria = task.acceptance.flatMap(({ text, arg }) => [text, arg ?? '']);
  const words = [task.title, task.description, ...criteria, ...context].join('\n');
  return paths.filter((path) => mentionsPath(words, path));
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
  const { tree } = yardstick;
  if (tree === base) return { yardstick, result: null };
  const place = { flow, plan, gate, room };
  const about = await changedNames(objects, base, tree);
  const controlled = named.length === 0 ? await controlledTree(objects, tree, about) : null;
  const run = controlled && (await runControlled(place, controlled));
  const isSeen = (name: string) => run?.seen.has(name) ?? false;
  if (run?.result && isContent(run.result) && controlled?.names.every(isSeen))
    return { yardstick, result: tree === work ? null : run.result };
  const plain = tree === work ? null : await runThere(place, tree);
  if (run?.result && controlled) {
    const shown = await shownOnBase(place, base, about);
    const hidden = controlled.names.filter((name) => shown.has(name) && !isSeen(name));
    const reason = forgery(hidden, controlled, plain === null || isContent(plain));
    if (reason !== null)
      return { yardstick, isForged: true, result: { ...run.result, status: 'fail', reason } };
  }
  return { yardstick, result: plain };
}

function isContent({ status }: GateResult): boolean {
  return status === 'pass' || status === 'warn';
}

/** Why test results with these sources cannot be trusted; null when they can. */
function forgery(hidden: readonly string[], { copies }: ControlledTree, isMet: boolean): string | null {
  const own = hidden.filter((name) => !copies.has(name)).length;
  if (own > 0) {
    const tests = own === 1 ? 'a test that must fail was' : `${own} tests that must fail were`;
    return `${tests} added for control, and with the changed sources not reported as failed: they change what tests or their runner say`;
  }
  // If the originals fail by themselves, the other expectation may be the right one.
  if (hidden.length === 0 || !isMet) return null;
  const tests = hidden.length === 1 ? 'a test of base passes' : `${hidden.length} tests of base pass`;
  return `with the changed sources ${tests} with another expected value, too, and on base not: what they answer fits whatever is expected`;
}

interface Place {
  readonly flow: TaskFlow;
  readonly plan: AttemptPlan;
  readonly gate: Gate;
  readonly room: GateRoom;
}

/** Whether a runner shows the controls does not depend on the work; cached in this process only. */
const shown = new Map<string, ReadonlySet<string>>();

/** Controls that fail on the sources of base: only these have to fail on others. */
async function shownOnBase(
  place: Place,
  base: string,
  about: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const controlled = await controlledTree(place.flow.premises.objects, base, about);
  if (controlled === null) return new Set();
  const key = `${controlled.tree} ${place.gate.command}`;
  const seen = shown.get(key) ?? (await runControlled(place, controlled)).seen;
  if (!place.room.place.signal?.aborted) shown.set(key, seen);
  return seen;
}

async function runControlled(
  place: Place,
  { tree, names }: ControlledTree,
): Promise<{ result: GateResult | null; seen: ReadonlySet<string> }> {
  const seen = new Set<string>();
  const see = (failed: readonly string[]) => void failed.map((name) => seen.add(name));
  return { result: await runThere(place, tree, { names, see }), seen };
}

/** Runs the gate on a tree that Joinery built, in a separate worktree. */
async function runThere(
  { flow, plan, gate, room }: Place,
  tree: string,
  controls?: Controls,
): Promise<GateResult | null> {
  const { objects } = flow.premises;
  const message = `The sources of attempt ${plan.n} of task ${flow.id}, with the tests of base`;
  const measuring = await writeCommit(objects.git, {
    ...{ tree, parents: [plan.base], message, at: flow.state.createdAt },
  });
  // The repository's own git makes the worktrees.
  await objects.publish(measuring, [plan.base]);
  const { path, env, restore, prepare, close } = await openCleanRoom(flow, plan, measuring, 'yardstick');
  try {
    const worktree = await readerOf(flow, room.baseline.scratch, path, measuring);
    const place = { ...room.place, worktree, env };
    const there = { place, baseline: room.baseline, restore, prepare, ...(controls ? { controls } : {}) };
    const [result = null] = await runGates([gate], there);
    return result && controls ? withoutNames(result, controls.names) : result;
  } finally {
    await close();
  }
}

/** The agent does not learn what the control tests look like. */
function withoutNames(result: GateResult, names: readonly string[]): GateResult {
  const isTelling = (line: string) => names.some((name) => line.includes(name));
  const log = result.log && { ...result.log, excerpt: result.log.excerpt.filter((line) => !isTelling(line)) };
  return { ...result, log };
}
