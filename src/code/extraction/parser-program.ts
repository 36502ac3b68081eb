/** The process that parses untrusted text. It may die: whoever asked marks the text as unreadable and starts another one. */
import { readData } from '#code/formats/index.ts';
import { compileForShortRuns } from '#lib/compiler.ts';
import { extractAll } from './extraction.ts';
import type { ParseAnswer, ParseOrder, ParseRequest, Reading } from './parser-messages.ts';

compileForShortRuns();

let turn = Promise.resolve();

process.on('message', ({ id, requests }: ParseOrder) => {
  turn = turn.then(async () => {
    process.send?.({ id, readings: await readingsOf(requests) } satisfies ParseAnswer);
  });
});

async function readingsOf(requests: readonly ParseRequest[]): Promise<Reading[]> {
  const packed = await extractAll(requests.filter((request) => request.kind === 'facts'));
  const readings: Reading[] = [];
  for (const request of requests)
    readings.push(
      request.kind === 'facts' ? (packed.shift() ?? null) : await readData(request.path, request.text),
    );
  return readings;
}
