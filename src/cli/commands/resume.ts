import { chooseRun } from '../../engine/catalogue.ts';
import { writeProjections } from '../../engine/projection-files.ts';
import { hasEnded, openQuestions } from '../../engine/state.ts';
import { driveInForeground, printRun } from '../drive.ts';
import type { Run } from '../invocation.ts';
import { withRuns } from '../run-room.ts';
import { sendSignal } from '../send-signal.ts';
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
    if (invocation.options.yes) {
      for (const question of openQuestions(known)) {
        sendSignal(runs.engine, id, {
          name: 'answer',
          payload: { question: question.id, answer: question.default },
        });
      }
    }
    return driveInForeground(invocation, workshop(known.settings), id);
  });
