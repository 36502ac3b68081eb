import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CheckContext } from '#check/context.ts';
import { packagesState } from '#check/typecheck/containment/packages-state.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { SuiteRun } from '#gates/run/lost-tests.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { type EvidenceStore, openEvidenceStore } from '#gates/runner/store.ts';
import type { Git } from '#git/call/git.ts';
import { listWorktrees } from '#git/refs/refs.ts';
import { checkoutGit } from '#git/worktrees/checkout-git.ts';
import { readCheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import { withholding } from '#process/allowed-environment.ts';
import { containmentHere } from '#process/containment.ts';
import type { GateKind } from '#schema/gates.ts';
import type { WitnessSettings } from './witness-settings.ts';

/** A command that is run on trees. */
export interface Trial {
  readonly claim: GateKind;
  readonly gate: string;
  readonly line: string;
  readonly timeoutMs: number;
}

/** The outcome of a run, with its output. */
export interface TrialRun extends SuiteRun {
  readonly log: string;
}

/** Longer output is not stored with the result. */
const mostLog = 64 * 1024;

/** One folder in which trees are checked out in turn, with the project's dependencies, to run commands. */
export class TestRoom {
  readonly #settings: WitnessSettings;
  readonly #results: ResultStore;
  readonly #evidence: EvidenceStore;
  readonly #git: Git;
  readonly #path: string;
  readonly #source: string | null;
  readonly #stop = new AbortController();
  readonly #around: string;
  #tree: string | null = null;
  #folders: readonly string[] | null = null;
  /** Commands that ran in this check, without those known from an earlier one. */
  runs = 0;

  private constructor(
    { workspace }: CheckContext,
    settings: WitnessSettings,
    results: ResultStore,
    place: { readonly source: string | null; readonly git: (path: string, index: string) => Git },
  ) {
    const folder = join(workspace.scratch.dir, 'witness');
    this.#path = join(folder, 'tree');
    mkdirSync(this.#path, { recursive: true });
    this.#settings = settings;
    this.#results = results;
    this.#evidence = openEvidenceStore(folder);
    this.#git = place.git(this.#path, join(folder, 'index'));
    this.#source = place.source;
    this.#around = digest([
      settings.env,
      settings.provisioning,
      settings.sandbox,
      containmentHere().by,
      this.#source === null ? '' : packagesState(this.#source, ['']),
    ]);
  }

  static async open(
    context: CheckContext,
    settings: WitnessSettings,
    results: ResultStore,
  ): Promise<TestRoom> {
    const { repository, scratch } = context.workspace;
    const main = (await listWorktrees(repository)).find(({ isMain }) => isMain)?.path;
    const checkout = await readCheckoutSettings(repository);
    return new TestRoom(context, settings, results, {
      source: main ?? repository.workTree,
      git: (path, index) => checkoutGit(scratch, checkout, path, index),
    });
  }

  /** `time` counts repetitions on one tree: each has a separate result. */
  async run(tree: string, trial: Trial, time = 0): Promise<TrialRun> {
    const question = ['witness', tree, trial.line, trial.claim, time, this.#around];
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

  async #run(tree: string, { claim, gate, line, timeoutMs }: Trial): Promise<TrialRun> {
    await this.#checkOut(tree);
    this.runs++;
    const { env, logBytes, memoryBytes, sandbox } = this.#settings;
    const [program, ...args] = sandbox;
    const recorded = await recordEvidence(
      {
        claim,
        gate,
        command:
          program === undefined
            ? { kind: 'line', line }
            : { kind: 'argv', argv: [program, ...args, '/bin/sh', '-c', line], text: line },
        timeoutMs,
        tree,
      },
      {
        store: this.#evidence,
        // Every run starts with a clean checkout: leftovers of a run do not matter.
        worktree: { path: this.#path, tree: async () => tree },
        env: { ...env, GIT_CEILING_DIRECTORIES: dirname(this.#path) },
        hide: withholding(process.env, env),
        maxLogBytes: logBytes,
        memoryBytes,
        signal: this.#stop.signal,
        run: null,
        task: null,
        attempt: null,
        mark: `check/${process.pid}`,
      },
    );
    const log = readFileSync(recorded.log.file, 'utf8').replaceAll(`${this.#path}/`, '');
    const { outcome, exitCode, tests, passing } = recorded;
    return { outcome, exitCode, tests, passing, log: log.length > mostLog ? log.slice(-mostLog) : log };
  }

  async #checkOut(tree: string): Promise<void> {
    const kept = (this.#folders ?? []).flatMap((folder) => ['-e', `/${folder}`]);
    if (this.#tree !== null) await this.#git.run(['clean', '-ffdxq', ...kept]);
    await this.#git.run(['read-tree', '--reset', '-u', tree]);
    this.#tree = tree;
    if (this.#folders !== null) return;
    const { provisioning, env } = this.#settings;
    this.#folders = (await provideDependencies(provisioning, this.#source, this.#path, env)).folders;
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
