import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { emptySubmission } from '#workflow/contracts/submission.ts';
import { openLab } from './workflow-lab.ts';

/** Continues with every token from stdin, and prints the answers. First argument: the folder of the log. */
const lab = openLab(process.argv[2] ?? '');
process.stdout.write('ready\n');
for await (const token of createInterface({ input: process.stdin })) {
  const notes = `by ${process.pid}`;
  try {
    const answer = await lab.engine.continue(token, { ...emptySubmission, notes });
    const sha256 = createHash('sha256').update(answer).digest('hex');
    process.stdout.write(`${JSON.stringify({ sha256, next: JSON.parse(answer).continueToken })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  }
}
