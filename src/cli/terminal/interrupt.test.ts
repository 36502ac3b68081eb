import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runNode, temporaryFolder } from '#test/support/joinery.ts';

const module = fileURLToPath(new URL('./interrupt.ts', import.meta.url));

/** Runs a program that logs its cleanups and interrupts itself. */
async function interrupted(body: string) {
  const folder = temporaryFolder();
  const diary = join(folder, 'diary');
  const script = join(folder, 'script.mjs');
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';
import { isInterrupted, listenForInterrupt } from ${JSON.stringify(module)};
const note = (text) => appendFileSync(${JSON.stringify(diary)}, text + '\\n');
const onInterrupt = listenForInterrupt(() => note('settle'), () => note('explain'));
setInterval(() => {}, 1000);
${body}`,
  );
  const outcome = await runNode([script]);
  return { ...outcome, diary: existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n') : [] };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s cleans up, the newest first, and exits with 130',
  async (signal) => {
    const outcome = await interrupted(`
    onInterrupt(() => note('first'));
    onInterrupt(async () => { await new Promise((resolve) => setTimeout(resolve, 10)); note('second'); });
    process.kill(process.pid, '${signal}');`);
    expect(outcome).toMatchObject({ code: 130, diary: ['settle', 'second', 'first', 'explain'] });
  },
);

test('finished work is not cleaned up', async () => {
  const outcome = await interrupted(`
    const done = onInterrupt(() => note('never'));
    done();
    process.kill(process.pid, 'SIGINT');`);
  expect(outcome).toMatchObject({ code: 130, diary: ['settle', 'explain'] });
});

test('a cleanup that fails does not stop the others', async () => {
  const outcome = await interrupted(`
    onInterrupt(() => note('first'));
    onInterrupt(() => { throw new Error('broken'); });
    process.kill(process.pid, 'SIGINT');`);
  expect(outcome).toMatchObject({ code: 130, diary: ['settle', 'first', 'explain'] });
});

test('one key press delivered twice cleans up once', async () => {
  const outcome = await interrupted(`
    onInterrupt(async () => { process.kill(process.pid, 'SIGINT'); await new Promise((r) => setTimeout(r, 50)); note('once'); });
    process.kill(process.pid, 'SIGINT');`);
  expect(outcome).toMatchObject({ code: 130, diary: ['settle', 'once', 'explain'] });
});

test('work can detect that it fails because of the interrupt', async () => {
  const outcome = await interrupted(`
    note(String(isInterrupted()));
    onInterrupt(() => note(String(isInterrupted())));
    process.kill(process.pid, 'SIGINT');`);
  expect(outcome).toMatchObject({ code: 130, diary: ['false', 'settle', 'true', 'explain'] });
});

test('a command that is meant to be ended by Ctrl-C explains nothing', async () => {
  const outcome = await interrupted(`
    onInterrupt(() => 0);
    process.kill(process.pid, 'SIGINT');`);
  expect(outcome).toMatchObject({ code: 0, diary: ['settle'] });
});
