import { expect, test } from 'vitest';
import { openEvidenceStore } from '#gates/runner/store.ts';
import type { Gate } from '#schema/gates.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type GateRoom, runGates } from './run-gates.ts';

const lint = (id: string): Gate => ({
  id,
  kind: 'lint',
  command: 'echo done',
  subsystem: null,
  timeoutMs: 60_000,
  origin: '',
});

/** Returns the trees one after the other; the last one repeats. */
async function run(trees: readonly string[], prepare?: () => Promise<void>) {
  let reads = 0;
  const worktree = {
    path: temporaryFolder(),
    tree: async () => trees[Math.min(reads++, trees.length - 1)] ?? '',
  };
  const room = {
    place: {
      store: openEvidenceStore(temporaryFolder()),
      worktree,
      env: { PATH: process.env.PATH ?? '' },
      maxLogBytes: 1000,
      run: null,
      task: null,
      attempt: null,
    },
    baseline: {} as GateRoom['baseline'],
    ...(prepare ? { prepare } : {}),
  };
  const results = await runGates([lint('a'), lint('b')], room);
  return { reads, trees: results.map(({ tree }) => tree) };
}

// On a busy machine they do not always follow at once.
test('a worktree is read once between two gates that follow at once', { retry: 10 }, async () => {
  expect(await run(['t'])).toEqual({ reads: 3, trees: ['t', 't'] });
});

test('it is read again if time passed in between', async () => {
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  expect(await run(['t', 't', 'u'], slow)).toEqual({ reads: 4, trees: ['t', 'u'] });
});
