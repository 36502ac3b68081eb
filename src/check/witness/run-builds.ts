import type { CheckContext } from '#check/context.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import { SomeUnions } from '#check/unions/some-unions.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { findCulprits } from './culprits.ts';
import type { TestRoom, Trial, TrialRun } from './test-room.ts';
import { unionsOf } from './unions-of.ts';
import type { WitnessSettings } from './witness-settings.ts';

/** A build that succeeds on every member alone and fails on their union. */
export interface FailingBuild {
  readonly line: string;
  /** Indexes of live branches. */
  readonly guilty: readonly number[];
  /** Base's changes are part of it. */
  readonly withBase: boolean;
  readonly tree: string;
  readonly run: TrialRun;
}

export interface BuildAnswer {
  readonly failing: readonly FailingBuild[];
  readonly flaky: CheckReport['degraded'];
  readonly unable: CheckReport['degraded'];
}

/** Exit codes of a shell that cannot start the command. */
const notStarted: readonly (number | null)[] = [126, 127];

type BuildResult = 'pass' | 'fail' | 'unknown';

function resultOf({ outcome, exitCode }: TrialRun): BuildResult {
  if (outcome !== 'exited' || notStarted.includes(exitCode) || exitCode === null) return 'unknown';
  return exitCode === 0 ? 'pass' : 'fail';
}

/** Builds the union of all branches: a failure there and on no member is proven. */
export async function runBuilds(
  context: CheckContext,
  meeting: Meeting,
  { definitions }: WitnessSettings,
  room: TestRoom,
): Promise<BuildAnswer> {
  const trials = definitions.gates.filter(({ kind }) => kind === 'build').map(trialOf);
  const failing: FailingBuild[] = [];
  const told = { flaky: new Map<string, string>(), unable: new Map<string, string>() };
  if (trials.length === 0)
    told.unable.set(
      '',
      'no build command is known; name one in "gates.commands" of joinery.json and commit it to the base',
    );
  const unions = new SomeUnions(context, meeting.live);
  const build = async (trial: Trial, tree: string, time = 0) => {
    context.progress(`building: run ${room.runs + 1}, ${trial.line}`);
    const run = await room.run(tree, trial, time);
    const result = resultOf(run);
    if (result === 'unknown') told.unable.set(trial.line, `${trial.line}: ${whyUnknown(run)}`);
    return { run, result };
  };
  for await (const { tree, members } of unionsOf(context, meeting))
    for (const trial of trials) {
      const first = await build(trial, tree);
      if (first.result !== 'fail' || (await build(trial, context.base.tree)).result !== 'pass') continue;
      if ((await build(trial, tree, 1)).result === 'pass') {
        told.flaky.set(
          trial.line,
          `flaky build, it proves nothing: ${trial.line} failed and succeeded on one tree`,
        );
        continue;
      }
      const { sets } = await findCulprits(members, async (some) => {
        const union = await unions.of(some);
        return union !== null && (await build(trial, union)).result === 'fail';
      });
      for (const set of sets) {
        const guilty = set.toSorted((a, b) => a - b);
        const union = (await unions.of(guilty)) ?? tree;
        const withBase = guilty.length === 1;
        const own = meeting.live[guilty[0] ?? -1];
        // A failure of one branch alone is not a conflict, unless only base's changes since the fork caused it.
        if (withBase && (!own || own.tree === union || (await build(trial, own.tree)).result !== 'pass'))
          continue;
        const run = (await build(trial, union)).run;
        failing.push({ line: trial.line, guilty, withBase, tree: union, run });
      }
    }
  const list = (entries: ReadonlyMap<string, string>) =>
    [...entries.values()].map((reason) => ({ check: 'build', reason }));
  return { failing, flaky: list(told.flaky), unable: list(told.unable) };
}

function trialOf({ id, command, timeoutMs }: WitnessSettings['definitions']['gates'][number]): Trial {
  return { claim: 'build', gate: id, line: command, timeoutMs };
}

function whyUnknown({ outcome, exitCode }: TrialRun): string {
  if (outcome === 'timeout') return 'it did not end in time';
  return notStarted.includes(exitCode) ? 'it is not installed' : 'it could not be run';
}
