import { createHash } from 'node:crypto';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import { failureLine } from '#check/witness/failure-excerpt.ts';
import { treeOf } from '#git/merges/branches.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { diffTrees } from '#git/trees/tree.ts';
import type { Integration, IntegrationRequest } from '#integrate/integration.ts';
import { largestCoherentSet } from '#integrate/merge/largest-set.ts';
import { mergeBranches } from '#integrate/merge/merge-branches.ts';
import { type Broken, type Judged, judgeUnion, type Union } from '#integrate/suite/judge-union.ts';
import type { Finding } from '#schema/check-report.ts';
import type { Gate } from '#schema/gates.ts';
import type { KnownFinding, Receipt } from '#schema/integration.ts';
import { effectOf } from '#schema/verdict.ts';
import { count, type StepRecord } from './step-record.ts';

export interface SuiteProof {
  readonly evidence: Receipt['evidence'];
  /** Why nothing was run on the result; null: something was. */
  readonly unrun: string | null;
}

/** Branches that fit without the others: they are merged and proven again. */
export interface Retry {
  readonly tips: readonly BranchTip[];
}

/** Runs the project's tests once on the result. They also judge the findings that nobody has judged. */
export async function proveSuite(
  request: IntegrationRequest,
  record: StepRecord,
  commit: string,
): Promise<SuiteProof | Retry | Integration> {
  const { suites, scratch, target, progress } = request;
  progress('running the tests');
  const tree = await treeOf(scratch, commit);
  const [changes = []] = await diffTrees(scratch, [[await treeOf(scratch, target.commit), tree]], {
    renames: false,
  });
  const changed = changes.map(({ path }) => path);
  const gates = suites.gatesFor(changed);
  if (gates.length === 0) {
    const proposal = suites.sources.find(({ use }) => use === 'proposal');
    const hint = proposal === undefined ? '' : `; ${proposal.origin} says: ${proposal.command}`;
    const unrun = `nothing was run: no gate and no manifest of ${target.ref} says how it is tested${hint}`;
    record.add('tests', 'undecided', unrun);
    return endIfAsking(record) ?? { evidence: [], unrun };
  }
  const union: Union = { target, commit, tips: record.merged, changed, merge: mergerOf(request) };
  const lines = record.asking.flatMap(consumerLines);
  const judged = new Map<Gate, Judged>();
  for (const gate of gates) judged.set(gate, await judgeUnion(suites, gate, union, lines));
  const all = [...judged.values()];
  record.add(
    'tests',
    all.some(({ status }) => status === 'fail')
      ? 'fail'
      : all.some(({ status }) => status === 'undecided')
        ? 'undecided'
        : 'pass',
    all.map(({ detail }) => detail).join('; '),
  );
  const broken = all.flatMap((each) => each.broken);
  const found = [];
  for (const each of broken) found.push(await findingOf(request, commit, each));
  judgeAsking(record, all);
  record.findings = [...record.findings, ...found];
  if (broken.length > 0) return request.isPartial ? withoutGuilty(record, broken) : record.end('blocked');
  // Who lands without proof decides that too: a runner that names no case would otherwise never let anything land.
  const unrun = all.flatMap(({ status, detail }) => (status === 'pass' ? [] : [detail])).join('; ') || null;
  if (unrun !== null && request.unproven === null) return record.end('undecided');
  const proven = [...judged].filter(([, { status }]) => status === 'pass');
  const evidence = proven.map(([gate, { first, detail }]) => ({
    ...{ gate: gate.id, status: 'pass', evidence: first.evidence, tree },
    ...{ command: gate.command, detail },
  }));
  return endIfAsking(record) ?? { evidence, unrun };
}

export function isRetry(result: object): result is Retry {
  return 'tips' in result;
}

/** Merges some of the branches, as the result was merged; null where git cannot do it alone. */
function mergerOf({ scratch, target, at }: IntegrationRequest): Union['merge'] {
  return async (tips) => {
    const { commit, conflicts } = await mergeBranches({
      git: scratch,
      onto: target.commit,
      tips,
      at,
      resolve: null,
      recheck: async () => ({ refused: new Map(), unclear: null }),
    });
    return conflicts.length > 0 ? null : commit;
  };
}

/** Leaves the guilty behind; what fits without them is merged and proven again. */
function withoutGuilty(record: StepRecord, broken: readonly Broken[]): Retry | Integration {
  const refs = record.merged.map(({ ref }) => ref);
  const sets = broken.map(({ guilty, greenOn }) => ({
    branches: guilty.map(({ ref }) => ref),
    owner: guilty.find(({ ref }) => ref === greenOn)?.ref ?? guilty.at(-1)?.ref ?? null,
  }));
  const kept = largestCoherentSet(refs, sets);
  for (const ref of refs.filter((each) => !kept.includes(each))) {
    const about = broken.filter(({ guilty }) => guilty.some((tip) => tip.ref === ref));
    record.left.push({ ref, reason: about.map(messageOf).join('; ') });
  }
  const tips = record.merged.filter(({ ref }) => kept.includes(ref));
  return tips.length === 0 ? record.end('blocked') : { tips };
}

