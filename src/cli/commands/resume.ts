import { reportRun } from '#app/runs/report-run.ts';
import { prepareResume } from '#app/runs/resume-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { printRun } from '#cli/terminal/print-run.ts';
import { UsageError } from '#schema/errors.ts';
import { Budget } from '#schema/spending.ts';
import type { resumeTable } from './resume.table.ts';

export const run: Run<typeof resumeTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals } = invocation;
    const id = room.choose(positionals[0], 'unfinished');
    // Refuse invalid input even if the run has ended and needs no budget.
    budgetOf(options, { usd: null, tokens: null });
    const workshop = await prepareResume(room, decisionOf(invocation), id, {
      budgetFrom: (now) => budgetOf(options, now),
      answersDefaults: options.yes === true,
    });
    return workshop
      ? driveInForeground(invocation, { room, workshop, run: id, isSure: options.yes === true })
      : printRun(invocation, await reportRun(room, id));
  });

type Wanted = Readonly<Record<'budget' | 'budget-tokens', string | undefined>>;

/** The typed budget; a limit that was not typed stays as it was. Null if none was typed. */
function budgetOf(wanted: Wanted, now: Budget): Budget | null {
  const { budget: usd, 'budget-tokens': tokens } = wanted;
  if (usd === undefined && tokens === undefined) return null;
  const parsed = Budget.safeParse({ usd: toNumber(usd) ?? now.usd, tokens: toNumber(tokens) ?? now.tokens });
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path[0] === 'usd' ? 'budget' : 'budget-tokens';
  throw new UsageError({
    code: 'bad-budget',
    message: `--${name}: ${JSON.stringify(wanted[name])} is not a valid budget`,
    hint: 'joinery resume --budget 20',
  });
}
