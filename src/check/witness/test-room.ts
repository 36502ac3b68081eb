import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packagesState } from '#check/typecheck/containment/packages-state.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { SuiteRun } from '#gates/run/lost-tests.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { dependencyFoldersIn, inputsOf, provideTree } from '#gates/runner/provide.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { type EvidenceStore, openEvidenceStore } from '#gates/runner/store.ts';
import { type AskedReport, askReport, leftReports } from '#gates/suite/asked-report.ts';
import { traceLines } from '#gates/suite/trace-lines.ts';
import { endWaiting } from '#gates/suite/waiting-runner.ts';
import type { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { listWorktrees } from '#git/refs/refs.ts';
import { checkoutGit } from '#git/worktrees/checkout-git.ts';
import { readCheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import { withholding } from '#process/allowed-environment.ts';
import { containmentHere } from '#process/containment.ts';
import type { GateKind } from '#schema/gates.ts';
import { type CaseReport, casesOfJest, casesOfJunit, casesOfNames } from '#tests/results/cases.ts';
import type { WitnessSettings } from './witness-settings.ts';

/** A command that is run on trees. */
export interface Trial {
  readonly claim: GateKind;
  readonly gate: string;
  readonly line: string;
  readonly timeoutMs: number;
  /** `src/label.js:2`: whether these lines run is of interest. */
  readonly lines?: readonly string[];
  /** Its settings allow it the network. */
  readonly network?: boolean;
}

/** The outcome of a run, with its output. */
export interface TrialRun extends SuiteRun {
  readonly log: string;
  /** The cases that the runner names; empty for other commands than tests. */
  readonly report: CaseReport;
  /** Of the lines of interest, those that ran; null: it is not known which ran. */
  readonly executed: readonly string[] | null;
  /** It waited for changes of files and was ended. */
  readonly waits: boolean;
  readonly wallMs: number;
  /** What the tree asks for and the run did not have. */
  readonly lacking: readonly string[];
  /** Its record; null: it did not run. */
  readonly evidence: string | null;
}

/** Where trees come from and where records go. */
interface RoomSource {
  readonly repository: Repository;
  readonly scratch: Scratch;
  /** Default: a store that goes with the room. */
  readonly store?: EvidenceStore;
}

type RoomSettings = Omit<WitnessSettings, 'ways' | 'definitions'>;

/** Longer output is not stored with the result. */
const mostLog = 64 * 1024;

/** One folder in which trees are checked out in turn, with the project's dependencies, to run commands. */
export class TestRoom {
  readonly #settings: RoomSettings;
  readonly #results: ResultStore;
  readonly #evidence: EvidenceStore;
  readonly #git: Git;
  readonly #path: string;
  readonly #source: string | null;
  /** Dependency folders of the checkout. */
  readonly #installed: readonly string[];
  readonly #stop = new AbortController();
  readonly #around: string;
  #tree: string | null = null;
  /** What the provided folders were made for; null: nothing was provided. */
  #providedFor: string | null = null;
  #folders: readonly string[] = [];
  #lacking: readonly string[] = [];
  /** Commands that ran in this check, without those known from an earlier one. */
  runs = 0;

  private constructor(
    { scratch, store }: RoomSource,
    settings: RoomSettings,
    results: ResultStore,
    place: {
      readonly source: string | null;
      readonly installed: readonly string[];
      readonly git: (path: string, index: string) => Git;
    },
  ) {
    const folder = join(scratch.dir, 'witness');
    this.#path = join(folder, 'tree');
    mkdirSync(this.#path, { recursive: true });
    this.#settings = settings;
    this.#results = results;
    this.#evidence = store ?? openEvidenceStore(folder);
    this.#git = place.git(this.#path, join(folder, 'index'));
    this.#source = place.source;
    this.#installed = place.installed;
    this.#around = digest([
      settings.env,
      settings.provisioning,
      settings.sandbox,
      containmentHere().by,
      this.#source === null ? '' : packagesState(this.#source, ['', ...foldersOf(place.installed)]),
    ]);
  }

  static async open(from: RoomSource, settings: RoomSettings, results: ResultStore): Promise<TestRoom> {
    const { repository, scratch } = from;
    const main = (await listWorktrees(repository)).find(({ isMain }) => isMain)?.path;
    const checkout = await readCheckoutSettings(repository);
    const source = main ?? repository.workTree;
    return new TestRoom(from, settings, results, {
      source,
      installed:
        source === null || settings.provisioning.mode === 'none' ? [] : await dependencyFoldersIn(source),
      git: (path, index) => checkoutGit(scratch, checkout, path, index),
    });
  }

  /** `time` counts repetitions on one tree: each has a separate result. */
  async run(tree: string, trial: Trial, time = 0): Promise<TrialRun> {
    const question = ['witness3', tree, trial.line, trial.claim, time, trial.lines ?? [], this.#around];
    const known = this.#results.read(question);
    if (known !== undefined) return known as TrialRun;
    const answer = await this.#run(tree, trial);
    if (answer.outcome === 'exited') this.#results.write(question, answer);
    return answer;
  }

  /** Ends running commands. */
  stop(): void {
    this.#stop.abort();
  }

  async #run(
    tree: string,
    { claim, gate, line, timeoutMs, lines = [], network = false }: Trial,
  ): Promise<TrialRun> {
    await this.#checkOut(tree);
    this.runs++;
    const { env, logBytes, memoryBytes, sandbox } = this.#settings;
    const [program, ...args] = sandbox;
    // Inside the tree: elsewhere a contained program may not write.
    const own = join(this.#path, reportFolder, 'report');
    const asked =
      claim === 'test' ? askReport(line, own, env, (path) => textAt(join(this.#path, path))) : null;
    if (asked !== null || lines.length > 0) mkdirSync(dirname(own), { recursive: true });
    const tracing = lines.length === 0 ? null : traceLines(this.#path, dirname(own), lines, env);
    const said = asked?.line ?? line;
    const startedAt = Date.now();
    const waiting = endWaiting(this.#evidence, this.#stop.signal);
    const recorded = await recordEvidence(
      {
        claim,
        gate,
        command:
          program === undefined
            ? { kind: 'line', line: said }
            : { kind: 'argv', argv: [program, ...args, '/bin/sh', '-c', said], text: said },
        timeoutMs,
        tree,
        network,
      },
      {
        store: waiting.store,
        // Every run starts with a clean checkout: leftovers of a run do not matter.
        worktree: { path: this.#path, tree: async () => tree },
        env: { ...env, ...tracing?.env, ...asked?.env, GIT_CEILING_DIRECTORIES: dirname(this.#path) },
        hide: withholding(process.env, env),
        maxLogBytes: logBytes,
        memoryBytes,
        signal: waiting.signal,
        run: null,
        task: null,
        attempt: null,
        mark: `check/${process.pid}`,
      },
    ).finally(waiting.stop);
    const log = readFileSync(recorded.log.file, 'utf8').replaceAll(`${this.#path}/`, '');
    const { outcome, exitCode, wallMs } = recorded;
    const written = claim === 'test' ? this.#readReport(asked, own, startedAt) : null;
    const executed = tracing?.read() ?? null;
    rmSync(dirname(own), { recursive: true, force: true });
    const { tests, passing } = written === null ? recorded : countsOf(written);
    const report = written ?? casesOfNames(passing ?? [], tests?.failing ?? []);
    return {
      ...{ outcome, exitCode, tests, passing, report: withReasons(report, log) },
      ...{ executed, lacking: this.#lacking, wallMs, waits: waiting.isWaiting(), evidence: recorded.id },
      log: log.length > mostLog ? log.slice(-mostLog) : log,
    };
  }

  /** The runner's own report; null if it wrote none. */
  #readReport(asked: AskedReport | null, own: string, startedAt: number): CaseReport | null {
    const root = this.#path;
    const text = asked === null ? null : textAt(own);
    if (asked !== null && text !== null && text !== '')
      return asked.format === 'jest' ? casesOfJest(text, root) : casesOfJunit([text], root);
    // Older ones came with a folder that was provided.
    const left = globSync([...leftReports], { cwd: root, exclude: ['**/node_modules/**'] })
      .filter((path) => (statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAt)
      .flatMap((path) => textAt(join(root, path)) ?? []);
    return left.length === 0 ? null : casesOfJunit(left, root);
  }

  /** Dependencies stay from tree to tree as long as the trees ask for the same. */
  async #provide(): Promise<void> {
    const { provisioning, env } = this.#settings;
    const wanted = inputsOf(this.#path, this.#installed);
    if (this.#providedFor === wanted) return;
    for (const folder of this.#folders) await rm(join(this.#path, folder), { recursive: true, force: true });
    const configured = await provideDependencies(
      // What the checkout has is provided below, where it is the right one.
      {
        ...provisioning,
        folders: provisioning.folders.filter((folder) => !this.#installed.includes(folder)),
      },
      this.#source,
      this.#path,
      env,
    );
    const found =
      this.#source === null || provisioning.install
        ? { folders: [], lacking: [] }
        : await provideTree(provisioning, this.#source, this.#installed, this.#path, env);
    this.#folders = [...configured.folders, ...found.folders];
    this.#lacking = found.lacking;
    this.#providedFor = wanted;
  }

  async #checkOut(tree: string): Promise<void> {
    const kept = this.#folders.flatMap((folder) => ['-e', `/${folder}`]);
    if (this.#tree !== null) await this.#git.run(['clean', '-ffdxq', ...kept]);
    await this.#git.run(['read-tree', '--reset', '-u', tree]);
    this.#tree = tree;
    await this.#provide();
  }
}

/** Not part of the project: it is removed after each run. */
const reportFolder = '.joinery-report';

/** `packages/a/node_modules` is below `packages/a`. */
function foldersOf(installed: readonly string[]): string[] {
  return [...new Set(installed.map((folder) => dirname(folder)))].filter((folder) => folder !== '.');
}

function textAt(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function countsOf({ cases, unloaded }: CaseReport): Pick<SuiteRun, 'tests' | 'passing'> {
  const ids = (wanted: string) => cases.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const passing = ids('passed');
  const failing = [...ids('failed'), ...unloaded.map(({ file }) => file)];
  return {
    passing,
    tests: {
      passed: passing.length,
      failed: failing.length,
      skipped: ids('skipped').length,
      failing,
      hasAllNames: true,
      readers: ['own report'],
    },
  };
}

const whyUnloaded =
  /((?:Cannot find (?:module|package)|ModuleNotFoundError|ImportError|SyntaxError|does not provide an export named)\b.{0,200})/;

/** Some runners say only in their output why a file could not be loaded, and in which file a test failed. */
function withReasons({ cases, unloaded }: CaseReport, log: string): CaseReport {
  const why = whyUnloaded.exec(log)?.[1]?.trim() ?? '';
  // `test at test/a.test.js:4:1`, then `✖ adds (1.2ms)`.
  const places = new Map(
    [...log.matchAll(/^test at (.+?):\d+:\d+\n✖ (.+?) \([\d.]+ms\)/gm)].map(([, file = '', title = '']) => [
      title,
      file,
    ]),
  );
  return {
    cases: cases.map((each) => ({ ...each, file: each.file ?? places.get(each.title) ?? null })),
    unloaded: unloaded.map((each) => ({ ...each, reason: each.reason || why })),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