function messageOf({ ids: [id, ...more], guilty, greenOn, withTarget }: Broken): string {
  const others = more.length === 0 ? '' : ` and ${count(more.length, 'more')}`;
  const refs = guilty.map(({ ref }) => ref);
  const together =
    refs.length > 1
      ? `when ${refs.join(' and ')} are merged`
      : `with ${refs[0]}${withTarget ? ' on the target as it is now' : ''}`;
  return `test "${id}"${others} passes on ${greenOn} and fails ${together}`;
}

async function findingOf(
  { scratch, target }: IntegrationRequest,
  commit: string,
  broken: Broken,
): Promise<KnownFinding> {
  const { ids, guilty, trial } = broken;
  const [id] = ids;
  const known = trial.report.cases.find((each) => each.id === id);
  const file = known?.file ?? (trial.report.unloaded.some((each) => each.file === id) ? id : null);
  const said = failureLine(trial.log, known?.title ?? id);
  const branches = [...guilty.map(({ ref }) => ref), ...(broken.withTarget ? [target.ref] : [])];
  const judge = `test:${id}`;
  const judgeable = { severity: 'blocking', confidence: 'proven', judge } as const;
  return {
    id: createHash('sha256')
      .update(JSON.stringify(['union-test', id, branches.toSorted()]))
      .digest('hex')
      .slice(0, 16),
    rule: 'V03',
    ...judgeable,
    effect: effectOf(judgeable, 'likely'),
    message: `${messageOf(broken)}${said === null ? '' : `: ${said}`}`,
    branches,
    commits: [...guilty.map((tip) => tip.commit), ...(broken.withTarget ? [target.commit] : [])],
    places: file === null ? [] : [`${file}:${await lineOf(scratch, commit, file, known?.title ?? '')}`],
  };
}

/** Where the title stands in the test file; its first line where it is made up. */
async function lineOf(
  git: IntegrationRequest['scratch'],
  commit: string,
  file: string,
  title: string,
): Promise<number> {
  const text = (await readFilesAt(git, commit, [file], { skipLarge: true })).get(file) ?? '';
  const plain = title.split(' > ').at(-1)?.replace(/\[.*$/, '') ?? '';
  return plain === '' ? 1 : Math.max(1, text.split('\n').findIndex((line) => line.includes(plain)) + 1);
}

/** The lines that would break. */
function consumerLines({ sites }: Finding): string[] {
  const own = sites.filter(({ role }) => role === 'consumer');
  return own.map(({ file, line }) => `${file}:${line}`);
}

/**
 * A red test confirms a finding of the same branches whose lines it ran. Green tests refute it only if they ran all lines that would break;
 * else it stays a question, and says which line no test runs.
 */
function judgeAsking(record: StepRecord, judged: readonly Judged[]): void {
  const broken = judged.flatMap((each) => each.broken);
  const isGreen = judged.every(({ status }) => status === 'pass');
  const executed = new Set(judged.flatMap(({ first }) => first.executed ?? []));
  const decided = new Map<string, Partial<KnownFinding>>();
  for (const finding of record.asking) {
    const lines = consumerLines(finding);
    const reaching = broken.find(
      ({ guilty, trial }) =>
        guilty.every(({ ref }) => finding.branches.includes(ref)) &&
        lines.some((line) => trial.executed?.includes(line)),
    );
    const missed = lines.filter((line) => !executed.has(line));
    if (reaching)
      decided.set(finding.id, { judge: `test:${reaching.ids[0]}`, confidence: 'proven', effect: 'stops' });
    else if (isGreen && missed.length === 0 && lines.length > 0)
      decided.set(finding.id, { effect: 'shown', note: `refuted: green tests ran ${lines.join(', ')}` });
    else if (isGreen) decided.set(finding.id, { note: `tests are green, none runs ${missed[0] ?? 'it'}` });
  }
  record.findings = record.findings.map((finding) => ({ ...finding, ...decided.get(finding.id) }));
  record.asking = record.asking.filter(({ id }) => decided.get(id)?.effect === undefined);
}

/** What would break and nobody has judged does not land. */
function endIfAsking(record: StepRecord): Integration | null {
  if (record.asking.length === 0) return null;
  const told = record.asking.map(({ id, message }) => {
    const note = record.findings.find((each) => each.id === id)?.note;
    return note === undefined ? message : `${message} (${note})`;
  });
  const would = `${count(record.asking.length, 'finding')} would break the target and nobody has judged it`;
  record.set('check', 'undecided', `${would}: ${told.join('; ')}`);
  return record.end('undecided');
}
