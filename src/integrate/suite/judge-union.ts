import type { BranchTip } from '#check/branches/branch-tips.ts';
import { findCulprits } from '#check/witness/culprits.ts';
import { isFileId, type RedId, readSuite, redIn, stateOf, unloadedText } from '#gates/suite/judge-suite.ts';
import type { Gate } from '#schema/gates.ts';
import type { Suites, SuiteTrial } from './suite.ts';

/** What would land, and the parts that it is made of. */
export interface Union {
  readonly target: BranchTip;
  readonly commit: string;
  readonly tips: readonly BranchTip[];
  /** Paths that it changes in the target. */
  readonly changed: readonly string[];
  /** The target with only some of the branches; null: they do not merge. */
  merge(tips: readonly BranchTip[]): Promise<string | null>;
}

/** Tests that are green on a side and red on the union of these branches. */
export interface Broken {
  readonly ids: readonly [RedId, ...RedId[]];
  /** The smallest guilty set. */
  readonly guilty: readonly BranchTip[];
  /** The target's own changes are part of it. */
  readonly withTarget: boolean;
  /** Where it is green. */
  readonly greenOn: string;
  readonly trial: SuiteTrial;
}

export interface Judged {
  readonly status: 'pass' | 'fail' | 'undecided';
  readonly detail: string;
  readonly broken: readonly Broken[];
  /** The first run of everything. */
  readonly first: SuiteTrial;
}

const mostCauses = 5;
const mostNamed = 3;

/**
 * Runs the tests once on the union. Only what is red there runs again: twice on the union, then on the target and on each side. Red and
 * green on one tree is flaky and no verdict, unless this work brings or changes the test.
 */
export async function judgeUnion(
  suites: Suites,
  gate: Gate,
  union: Union,
  lines: readonly string[],
): Promise<Judged> {
  suites.announce(gate);
  const first = await suites.run(gate, union.commit, { files: null, time: 0, lines });
  const reading = readSuite(first, first.limitMs);
  const named = `${gate.command} (${gate.origin})`;
  if (reading.kind === 'none')
    return { status: 'undecided', detail: `${named}: ${reading.reason}`, broken: [], first };
  const seconds = `${(first.wallMs / 1000).toFixed(1)} s`;
  if (reading.kind === 'green') {
    const { lacking } = first;
    const detail = `${named}: ${reading.cases} ${reading.cases === 1 ? 'case' : 'cases'} green, ${seconds}`;
    return lacking.length === 0
      ? { status: 'pass', detail, broken: [], first }
      : { status: 'undecided', detail: `${detail}; but ${lacking.join('; ')}`, broken: [], first };
  }
  const found = await new RedSearch(suites, gate, union, lines, first).judge(reading.red);
  return { ...found, detail: `${named}: ${found.detail}`, first };
}

/** What became of the red cases. */
interface Sorted {
  readonly flaky: RedId[];
  /** Red on the target, and green on no side. */
  readonly old: RedId[];
  /** Nothing shows that it was ever green. */
  readonly unproven: RedId[];
  readonly broken: Broken[];
}

class RedSearch {
  readonly #suites: Suites;
  readonly #gate: Gate;
  readonly #union: Union;
  readonly #lines: readonly string[];
  readonly #first: SuiteTrial;
  #files: readonly string[] | null;

  constructor(suites: Suites, gate: Gate, union: Union, lines: readonly string[], first: SuiteTrial) {
    this.#suites = suites;
    this.#gate = gate;
    this.#union = union;
    this.#lines = lines;
    this.#first = first;
    this.#files = filesOf(redIn(first), first);
  }

  async judge(red: readonly RedId[]): Promise<Pick<Judged, 'status' | 'detail' | 'broken'>> {
    const sorted: Sorted = { flaky: [], old: [], unproven: [], broken: [] };
    const lasting = await this.#lasting(red, sorted);
    await this.#compare(lasting, sorted);
    return conclusionOf(sorted, this.#first, this.#isOfThisWork);
  }

  /** Runs it again, twice: what is green once is flaky. */
  async #lasting(red: readonly RedId[], sorted: Sorted): Promise<RedId[]> {
    let left = [...red];
    for (const time of [1, 2]) {
      const again = await this.#run(this.#union.commit, time);
      // Alone a test may pass that fails after others: then only the whole suite shows it.
      if (this.#files !== null && left.some((id) => stateOf(id, again) !== 'red')) {
        this.#files = null;
        const whole = await this.#run(this.#union.commit, time);
        left = this.#withoutFlaky(left, whole, sorted);
      } else left = this.#withoutFlaky(left, again, sorted);
    }
    return left;
  }

