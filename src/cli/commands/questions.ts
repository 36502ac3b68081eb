import { type AskedQuestion, answerQuestion, hasEndedNow, listQuestions } from '#app/runs/answer-question.ts';
import { withRuns, workshopToDrive } from '#app/runs/run-room.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { refuseMore } from '#cli/args/refuse-more.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { renderQuestions } from '#report/run/questions.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { QuestionsReport } from '#schema/run.ts';
import type { questionsTable } from './questions.table.ts';

export const run: Run<typeof questionsTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { positionals, options, globals, terminal } = invocation;
    const [action, id, answer, text] = positionals;
    if (action !== 'answer') refuseMore('questions', 'list', positionals.slice(1));
    const scope = { run: options.run, all: options.all === true };
    const questions =
      action === 'answer'
        ? await answerQuestion(room, decisionOf(invocation), scope, id, { answer, text })
        : await listQuestions(room, scope);
    const [answered] = questions;
    const isAnswer = action === 'answer' && answered !== undefined;
    const workshop = isAnswer ? await workshopToDrive(room, answered.run) : null;
    // An answer that needs no agent is carried out at once, unless another process drives the run.
    if (isAnswer && workshop && isDoneAtOnce(answered))
      return driveInForeground(invocation, { room, workshop, run: answered.run, isSure: true });
    const report: QuestionsReport = { schema: 'joinery/questions@1', questions };
    if (globals.json) terminal.printJson(report);
    else {
      terminal.print(renderQuestions(report, terminal));
      if (isAnswer && workshop && !hasEndedNow(room, answered.run))
        terminal.print(`Next: joinery resume ${answered.run}`);
    }
    return exitCodes.ok;
  });

/** What becomes of findings, a yes to landing, or a rejected plan. */
function isDoneAtOnce({ kind, answer }: AskedQuestion): boolean {
  return (
    kind === 'findings' || (kind === 'land' && answer === 'land') || (kind === 'plan' && answer === 'stop')
  );
}
