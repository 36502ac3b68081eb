/** `repeat.ts <lint|test|direct> <count> <repository> <state>`: runs a gate that does nothing, repeatedly. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runGates } from '#gates/run/run-gates.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import type { Gate } from '#schema/gates.ts';

const [how = '', count = '0', dir = '', state = ''] = process.argv.slice(2);
const command = 'echo 1 passed';
const kind = how === 'test' ? 'test' : 'lint';
const gate: Gate = { id: kind, kind, command, subsystem: null, timeoutMs: 60_000, origin: '' };
const times = Array.from({ length: Number(count) }, () => gate);

if (how === 'direct') for (const { command: line } of times) await direct(line);
else await ours();

async function ours(): Promise<void> {
  const repository = await openRepository(dir);
  const store = openEvidenceStore(state);
  const scratch = await createScratch(repository, join(state, 'scratch'));
  const worktree = await openWorktreeReader(repository, scratch, dir, ['node_modules']);
  const env = { PATH: process.env.PATH ?? '' };
  const results = await runGates(times, {
    place: { store, worktree, env, maxLogBytes: 1_000_000, run: null, task: null, attempt: null },
    baseline: {
      scratch,
      commit: await repository.git.text(['rev-parse', 'HEAD']),
      withWorktree: (body) => body(worktree),
      dependencies: 'worktree',
      isOptional: false,
    },
  });
  if (results.some(({ status }) => status !== 'pass')) throw new Error('the gate did not pass');
  await scratch.remove();
}

function direct(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', line], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
