import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ProofPlace, recordEvidence } from '#gates/runner/record.ts';
import { treeOf } from '#git/branches.ts';
import type { Scratch } from '#git/scratch.ts';
import type { WorktreeReader } from '#git/worktree-tree.ts';
import { Evidence, type Gate } from '#schema/gates.ts';
import type { SuiteRun } from './lost-tests.ts';

/** What the base commit of some work says. */
export interface BaselineSource {
  readonly scratch: Scratch;
  /** What the work is compared with. */
  readonly commit: string;
  /** Checks it out where nobody works, with its dependencies, and takes it away again. */
  withWorktree<T>(body: (worktree: WorktreeReader) => Promise<T>): Promise<T>;
  /** Whose dependencies: an agent may have changed those of its own worktree, and what they show is not kept for others. */
  readonly dependencies: 'run' | 'worktree';
  /** Where no worktree can be made, as in a sandbox, the base may stay unknown. */
  readonly isOptional: boolean;
}

const Stored = z.object({
  v: z.literal(2),
  runs: z.array(
    Evidence.pick({ outcome: true, exitCode: true, tests: true }).extend({
      passing: z.array(z.string()).nullable(),
    }),
  ),
});

/** Two tasks that need the same baseline at the same time share one run of it. */
const underway = new Map<string, Promise<readonly SuiteRun[]>>();

/**
 * The suite on the base commit, `times` over, in worktrees of our own; kept for the same tree, command and tools. An outcome that
 * may be different next time (it was called off, it could not be started) is not kept.
 */
export async function readBaseline(
  gate: Gate,
  tools: Readonly<Record<string, string>>,
  source: BaselineSource,
  place: ProofPlace,
  times = 1,
): Promise<readonly SuiteRun[]> {
  const tree = await baseTree(source);
  const sorted = Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = createHash('sha256')
    .update(JSON.stringify(['baseline2', source.dependencies, tree, gate.command, sorted]))
    .digest('hex');
  const file = join(place.store.folder, 'baselines', `${key}.json`);
  const stored = readStored(file);
  if (stored.length >= times) return stored;
  const job = `${key} ${times}`;
  const running =
    underway.get(job) ??
    repeatBaseline(times, stored, file, () => runBaseline(gate, source, place)).finally(() =>
      underway.delete(job),
    );
  underway.set(job, running);
  return running;
}

const trees = new WeakMap<BaselineSource, Promise<string>>();

/** Asked of git once for all gates. */
export function baseTree(source: BaselineSource): Promise<string> {
  const tree = trees.get(source) ?? treeOf(source.scratch.git, source.commit);
  trees.set(source, tree);
  return tree;
}

async function repeatBaseline(
  times: number,
  stored: readonly SuiteRun[],
  file: string,
  runOnce: () => Promise<SuiteRun>,
): Promise<readonly SuiteRun[]> {
  const runs = [...stored];
  while (runs.length < times) {
    const run = await runOnce();
    runs.push(run);
    if (run.outcome !== 'exited' && run.outcome !== 'timeout') return runs;
    writeStored(file, runs);
  }
  return runs;
}

async function runBaseline(gate: Gate, source: BaselineSource, place: ProofPlace): Promise<SuiteRun> {
  return source.withWorktree(async (worktree) => {
    const { outcome, exitCode, tests, passing } = await recordEvidence(
      {
        claim: gate.kind,
        gate: gate.id,
        command: { kind: 'line', line: gate.command },
        timeoutMs: gate.timeoutMs,
      },
      // Not the work of any task.
      { ...place, worktree, run: null, task: null, attempt: null },
    );
    return { outcome, exitCode, tests, passing };
  });
}

function readStored(file: string): readonly SuiteRun[] {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8'))).runs;
  } catch {
    return [];
  }
}

function writeStored(file: string, runs: readonly SuiteRun[]): void {
  mkdirSync(join(file, '..'), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify({ v: 2, runs }));
  renameSync(fresh, file);
}
