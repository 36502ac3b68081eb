import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { markOf, type ProofPlace, recordEvidence } from '#gates/runner/record.ts';
import { settled } from '#gates/runner/settled.ts';
import { treeOf } from '#git/merges/branches.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import type { WorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { containmentHere } from '#process/containment.ts';
import { Evidence, type Gate } from '#schema/gates.ts';
import type { SuiteRun } from './lost-tests.ts';

/** The base commit of some work, for comparison. */
export interface BaselineSource {
  readonly scratch: Scratch;
  /** What the work is compared with. */
  readonly commit: string;
  /** Checks it out in a separate folder with its dependencies, and removes it again. */
  withWorktree<T>(body: (worktree: WorktreeReader) => Promise<T>): Promise<T>;
  /** Whose dependencies. An agent may have changed those of its worktree, so results with them are not cached for others. */
  readonly dependencies: 'run' | 'worktree';
  /** If no worktree can be made, as in a sandbox, the base may stay unknown. */
  readonly isOptional: boolean;
}

const Stored = z.object({
  v: z.literal(3),
  runs: z.array(
    Evidence.pick({ outcome: true, exitCode: true, tests: true }).extend({
      passing: z.array(z.string()).nullable(),
      refused: z.array(z.string()).optional(),
    }),
  ),
});

/** A run of the suite on the base commit. */
export type BaseRun = SuiteRun & {
  /** Its runner exited by itself and all its output was read: only such a run shows what the base commit does. */
  readonly isWhole: boolean;
  /** What the sandbox refused it. */
  readonly refused?: readonly string[] | undefined;
};

/** Two tasks that need the same baseline at the same time share one run. */
const underway = new Map<string, Promise<readonly BaseRun[]>>();

/**
 * Runs the suite on the base commit `times` times in separate worktrees; cached by tree, command and tools. Only complete
 * runs are cached: one that was killed, timed out or was cancelled may end differently next time.
 */
export async function readBaseline(
  gate: Gate,
  tools: Readonly<Record<string, string>>,
  source: BaselineSource,
  place: ProofPlace,
  times = 1,
): Promise<readonly BaseRun[]> {
  const tree = await baseTree(source);
  const sorted = Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = createHash('sha256')
    .update(
      JSON.stringify([
        'baseline3',
        ...[source.dependencies, tree, gate.command, sorted],
        ...[containmentHere().by, gate.network ?? false],
      ]),
    )
    .digest('hex');
  const memory = source.dependencies === 'run' ? ownMemory : fileMemory(place.store.folder);
  const stored = memory.read(key);
  if (stored.length >= times) return stored.map(asWhole);
  const job = `${key} ${times}`;
  const running =
    underway.get(job) ??
    repeatBaseline(times, stored, (runs) => memory.keep(key, runs), {
      runOnce: () => runBaseline(gate, source, place),
      isOver: () => place.signal?.aborted ?? false,
    }).finally(() => underway.delete(job));
  underway.set(job, running);
  return running;
}

/** Where complete runs are cached. */
interface BaselineMemory {
  read(key: string): readonly SuiteRun[];
  keep(key: string, runs: readonly SuiteRun[]): void;
}

const known = new Map<string, readonly SuiteRun[]>();

/** In this process only: what decides about an agent's work must not be where agents can write. */
const ownMemory: BaselineMemory = {
  read: (key) => known.get(key) ?? [],
  keep: (key, runs) => void known.set(key, runs),
};

/** For `joinery gates` in a checkout, which does not accept or reject work. */
function fileMemory(folder: string): BaselineMemory {
  const fileOf = (key: string) => join(folder, 'baselines', `${key}.json`);
  return {
    read: (key) => readStored(fileOf(key)),
    keep: (key, runs) => writeStored(fileOf(key), runs),
  };
}

function asWhole(run: SuiteRun): BaseRun {
  return { ...run, isWhole: true };
}

const trees = new WeakMap<BaselineSource, Promise<string>>();

/** Asks git once for all gates. */
export function baseTree(source: BaselineSource): Promise<string> {
  const tree = trees.get(source) ?? treeOf(source.scratch.git, source.commit);
  trees.set(source, tree);
  return tree;
}

async function repeatBaseline(
  times: number,
  stored: readonly SuiteRun[],
  keep: (runs: readonly SuiteRun[]) => void,
  { runOnce, isOver }: { runOnce(): Promise<BaseRun>; isOver(): boolean },
): Promise<readonly BaseRun[]> {
  const runs = stored.map(asWhole);
  while (runs.length < times) {
    const first = await runOnce();
    // A run ended by a signal shows nothing; that no test can be counted is believed only if it happens twice.
    const isDoubtful = first.outcome === 'exited' && (!first.isWhole || first.tests === null);
    const run = isDoubtful && !isOver() ? await runOnce() : first;
    runs.push(run);
    if (!run.isWhole) return runs;
    keep(runs.map(({ isWhole: _, ...run }) => run));
  }
  return runs;
}

/** A shell reports a program ended by a signal with a code above this. */
const lastOwnExitCode = 128;

async function runBaseline(gate: Gate, source: BaselineSource, place: ProofPlace): Promise<BaseRun> {
  const { id, kind, command, timeoutMs, network = false } = gate;
  const proof = {
    claim: kind,
    gate: id,
    command: { kind: 'line', line: command },
    timeoutMs,
    network,
  } as const;
  // Belongs to no task, but must be ended together with its run.
  const nobodys = { ...place, run: null, task: null, attempt: null, mark: markOf(place) };
  const once = () => source.withWorktree((worktree) => recordEvidence(proof, { ...nobodys, worktree }));
  const { outcome, exitCode, tests, passing, log, refused } = await settled(
    once,
    () => place.signal?.aborted ?? false,
  );
  const hasEnded = outcome === 'exited' && exitCode !== null && exitCode <= lastOwnExitCode;
  const isWhole = hasEnded && (tests !== null || !log.isCut);
  return { outcome, exitCode, tests, passing, isWhole, refused };
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
  writeFileSync(fresh, JSON.stringify({ v: 3, runs }));
  renameSync(fresh, file);
}
