import { demandAgents, withRuns } from '#app/run-room.ts';
import { sendSignal } from '#app/send-signal.ts';
import type { Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { driveInForeground, printRun } from '#cli/terminal/drive.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import { writeProjections } from '#crew/state/projection-files.ts';
import { hasEnded, isSettled, openQuestions } from '#crew/state/state.ts';
import { UsageError } from '#schema/errors.ts';
import { Budget } from '#schema/spending.ts';
import type { resumeTable } from './resume.table.ts';

export const run: Run<typeof resumeTable> = (invocation) =>
  withRuns(invocation, async ({ runs, state, workshop }) => {
    const id = chooseRun(runs.engine, invocation.positionals[0], 'unfinished');
    const known = state(id);
    if (hasEnded(known)) {
      // A process killed after the last word of its run may not have written the reports.
      const { engine, folders } = runs;
      writeProjections(folders, {
        run: id,
        events: engine.read(id),
        artifact: (hash) => engine.artifact(id, hash),
      });
      return printRun(invocation, id, known);
    }
    const room = workshop(known.settings);
    const open = [...known.steps.values()].filter((step) => !isSettled(step));
    demandAgents(
      room,
      open.map(({ task }) => task.agent ?? known.settings.agent),
    );
    const budget = budgetOf(invocation.options, known.budget);
    if (budget) sendSignal(runs.engine, id, { name: 'budget', payload: budget });
    if (invocation.options.yes) {
      const questions = openQuestions(known).filter(({ kind }) => kind !== 'budget' || !budget);
      for (const question of questions) {
        sendSignal(runs.engine, id, {
          name: 'answer',
          payload: { question: question.id, answer: question.default },
        });
      }
    }
    return driveInForeground(invocation, room, id);
  });

type Wanted = Readonly<Record<'budget' | 'budget-tokens', string | undefined>>;

/** The budget as typed, with the limit that was not named as it was; null when none was. */
function budgetOf(wanted: Wanted, now: Budget): Budget | null {
  const { budget: usd, 'budget-tokens': tokens } = wanted;
  if (usd === undefined && tokens === undefined) return null;
  const parsed = Budget.safeParse({ usd: toNumber(usd) ?? now.usd, tokens: toNumber(tokens) ?? now.tokens });
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path[0] === 'usd' ? 'budget' : 'budget-tokens';
  throw new UsageError({
    code: 'bad-budget',
    message: `--${name}: ${JSON.stringify(wanted[name])} is no budget`,
    hint: 'joinery resume --budget 20',
  });
}
