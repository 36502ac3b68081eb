import type { CheckContext } from '#check/context.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import { SomeUnions } from '#check/unions/some-unions.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { testCommand } from '#gates/definitions/test-command.ts';
import { byDefault } from '#gates/definitions/test-sources.ts';
import { writeChanged } from '#git/trees/write-tree.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { noCases } from '#tests/results/cases.ts';
import { findCulprits } from './culprits.ts';
import { branchesInReach, type IntentFile, type IntentTest, intentFiles } from './intent-tests.ts';
import { type CaseResult, judgeCase } from './judge-case.ts';
import type { TestRoom, Trial, TrialRun } from './test-room.ts';
import { unionsOf } from './unions-of.ts';
import type { WitnessSettings } from './witness-settings.ts';

/** A test that passes on its own side and fails on a union. */
export interface FailingTest {
  readonly file: IntentFile;
  readonly test: IntentTest;
  /** Indexes of live branches, including the owner of the test. */
  readonly guilty: readonly number[];
  /** Base's changes are part of it. */
  readonly withBase: boolean;
  /** The union of the guilty branches, in which it fails. */
  readonly tree: string;
  /** It also passes on the sources of base: it tests what the branch relies on, not what it adds. */
  readonly passesOnBase: boolean;
  readonly run: TrialRun;
}

/** A run on a union in which every case is green. */
interface GreenRun {
  readonly tree: string;
  /** Indexes of live branches. */
  readonly members: readonly number[];
  /** Of the lines of interest, those that ran. */
  readonly executed: readonly string[];
}

export interface TestAnswer {
  readonly failing: readonly FailingTest[];
  readonly green: readonly GreenRun[];
  readonly flaky: CheckReport['degraded'];
  /** Why a test has no answer. */
  readonly unable: CheckReport['degraded'];
}

interface Job extends IntentFile {
  readonly trial: Trial;
  /** The other branches that can affect it, nearest first. */
  readonly reach: readonly number[];
}

/** How long all tests of one check may take. */
const longestMs = 30 * 60_000;

/** Runs the intent tests of every branch on the union of all: a test that fails there and passes on its own side is proof. */
export async function runIntentTests(
  context: CheckContext,
  meeting: Meeting,
  settings: WitnessSettings,
  room: TestRoom,
  /** `src/label.js:4`: lines that would break if a finding is true. */
  lines: readonly string[],
): Promise<TestAnswer> {
  const files = await intentFiles(context, meeting);
  if (files.length === 0) return { failing: [], green: [], flaky: [], unable: [] };
  const search = new WitnessSearch(context, meeting, settings, room, lines);
  for await (const { tree, members } of unionsOf(context, meeting)) await search.union(tree, members, files);
  return search.answer();
}

class WitnessSearch {
  readonly #context: CheckContext;
  readonly #meeting: Meeting;
  readonly #settings: WitnessSettings;
  readonly #room: TestRoom;
  readonly #unions: SomeUnions;
  readonly #lines: readonly string[];
  readonly #failing: FailingTest[] = [];
  readonly #green: GreenRun[] = [];
  readonly #flaky = new Map<string, string>();
  readonly #unable = new Map<string, string>();
  /** By test file: the members of earlier unions in which it was decided. */
  readonly #judged = new Map<string, (readonly number[])[]>();
  readonly #until = performance.now() + longestMs;

  constructor(
    context: CheckContext,
    meeting: Meeting,
    settings: WitnessSettings,
    room: TestRoom,
    lines: readonly string[],
  ) {
    this.#lines = lines;
    this.#context = context;
    this.#meeting = meeting;
    this.#settings = settings;
    this.#room = room;
    this.#unions = new SomeUnions(context, meeting.live);
  }

