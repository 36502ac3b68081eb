import { answerQuestion, listQuestions } from '#app/runs/answer-question.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderQuestions } from '#report/run/questions.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { QuestionsReport } from '#schema/run.ts';
import type { questionsTable } from './questions.table.ts';

export const run: Run<typeof questionsTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { positionals, options, globals, terminal } = invocation;
    const [action, id, answer] = positionals;
    const scope = { run: options.run, all: options.all === true };
    const questions =
      action === 'answer' ? await answerQuestion(room, scope, id, answer) : listQuestions(room, scope);
    const report: QuestionsReport = { schema: 'joinery/questions@1', questions };
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderQuestions(report));
    return exitCodes.ok;
  });
