import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readTree } from '#workflow/engine/tree.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';
import { chance } from '../support/seed.ts';
import { openLab, workflowOf } from '../support/workflow-lab.ts';

const childScript = fileURLToPath(new URL('../support/workflow-child.ts', import.meta.url));

/** A loop that ends only on request. */
const endless = workflowOf([
  {
    type: 'loop',
    id: 'loop',
    title: 'L',
    loop: { type: 'while', condition: { var: 'stop', not_equals: true }, maxIterations: 1000 },
    body: [{ id: 'again', title: 'Again', prompt: 'Again.' }],
  },
]);

interface Child {
  readonly process: ChildProcess;
  ask(token: string): Promise<{ sha256?: string; next?: string; error?: string }>;
  readonly ended: Promise<unknown>;
}

async function startChild(folder: string): Promise<Child> {
  const child = spawn(process.execPath, [childScript, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    process: child,
    ended: new Promise((resolve) => child.once('close', resolve)),
    async ask(token) {
      child.stdin.write(`${token}\n`);
      const { value, done } = await lines.next();
      return done ? { error: 'gone' } : JSON.parse(value);
    },
  };
}

test('of twenty processes with one token exactly one advances, and all get its answer', async () => {
  const folder = temporaryFolder();
  const lab = openLab(folder);
  const start = lab.start(endless);
  const children = await Promise.all(Array.from({ length: 20 }, () => startChild(folder)));
  const { numRuns: rounds } = sample('one token, twenty processes', { normal: 100, wide: 100, soak: 400 });
  let token = start.continueToken ?? '';
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(children.map((child) => child.ask(token)));
    expect(new Set(answers.map(({ sha256, error }) => sha256 ?? error)).size).toBe(1);
    token = answers[0]?.next ?? '';
  }
  const { nodes, tips } = readTree(lab.log, start.sessionId);
  expect([nodes.length, tips.length]).toEqual([rounds + 1, 1]);
});

test('killed at any moment, a run continues from its last complete record, and a repeated call succeeds once', async () => {
  const folder = temporaryFolder();
  const lab = openLab(folder);
  const start = lab.start(endless);
  const { count, next } = chance('killed while advancing', { normal: 15, soak: 300 });
  let token = start.continueToken ?? '';
  for (let kill = 0; kill < count; kill++) {
    const child = await startChild(folder);
    const killer = setTimeout(() => child.process.kill('SIGKILL'), 5 + next() * 60);
    for (;;) {
      const answer = await child.ask(token);
      if (answer.error !== undefined) break;
      token = answer.next ?? '';
    }
    clearTimeout(killer);
    child.process.kill('SIGKILL');
    await child.ended;
    // The interrupted call again: it was either recorded or is done now.
    const again = JSON.parse(
      await lab.engine.continue(token, { notes: 'again', artifacts: [], context: {} }),
    );
    token = again.continueToken;
  }
  const { nodes, tips } = readTree(lab.log, start.sessionId);
  expect(tips).toHaveLength(1);
  expect(nodes.map(({ step }) => step)).toEqual(nodes.map((_, n) => `loop@${n}::again`));
});
