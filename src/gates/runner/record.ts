import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { workBox } from '#process/box.ts';
import { containmentHere } from '#process/containment.ts';
import { takeRefusals } from '#process/refusals.ts';
import { refusedIn } from '#process/refused.ts';
import { runContained } from '#process/run-contained.ts';
import { type Evidence, type GateKind, TestResults } from '#schema/gates.ts';
import { readTestResults } from '#tests/results/read-test-results.ts';
import { failureMarkers } from './failure-markers.ts';
import { gateEnvironment } from './gate-environment.ts';
import type { EvidenceStore } from './store.ts';
import { findProgram, readToolVersions } from './tools.ts';

/** A command to run and what it should show. */
export interface Proof {
  readonly claim: GateKind;
  /** Id of the gate; null for any other command. */
  readonly gate: string | null;
  readonly command: Command;
  readonly timeoutMs: number;
  /** Its settings allow it the network. */
  readonly network?: boolean;
  /** The tree as read a moment ago, after the previous command, so that it is not read twice. */
  readonly tree?: string | null;
}

/** A shell line, as in gates, or a program and its arguments. */
type Command =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'argv'; readonly argv: readonly [string, ...string[]]; readonly text: string };

/** Where proofs run and are stored. */
export interface ProofPlace {
  readonly store: EvidenceStore;
  readonly worktree: WorktreeReader;
  readonly env: Readonly<Record<string, string>>;
  readonly maxLogBytes: number;
  readonly memoryBytes?: number | undefined;
  /** Removes values from the log that the programs did not receive. */
  readonly hide?: (text: string) => string;
  readonly signal?: AbortSignal;
  readonly run: string | null;
  readonly task: string | null;
  readonly attempt: number | null;
  /** The mark of its processes; default: run, task and attempt. */
  readonly mark?: string;
}

export function markOf({ mark, run, task, attempt }: ProofPlace): string {
  return mark ?? `${run ?? 'gates'}/${task ?? '-'}/${attempt ?? 0}`;
}

/** The record, and what is too long to be stored. */
export type FreshEvidence = Evidence & {
  /** Names of passed tests, if the output has them; null if unknown. */
  readonly passing: readonly string[] | null;
  /** Incidents of its processes only, without its changes to files. */
  readonly processIncidents: readonly string[];
  /** CPU time of everything it ran; null if unknown. */
  readonly cpuMs: number | null;
  /** Its guard was lost, so its outcome is unknown. */
  readonly hasLostGuard: boolean;
  /** Files that were written during the run and had their old content at its end. */
  readonly rewritten: readonly string[];
};

/** Replaces the whole log: its real output is not known. */
const rewrittenLog = 'its log was changed by another process before it was read';

/** Runs a command in the worktree, contained, and records the result. */
export async function recordEvidence(proof: Proof, place: ProofPlace): Promise<FreshEvidence> {
  const { store, worktree, maxLogBytes, signal, run, task, attempt } = place;
  const text = proof.command.kind === 'line' ? proof.command.line : proof.command.text;
  const at = new Date().toISOString();
  const logFile = store.newLog(at, proof.gate ?? proof.claim);
  const env = gateEnvironment(place.env, worktree.path, text);
  const [tree, tools] = await Promise.all([
    proof.tree ?? worktree.tree(),
    readToolVersions(text, worktree.path, place.env, store.toolMemory),
  ]);
  const box = workBox(worktree.path, env, { network: proof.network ?? false });
  const contained = containmentHere().by;
  const ended = await runContained({
    argv: argvOf(proof.command),
    cwd: worktree.path,
    env,
    mark: markOf(place),
    box,
    timeoutMs: proof.timeoutMs,
    logFile,
    maxLogBytes,
    ...(signal ? { signal } : {}),
    memoryBytes: place.memoryBytes,
    ...(place.hide ? { hide: place.hide } : {}),
  });
  const tried = takeRefusals(env);
  const treeAfter = await worktree.tree();
  const rewritten = worktree.rewritten?.() ?? [];
  // Removes the path of the worktree, so that the same tests have the same names in any worktree.
  const bytes = readFileSync(logFile);
  const log = bytes.toString('utf8').replaceAll(`${worktree.path}/`, '');
  const isOurs = createHash('sha256').update(bytes).digest('hex') === ended.log.sha256;
  const hasFailed = ended.outcome === 'exited' && ended.exitCode !== 0;
  const refused =
    contained === 'none' || !hasFailed
      ? []
      : refusedIn(bytes.toString('utf8'), box, (name) => findProgram(name, env.PATH ?? ''));
  const results = proof.claim === 'test' && isOurs ? readTestResults(log) : null;
  const evidence: Omit<Evidence, 'id'> = {
    schema: 'joinery/evidence@1',
    at,
    claim: proof.claim,
    gate: proof.gate,
    command: text,
    tree,
    treeAfter,
    contained,
    ...(refused.length > 0 ? { refused } : {}),
    outcome: ended.outcome,
    exitCode: ended.exitCode,
    signal: ended.signal,
    log: { file: logFile, bytes: ended.log.bytes, sha256: ended.log.sha256, isCut: ended.log.isCut },
    tests: results && TestResults.parse(results),
    markers: isOurs ? (proof.claim === 'test' ? [] : failureMarkers(log)) : [rewrittenLog],
    incidents: [...ended.incidents, ...tried, ...(treeAfter === tree ? [] : ['it changed its own worktree'])],
    tools,
    wallMs: ended.wallMs,
    run,
    task,
    attempt,
  };
  const recorded = { ...evidence, id: idOf(evidence) };
  store.append(recorded);
  const passing = results && !evidence.log.isCut ? results.passing : null;
  const { cpuMs, hasLostGuard } = ended;
  const processIncidents = [...ended.incidents, ...tried];
  return { ...recorded, passing, processIncidents, cpuMs, hasLostGuard, rewritten };
}

function idOf(evidence: Omit<Evidence, 'id'>): string {
  return createHash('sha256').update(JSON.stringify(evidence)).digest('hex').slice(0, 16);
}

/** The line is passed to the shell unchanged. */
function argvOf(command: Command): readonly [string, ...string[]] {
  if (command.kind === 'argv') return command.argv;
  return process.platform === 'win32'
    ? ['cmd.exe', '/d', '/s', '/c', command.line]
    : ['/bin/sh', '-c', command.line];
}