  #withoutFlaky(ids: readonly RedId[], again: SuiteTrial, { flaky }: Sorted): RedId[] {
    flaky.push(...ids.filter((id) => stateOf(id, again) === 'green'));
    return ids.filter((id) => stateOf(id, again) !== 'green');
  }

  /** On the target and on each side: where was it green? */
  async #compare(ids: readonly RedId[], sorted: Sorted): Promise<void> {
    if (ids.length === 0) return;
    const { target, tips } = this.#union;
    const onTarget = await this.#run(target.commit, 0);
    let left = [...ids];
    for (let cause = 0; left.length > 0 && cause < mostCauses; cause++) {
      const [id = ''] = left;
      const isOld = stateOf(id, onTarget) === 'red';
      const side = stateOf(id, onTarget) === 'green' ? null : await this.#greenSide(id, tips);
      if (side === undefined) {
        (isOld ? sorted.old : sorted.unproven).push(id);
        left = left.slice(1);
        cause--;
        continue;
      }
      const found = await this.#blame(id, side, left);
      sorted.broken.push(found);
      left = left.filter((each) => !found.ids.includes(each));
    }
    const [id, ...rest] = left;
    const [known] = sorted.broken;
    // More causes than are searched: the rest is told without one.
    if (id !== undefined && known) sorted.broken.push({ ...known, ids: [id, ...rest], guilty: tips });
  }

  /** The branch that brings it, and on which it is green. */
  async #greenSide(id: RedId, tips: readonly BranchTip[]): Promise<BranchTip | undefined> {
    for (const tip of tips) if (stateOf(id, await this.#run(tip.commit, 0)) === 'green') return tip;
    return undefined;
  }

  /** `owner`: the side that has it; null: the target has it. */
  async #blame(id: RedId, owner: BranchTip | null, left: readonly RedId[]): Promise<Broken> {
    const { tips, target, merge } = this.#union;
    const others = tips.filter((tip) => tip !== owner);
    const own = owner === null ? [] : [owner];
    const isRed = async (some: readonly BranchTip[]) => {
      const commit = await merge([...own, ...some]);
      return commit !== null && stateOf(id, await this.#run(commit, 0)) === 'red';
    };
    const isAlone = owner !== null && (await isRed([]));
    const set =
      isAlone || others.length === 0 ? [] : ((await findCulprits(others, isRed, 1)).sets[0] ?? others);
    const guilty = tips.filter((tip) => own.includes(tip) || set.includes(tip));
    const commit = (await merge(guilty)) ?? this.#union.commit;
    const trial = await this.#run(commit, 0);
    const [first, ...same] = left.filter((each) => each === id || stateOf(each, trial) === 'red');
    return {
      ids: [first ?? id, ...same],
      guilty,
      withTarget: isAlone,
      greenOn: owner?.ref ?? target.ref,
      trial,
    };
  }

  readonly #isOfThisWork = (id: RedId) => {
    const file = isFileId(id, this.#first)
      ? id
      : this.#first.report.cases.find((each) => each.id === id)?.file;
    return file === undefined || file === null || this.#union.changed.includes(file);
  };

  #run(commit: string, time: number): Promise<SuiteTrial> {
    return this.#suites.run(this.#gate, commit, { files: this.#files, time, lines: this.#lines });
  }
}

/** The files of red cases; null where one is not known. */
function filesOf(red: readonly RedId[], trial: SuiteTrial): string[] | null {
  const files = red.map((id) =>
    isFileId(id, trial) ? id : (trial.report.cases.find((each) => each.id === id)?.file ?? null),
  );
  return files.every((file) => file !== null) ? [...new Set(files)].sort() : null;
}

function conclusionOf(
  { flaky, old, unproven, broken }: Sorted,
  first: SuiteTrial,
  isOfThisWork: (id: RedId) => boolean,
): Pick<Judged, 'status' | 'detail' | 'broken'> {
  const ran = first.report.cases.filter(({ outcome }) => outcome !== 'skipped').length;
  const green = first.report.cases.filter(({ outcome }) => outcome === 'passed').length;
  const unloaded = [...old, ...unproven].filter((id) => isFileId(id, first));
  const young = flaky.filter(isOfThisWork);
  const isNothing = green === 0 && broken.length === 0;
  const fresh = broken.flatMap(({ ids }) => ids);
  const parts = [
    ...broken.map(
      ({ ids, guilty, greenOn }) =>
        `${listed(ids)} green on ${greenOn}, red with ${guilty.map(({ ref }) => ref).join(' and ')}`,
    ),
    ...(unloaded.length === 0 ? [] : [unloadedText(first)]),
    ...withNames(
      'red, and nothing shows that it was ever green',
      unproven.filter((id) => !unloaded.includes(id)),
    ),
    ...withNames('flaky, red and green on one tree', flaky),
    ...(old.length === 0 ? [] : [`base: ${old.length} red (${listed(old)}); ${fresh.length} new`]),
    ...(isNothing && unloaded.length === 0 ? ['no case of it passes'] : []),
    `${green} of ${ran} cases green`,
  ];
  const isUndecided = unloaded.length > 0 || unproven.length > 0 || young.length > 0 || isNothing;
  return {
    status: broken.length > 0 ? 'fail' : isUndecided ? 'undecided' : 'pass',
    detail: parts.join('; '),
    broken,
  };
}

function withNames(what: string, ids: readonly RedId[]): string[] {
  return ids.length === 0 ? [] : [`${ids.length} ${what}: ${listed(ids)}`];
}

function listed(ids: readonly RedId[]): string {
  const names = ids.slice(0, mostNamed).map((id) => (id.startsWith('(') ? id : `"${id}"`));
  return [...names, ...(ids.length > mostNamed ? [`${ids.length - mostNamed} more`] : [])].join(', ');
}
