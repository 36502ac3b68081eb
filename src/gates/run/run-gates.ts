import { readFileSync } from 'node:fs';
import { judgeEvidence } from '#gates/runner/judge.ts';
import { type FreshEvidence, type ProofPlace, recordEvidence } from '#gates/runner/record.ts';
import { settled } from '#gates/runner/settled.ts';
import { failedControls, withoutControls } from '#gates/yardstick/control-tests.ts';
import { diffTrees } from '#git/trees/tree.ts';
import { redactSecrets } from '#lib/redact.ts';
import { environmentFault } from '#schema/environment-fault.ts';
import { EnvironmentError, isJoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { Evidence, Gate, GateResult } from '#schema/gates.ts';
import { isTestFile } from '#tests/code/test-path.ts';
import { plainLines } from '#tests/results/plain-lines.ts';
import { type BaselineSource, type BaseRun, baseTree, readBaseline } from './baseline.ts';
import { type Comparison, compareWithBase, failuresOf, newFailures } from './compare.ts';
import { judgeLost, lostTests, type SuiteRun } from './lost-tests.ts';
import { readTestTexts } from './test-texts.ts';

export interface GateRoom {
  readonly place: ProofPlace;
  readonly baseline: BaselineSource;
  /** Before each gate: restores what it needs outside the worktree. */
  prepare?(): Promise<void>;
  /** Undoes a gate's changes to the worktree; without it the next gate sees them. */
  restore?(): Promise<void>;
  /** Called before and after each gate. */
  progress?(text: string): void;
  /** Added tests that must fail: each run is judged without them. */
  readonly controls?: Controls;
}

export interface Controls {
  readonly names: readonly string[];
  /** Called with those that a run names as failed. */
  see(failed: readonly string[]): void;
}

/** How many times a new failure is repeated before it counts. */
const mostRepeats = 2;

/** Runs all gates in order, even after failures: a complete list of problems saves attempts. */
export async function runGates(gates: readonly Gate[], room: GateRoom): Promise<GateResult[]> {
  const results: GateResult[] = [];
  const here = { ...room, latest: new LatestTree() };
  for (const gate of gates) {
    room.progress?.(`${gate.id}: ${gate.command}`);
    const isOver = room.place.signal?.aborted ?? false;
    results.push(isOver ? skipped(gate) : await runGate(gate, here));
  }
  return results;
}

/**
 * In a large worktree reading every file costs more than most gates. The state read after one gate is reused for the next
 * if that starts at once; a write in between is still detected afterwards.
 */
class LatestTree {
  #tree: string | null = null;
  #readAt = 0;

  note({ tree, treeAfter }: FreshEvidence): void {
    this.#tree = tree === treeAfter ? treeAfter : null;
    this.#readAt = performance.now();
  }

  get fresh(): string | null {
    return performance.now() - this.#readAt < atOnceMs ? this.#tree : null;
  }
}

const atOnceMs = 50;

type Room = GateRoom & { readonly latest: LatestTree };

async function runGate(gate: Gate, room: Room): Promise<GateResult> {
  const evidence = await prove(gate, room);
  if (evidence.outcome === 'cancelled') return { ...skipped(gate), wallMs: evidence.wallMs };
  const judged = withRefusals(
    gate.kind === 'test' ? await judgeSuite(gate, evidence, room) : judgeCommand(evidence),
    evidence,
  );
  const changed = await changedBy(evidence, room);
  // New files are only litter; changed committed files mean that the gate proved nothing about the committed ones.
  const tidiness = changed.some(({ isNew }) => !isNew) ? 'fail' : changed.length > 0 ? 'warn' : 'pass';
  // A test that was rewritten and restored during the run was not the one that ran.
  const swapped = gate.kind === 'test' ? evidence.rewritten.filter((path) => isTestFile(path)) : [];
  const status = swapped.length > 0 ? 'fail' : worse(judged.status, tidiness);
  const remarks = [
    judged.reason,
    ...refusalOf(gate, evidence),
    ...(swapped.length === 0
      ? []
      : [`rewrote tests while they ran: ${swapped.slice(0, mostPaths).join(', ')}`]),
    ...(changed.length === 0 ? [] : [`changed its own worktree: ${listed(changed)}`]),
    ...evidence.processIncidents,
  ];
  return {
    gate,
    status,
    reason: remarks.filter((remark) => remark !== '').join('; '),
    evidence: evidence.id,
    tools: evidence.tools,
    tree: evidence.tree,
    exitCode: evidence.exitCode,
    wallMs: evidence.wallMs,
    tests: evidence.tests,
    newFailures: [...judged.newFailures],
    knownFailures: [...judged.knownFailures],
    flaky: [...judged.flaky],
    log: {
      file: evidence.log.file,
      sha256: evidence.log.sha256,
      excerpt: status === 'pass' ? [] : excerpt(readFileSync(evidence.log.file, 'utf8')),
    },
  };
}

async function prove(gate: Gate, room: Room): Promise<FreshEvidence> {
  const isOver = () => room.place.signal?.aborted ?? false;
  const evidence = await settled(() => proveOnce(gate, room), isOver);
  if (room.controls === undefined) return evidence;
  room.controls.see(failedControls(evidence, room.controls.names));
  return withoutControls(evidence, room.controls.names);
}

async function proveOnce(gate: Gate, { place, prepare, restore, latest }: Room): Promise<FreshEvidence> {
  const { id, kind, command, timeoutMs, network = false } = gate;
  await prepare?.();
  const evidence = await recordEvidence(
    {
      claim: kind,
      gate: id,
      command: { kind: 'line', line: command },
      timeoutMs,
      network,
      tree: latest.fresh,
    },
    place,
  );
  latest.note(evidence);
  if (evidence.treeAfter !== evidence.tree) await restore?.();
  return evidence;
}

/**
 * A failure that the sandbox caused says nothing about the work: neither that it is bad, nor that base was as bad. Where new failures are
 * counted by name, these decide.
 */
function withRefusals(judged: Comparison, { refused = [], tests }: FreshEvidence): Comparison {
  if (refused.length === 0) return judged;
  const isCounted = tests !== null && judged.newFailures.length > 0;
  return isCounted ? judged : { ...judged, status: 'inconclusive', knownFailures: [] };
}

function refusalOf({ id }: Gate, { refused = [] }: FreshEvidence): string[] {
  if (refused.length === 0) return [];
  return [`it ran contained and was refused ${refused.join('; ')}. ${allowance(id, refused)}`];
}

function allowance(id: string, refused: readonly string[]): string {
  return refused.some((what) => what.startsWith('the network'))
    ? `To allow it: { "gates": { "network": ["${id}"] } } in joinery.json of base`
    : 'To run it outside the sandbox: joinery --no-sandbox …';
}

function judgeCommand(evidence: Evidence): Comparison {
  // Changes to files are judged separately, by which files they are.
  const { flaw, detail } = judgeEvidence({ ...evidence, treeAfter: evidence.tree });
  const status = flaw === null ? 'pass' : 'fail';
  return { status, reason: flaw === null ? '' : detail, newFailures: [], knownFailures: [], flaky: [] };
}

/** Always compares with the base commit: failures may be older, and a green suite may have lost tests. */
async function judgeSuite(gate: Gate, first: FreshEvidence, room: Room): Promise<Comparison> {
  const failures = failuresOf(first);
  const tree = await baseTree(room.baseline);
  const isGreen = failures?.size === 0;
  if (isGreen && first.tree === tree) return compareWithBase([first], []);
  const { runs: bases, problem } = await baselineOf(gate, first, room);
  const runs = await repeatSuite(gate, first, bases[0] ?? null, room);
  const judged = compareWithBase(runs, bases);
  const isUnsteady = judged.flaky.length > 0 && judged.newFailures.length === 0 && bases.length > 0;
  const again = isUnsteady ? await baselineOf(gate, first, room, 1 + mostRepeats) : { runs: bases, problem };
  return withLost(compareWithBase(runs, again.runs), first, { tree: first.tree, base: tree }, again, room);
}

async function repeatSuite(
  gate: Gate,
  first: FreshEvidence,
  base: SuiteRun | null,
  room: Room,
): Promise<[SuiteRun, ...SuiteRun[]]> {
  const runs: [SuiteRun, ...SuiteRun[]] = [first];
  const bases = base ? [base] : [];
  const isWorthwhile = first.outcome === 'exited' && failuresOf(first) !== null && first.tests !== null;
  while (isWorthwhile && runs.length <= mostRepeats && compareWithBase(runs, bases).newFailures.length > 0) {
    if (newFailures(first, base).length === 0 || room.place.signal?.aborted) break;
    room.progress?.(`${gate.id}: repeating, to separate new failures from flaky ones`);
    const repeat = await prove(gate, room);
    if (repeat.tree !== first.tree) break;
    runs.push(repeat);
  }
  return runs;
}

/** Tests that ran on the base commit and no longer run count as failures. */
async function withLost(
  judged: Comparison,
  first: SuiteRun,
  { tree, base }: { readonly tree: string; readonly base: string },
  { runs, problem }: Base,
  { baseline }: GateRoom,
): Promise<Comparison> {
  const reason = problem === '' ? judged.reason : `${judged.reason}; ${problem}`;
  if (problem !== '' && judged.status === 'pass')
    return { ...judged, reason, status: baseline.isOptional ? 'warn' : 'inconclusive' };
  const lost = lostTests(first, runs[0] ?? null);
  if (lost.count === 0 || judged.status === 'fail') return { ...judged, reason };
  const verdict = judgeLost(lost, await readTestTexts(baseline.scratch.git, base, tree));
  if (verdict.status === 'pass') return { ...judged, reason };
  return { ...judged, status: worse(judged.status, verdict.status), reason: `${reason}; ${verdict.reason}` };
}

const fromBest = ['pass', 'warn', 'inconclusive', 'fail'] as const;

function worse(a: Comparison['status'], b: Comparison['status']): Comparison['status'] {
  return fromBest.indexOf(a) > fromBest.indexOf(b) ? a : b;
}

interface Base {
  readonly runs: readonly SuiteRun[];
  /** Why there is no base result; empty if there is one. */
  readonly problem: string;
}

/** If the base cannot be run, there is nothing to compare with: then every failure counts. */
async function baselineOf(gate: Gate, first: Evidence, room: GateRoom, times = 1): Promise<Base> {
  room.progress?.(`${gate.id}: on the base commit, to see what ran and what failed before`);
  try {
    const all = await readBaseline(gate, first.tools, room.baseline, room.place, times);
    // If the suite hangs on both sides, the two hanging runs are compared.
    const isHanging = first.outcome === 'timeout' && all.every(({ outcome }) => outcome === 'timeout');
    const runs = isHanging ? all : all.filter(({ isWhole }) => isWhole);
    const refused = first.refused === undefined ? [] : (all[0]?.refused ?? []);
    if (refused.length > 0 && !room.baseline.isOptional) throw refusedOnBase(gate, refused);
    return { runs, problem: runs.length > 0 ? '' : `its run on the base commit ${endOf(all[0])}` };
  } catch (error) {
    // An environment error is not the fault of the work.
    const refused = isJoineryError(error) && error.exitCode === exitCodes.environment;
    const fault = refused ? error : environmentFault(error);
    if (fault && !room.baseline.isOptional) throw fault;
    return { runs: [], problem: `the base commit could not be tried: ${(error as Error).message}` };
  }
}

/** What base needs, too, is missing here: no work can be judged by this gate. */
function refusedOnBase({ id, command }: Gate, refused: readonly string[]): EnvironmentError {
  return new EnvironmentError({
    code: 'refused-by-sandbox',
    message: `gate ${id} (${command}) does not work contained, on the base commit neither; it was refused ${refused.join('; ')}`,
    hint: allowance(id, refused),
  });
}

function endOf(run: BaseRun | undefined): string {
  if (run === undefined) return 'was not made';
  if (run.outcome === 'timeout') return 'timed out';
  return run.outcome === 'exited'
    ? 'did not end by itself, or was not read completely'
    : `was ${run.outcome}`;
}

interface ChangedFile {
  readonly path: string;
  readonly isNew: boolean;
}

async function changedBy({ tree, treeAfter }: Evidence, { baseline }: GateRoom): Promise<ChangedFile[]> {
  if (tree === treeAfter) return [];
  const [changes = []] = await diffTrees(baseline.scratch.git, [[tree, treeAfter]], { renames: false });
  return changes.map(({ path, before }) => ({ path, isNew: before === null }));
}

const mostPaths = 5;

function listed(files: readonly ChangedFile[]): string {
  const paths = files.slice(0, mostPaths).map(({ path }) => path);
  return [...paths, ...(files.length > mostPaths ? [`${files.length - mostPaths} more`] : [])].join(', ');
}

const shortLog = 20;
const eitherEnd = 10;
const longestLine = 400;

/** The whole log if it is short, otherwise both ends. */
function excerpt(log: string): string[] {
  const lines = plainLines(log.trimEnd()).map((line) => redactSecrets(line.slice(0, longestLine)));
  if (lines.length <= shortLog) return log.trim() === '' ? [] : lines;
  const left = lines.length - 2 * eitherEnd;
  return [...lines.slice(0, eitherEnd), `… ${left} lines …`, ...lines.slice(-eitherEnd)];
}

function skipped(gate: Gate): GateResult {
  return {
    gate,
    status: 'skipped',
    reason: 'called off',
    evidence: null,
    tools: {},
    tree: null,
    exitCode: null,
    wallMs: 0,
    tests: null,
    newFailures: [],
    knownFailures: [],
    flaky: [],
    log: null,
  };
}
