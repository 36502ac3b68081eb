import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Repository } from '../../git/repository.ts';
import type { Scratch } from '../../git/scratch.ts';
import { openWorktreeReader } from '../../git/worktree-tree.ts';
import { createDetachedWorktree, removeWorktree } from '../../git/worktrees.ts';
import { Evidence, type Gate } from '../../model/gates.ts';
import { type ProofPlace, recordEvidence } from '../runner/record.ts';
import type { SuiteRun } from './compare.ts';

/** What the base commit of some work says. */
export interface BaselineSource {
  readonly repository: Repository;
  readonly scratch: Scratch;
  /** What the work is compared with. */
  readonly commit: string;
  /** Puts dependencies into a fresh worktree. */
  provide(worktree: string): Promise<unknown>;
  /** Dependency folders, no part of the tree. */
  readonly except: readonly string[];
}

const Stored = z.object({
  v: z.literal(1),
  run: Evidence.pick({ outcome: true, exitCode: true, tests: true }),
});

/** Two tasks that need the same baseline at the same time share one run of it. */
const underway = new Map<string, Promise<SuiteRun>>();

/**
 * The suite on the base commit, in a worktree of our own; once for the same tree, command and tools. An outcome that
 * may be different next time (it was called off, it could not be started) is not kept.
 */
export async function readBaseline(
  gate: Gate,
  tools: Readonly<Record<string, string>>,
  source: BaselineSource,
  place: ProofPlace,
): Promise<SuiteRun> {
  const { repository, commit } = source;
  const tree = await repository.git.text(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]);
  const sorted = Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = createHash('sha256')
    .update(JSON.stringify(['baseline1', tree, gate.command, sorted]))
    .digest('hex');
  const file = join(place.store.folder, 'baselines', `${key}.json`);
  const stored = readStored(file);
  if (stored) return stored;
  const running = underway.get(key) ?? runBaseline(gate, tree, source, place, file);
  underway.set(key, running);
  return running.finally(() => underway.delete(key));
}

async function runBaseline(
  gate: Gate,
  tree: string,
  source: BaselineSource,
  place: ProofPlace,
  file: string,
): Promise<SuiteRun> {
  const { repository, scratch, commit, except } = source;
  const folder = join(place.store.folder, 'worktrees');
  await removeAbandoned(repository, folder);
  const path = join(folder, `${process.pid}-${tree.slice(0, 12)}-${Date.now().toString(36)}`);
  try {
    await createDetachedWorktree(repository, path, commit, 'joinery: the tests of the base commit');
    await source.provide(path);
    const worktree = await openWorktreeReader(repository, scratch, path, except);
    const { outcome, exitCode, tests } = await recordEvidence(
      {
        claim: gate.kind,
        gate: gate.id,
        command: { kind: 'line', line: gate.command },
        timeoutMs: gate.timeoutMs,
      },
      { ...place, worktree },
    );
    const run = { outcome, exitCode, tests };
    if (outcome === 'exited' || outcome === 'timeout') writeStored(file, run);
    return run;
  } finally {
    await removeWorktree(repository, path);
  }
}

/** A killed process leaves its worktree behind. */
async function removeAbandoned(repository: Repository, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name.split('-')[0]))) await removeWorktree(repository, join(folder, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStored(file: string): SuiteRun | null {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8'))).run;
  } catch {
    return null;
  }
}

function writeStored(file: string, run: SuiteRun): void {
  mkdirSync(join(file, '..'), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify({ v: 1, run }));
  renameSync(fresh, file);
}