  answer(): TestAnswer {
    const told = (entries: ReadonlyMap<string, string>) =>
      [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => ({ check: 'tests', reason }));
    return {
      failing: this.#failing,
      green: this.#green,
      flaky: told(this.#flaky),
      unable: told(this.#unable),
    };
  }

  async union(tree: string, members: readonly number[], files: readonly IntentFile[]): Promise<void> {
    const jobs = await this.#jobs(tree, members, files);
    for (const [line, group] of Map.groupBy(jobs, (job) => this.#together(job, jobs))) {
      const [first] = group;
      if (!first) continue;
      // Usually everything passes, and one run shows it.
      const all = await this.#run(tree, { ...first.trial, line });
      const isGreen = (job: Job) => job.tests.every((test) => judgeCase(all, at(job, test)).kind === 'pass');
      if (all.exitCode === 0 && group.every(isGreen)) {
        this.#green.push({ tree, members, executed: all.executed ?? [] });
        continue;
      }
      for (const job of group)
        for (const test of job.tests)
          await this.#test(job, test, tree, members, judgeCase(all, at(job, test)).kind);
    }
  }

  /** Files that another branch can break, most exposed first, each with the command that runs it. */
  async #jobs(tree: string, members: readonly number[], files: readonly IntentFile[]): Promise<Job[]> {
    const { trees } = this.#context;
    const { live } = this.#meeting;
    const union = await trees.get(tree);
    const jobs: Job[] = [];
    for (const file of files) {
      const key = `${file.owner} ${file.path}`;
      if (!members.includes(file.owner) || union.git.blob(file.path) === undefined) continue;
      const reach = await branchesInReach(file, union, members, (index) => live[index]?.merged.changes ?? []);
      const isMoved = live[file.owner]?.merged.tree !== live[file.owner]?.tree;
      if (reach.length === 0 && !isMoved) continue;
      const earlier = this.#judged.get(key) ?? [];
      if (earlier.some((all) => reach.every((index) => all.includes(index)))) continue;
      this.#judged.set(key, [...earlier, members]);
      const trial = this.#trialOf(file.path);
      if (trial) jobs.push({ ...file, trial, reach });
      else this.#unable.set(...noCommand(file.path, this.#settings));
    }
    return jobs.sort((a, b) => b.reach.length - a.reach.length || (a.path < b.path ? -1 : 1));
  }

  #trialOf(path: string): Trial | null {
    const { definitions } = this.#settings;
    const gates = selectGates({ ...definitions, commit: '', file: null, sources: [] }, [path], 'full');
    for (const { kind, id, command, timeoutMs } of gates) {
      const focused = kind === 'test' ? testCommand(command, [path]) : null;
      if (focused) return { claim: 'test', gate: id, line: focused.line, timeoutMs, lines: this.#lines };
    }
    return null;
  }

  /** The line that runs all files of the same gate at once. */
  #together({ trial, path }: Job, jobs: readonly Job[]): string {
    const files = jobs.filter((job) => job.trial.gate === trial.gate).map((job) => job.path);
    const command = this.#settings.definitions.gates.find(({ id }) => id === trial.gate)?.command ?? '';
    return testCommand(command, [...new Set([path, ...files])].sort())?.line ?? trial.line;
  }

  /** `together`: its result in the run with the other files. */
  async #test(
    job: Job,
    test: IntentTest,
    tree: string,
    members: readonly number[],
    together: CaseResult['kind'],
  ): Promise<void> {
    const { live } = this.#meeting;
    const own = live[job.owner];
    if (!own) return;
    if (together === 'pass') return;
    const inUnion = await this.#twice(job, test, tree, 'fail');
    if (inUnion === 'pass' && together === 'fail') this.#noteFlaky(job, test);
    if (inUnion !== 'fail') return;
    const alone = await this.#twice(job, test, own.merged.tree, 'pass');
    const branch = this.#context.branches.find(({ ref }) => ref === own.ref);
    const passesOnBase = async () => (await this.#onBase(job, test)) === 'pass';
    if (alone === 'fail') {
      // It may pass on the branch as written: then base's changes break it.
      if (!branch || branch.tree === own.merged.tree) return;
      if ((await this.#twice(job, test, branch.tree, 'pass')) !== 'pass') return;
      const run = await this.#run(own.merged.tree, job.trial);
      this.#accuse({
        file: job,
        test,
        guilty: [job.owner],
        withBase: true,
        tree: own.merged.tree,
        passesOnBase: await passesOnBase(),
        run,
      });
      return;
    }
    if (alone !== 'pass') return;
    await this.#blame(job, test, tree, members, await passesOnBase());
  }

  async #blame(
    job: Job,
    test: IntentTest,
    tree: string,
    members: readonly number[],
    passesOnBase: boolean,
  ): Promise<void> {
    const others = members.filter((index) => index !== job.owner);
    const holds = async (some: readonly number[]) => {
      const union = await this.#unions.of([job.owner, ...some]);
      return union !== null && (await this.#once(job, test, union)) === 'fail';
    };
    // The graph may lack some paths: where the branches in reach do not break it together, all branches are tested.
    const isInReach = job.reach.length > 0 && job.reach.length < others.length && (await holds(job.reach));
    const { sets } = await findCulprits(isInReach ? job.reach : others, holds);
    for (const set of sets) {
      const guilty = [job.owner, ...set].sort((a, b) => a - b);
      const union = (await this.#unions.of(guilty)) ?? tree;
      if ((await this.#twice(job, test, union, 'fail')) !== 'fail' || !(await this.#lasts(job, test, union)))
        continue;
      const run = await this.#run(union, job.trial);
      this.#accuse({ file: job, test, guilty, withBase: false, tree: union, passesOnBase, run });
    }
  }

  /** Unions that share members may show the same failure twice. */
  #accuse(found: FailingTest): void {
    const keyOf = ({ file, test, guilty }: FailingTest) => JSON.stringify([file.path, test.id, guilty]);
    if (!this.#failing.some((each) => keyOf(each) === keyOf(found))) this.#failing.push(found);
  }

  /** Runs it again on both sides, in turn: a flaky test rarely fails in step with the trees. */
  async #lasts(job: Job, test: IntentTest, union: string): Promise<boolean> {
    const own = this.#meeting.live[job.owner]?.merged.tree ?? union;
    const isSteady =
      (await this.#once(job, test, own, 2)) === 'pass' && (await this.#once(job, test, union, 2)) === 'fail';
    if (!isSteady) this.#noteFlaky(job, test);
    return isSteady;
  }

  /** The test as in the branch, on the sources of base. */
  async #onBase(job: Job, test: IntentTest): Promise<CaseResult['kind']> {
    const { workspace, base } = this.#context;
    const changes =
      this.#meeting.live[job.owner]?.merged.changes.filter(({ path }) => isTestCode(path)) ?? [];
    const tree = await writeChanged(workspace, base.tree, changes);
    return tree === null ? 'unknown' : judgeCase(await this.#run(tree, job.trial), at(job, test)).kind;
  }

  async #once(job: Job, test: IntentTest, tree: string, time = 0): Promise<CaseResult['kind']> {
    const result = judgeCase(await this.#run(tree, job.trial, time), at(job, test));
    if (result.kind === 'unknown')
      this.#unable.set(job.path, `${job.path}: ${result.reason} (${job.trial.line})`);
    return result.kind;
  }

  /** A result that would accuse a branch counts only when it repeats; otherwise the test is flaky. */
  async #twice(
    job: Job,
    test: IntentTest,
    tree: string,
    accusing: 'pass' | 'fail',
  ): Promise<CaseResult['kind'] | 'flaky'> {
    const first = await this.#once(job, test, tree);
    const second = first === accusing ? await this.#once(job, test, tree, 1) : first;
    if (first === second) return first;
    if (second === 'unknown') return second;
    this.#noteFlaky(job, test);
    return 'flaky';
  }

  #noteFlaky({ path, owner }: Job, { id }: IntentTest): void {
    const ref = this.#meeting.live[owner]?.ref ?? '';
    this.#flaky.set(
      `${path} ${id}`,
      `flaky test, it proves nothing: "${id}" (${path}) of ${ref} passed and failed on one tree`,
    );
  }

  async #run(tree: string, trial: Trial, time = 0): Promise<TrialRun> {
    const leftMs = this.#until - performance.now();
    if (leftMs <= 0) return unrun;
    this.#context.progress(`running tests: run ${this.#room.runs + 1}, ${trial.line}`);
    return this.#room.run(tree, { ...trial, timeoutMs: Math.min(trial.timeoutMs, Math.ceil(leftMs)) }, time);
  }
}

const unrun: TrialRun = {
  ...{ outcome: 'timeout', exitCode: null, tests: null, passing: null, log: '' },
  ...{ report: noCases, executed: null, lacking: [], waits: false, wallMs: 0, evidence: null },
};

function at({ path }: IntentFile, { id }: IntentTest): { path: string; id: string } {
  return { path, id };
}

function noCommand(path: string, { definitions }: WitnessSettings): [key: string, reason: string] {
  const hint = 'name one in "gates.commands" of joinery.json and commit it to the base';
  return definitions.gates.some(({ kind, origin }) => kind === 'test' && origin !== byDefault)
    ? [path, `${path}: no test command of the project runs it; ${hint}`]
    : ['', `no test command is known; ${hint}`];
}
