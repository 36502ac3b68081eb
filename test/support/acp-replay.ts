/** Replays the messages that a real agent once sent over ACP. Argument: the recording. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

type Message = { id?: number; method?: string; params?: { cwd?: string } };

const recording = readFileSync(process.argv.at(-1) ?? '', 'utf8')
  .trim()
  .split('\n');
const asked: number[] = [];
const answered = new Set<number>();
let cwd = '/work';
let next = 0;

/** Sends as much as possible now: answers wait for their request, and what follows a request waits for its answer. */
function proceed(): void {
  for (; next < recording.length; next++) {
    const line = recording[next] ?? '';
    const { id, method } = JSON.parse(line) as Message;
    const before = next > 0 ? (JSON.parse(recording[next - 1] ?? '') as Message) : {};
    if (before.method !== undefined && before.id !== undefined && !answered.has(before.id)) return;
    const isAfterAnswer = next > 0 && before.method === undefined;
    if ((method === undefined || isAfterAnswer) && asked.length === 0) return;
    const message =
      method === undefined
        ? { ...(JSON.parse(line) as object), id: asked.shift() }
        : { id, ...JSON.parse(line) };
    process.stdout.write(`${JSON.stringify(message).replaceAll('/work', cwd)}\n`);
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as Message;
    if (params?.cwd !== undefined) cwd = params.cwd;
    if (method === undefined && id !== undefined) answered.add(id);
    else if (id !== undefined) asked.push(id);
    proceed();
  })
  .on('close', () => process.exit(0));
