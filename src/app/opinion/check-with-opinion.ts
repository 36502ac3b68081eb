import { type CheckAnswer, type CheckWishes, checkHere, namedIn } from '#app/checks/check-here.ts';
import { type Union, withUnion } from '#app/contracts/union-room.ts';
import { consulting } from '#app/planning/consulting.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { stableNames } from '#check/branches/stable-names.ts';
import type { CheckOutcome } from '#check/check.ts';
import { applyPolicy, type Policy } from '#check/findings/policy.ts';
import { loadConfig } from '#config/read-config.ts';
import { GitError } from '#git/call/git-error.ts';
import { openRepository } from '#git/call/repository.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import type { Reply } from '#planning/answers/consult.ts';
import { filesNamed } from '#review/opinion/hold-to-facts.ts';
import { type OpinionPrompt, opinionPrompt } from '#review/opinion/opinion-prompt.ts';
import { readOpinion } from '#review/opinion/read-opinion.ts';
import { compareClaims } from '#review/opinion/with-opinion.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { CheckPromptReport, Opinion } from '#schema/opinion.ts';
import { type Material, type MaterialWish, readAnswerFile, readMaterial } from './material.ts';
import { comparedBranches, readDiffs, readFacts, roleOnBase } from './union-facts.ts';

export interface AskedAgent {
  readonly agent: string;
  /** File with the scenario of the scripted agent. */
  readonly scenario: string | undefined;
  /** Called with a line about what the agent does. */
  tell(line: string): void;
}

const role = 'coherence-reviewer';

/** A check with an agent's opinion. Fails before the check if the agent is not installed. */
export async function checkWithAgent(
  here: Surroundings,
  wishes: CheckWishes,
  wish: MaterialWish,
  { agent, scenario, tell }: AskedAgent,
): Promise<CheckAnswer> {
  const material = await readMaterial(here.cwd, wish);
  const base = await baseNamed(here, wishes);
  return consulting(here, { agent, scenario, base, tell }, async (room, ask) => {
    const consultant = room.consultant(ask);
    try {
      return await checkHere(here, {
        ...wishes,
        opine: (outcome, policy) =>
          opine(here, outcome, policy, material, { agent, model: null, file: null }, async (union) => {
            const made = await makePrompt(union, outcome.report, material);
            const reply = await consultant.consult({
              ...{ role, n: 1, prompt: made.prompt, place: 'code', tier: 'strong' },
            });
            return answerOf(reply, made);
          }),
      });
    } finally {
      await consultant.close();
    }
  });
}

/** A check with an opinion from a file. */
export async function checkWithAnswer(
  here: Surroundings,
  wishes: CheckWishes,
  wish: MaterialWish,
  file: string,
): Promise<CheckAnswer> {
  const material = await readMaterial(here.cwd, wish);
  const text = readAnswerFile(here.cwd, file);
  return checkHere(here, {
    ...wishes,
    opine: (outcome, policy) =>
      opine(here, outcome, policy, material, { agent: null, model: null, file }, async () => ({ text })),
  });
}

/** The prompt an agent would get for these branches. */
export async function promptHere(
  here: Surroundings,
  wishes: CheckWishes,
  wish: MaterialWish,
): Promise<CheckPromptReport> {
  const material = await readMaterial(here.cwd, wish);
  const made: OpinionPrompt[] = [];
  const { report } = await checkHere(here, {
    ...wishes,
    opine: async (outcome) => {
      made.push(
        await withReport(here, outcome.report, (union) => makePrompt(union, outcome.report, material)),
      );
      return outcome;
    },
  });
  const [only] = made;
  if (!only) throw new Error('a check ended without its prompt');
  return {
    schema: 'joinery/check-prompt@1',
    base: report.base,
    branches: comparedBranches(report).map(({ ref, commit }) => ({ ref, commit })),
    prompt: only.record,
    text: only.prompt.text,
  };
}

/** The base of the check: roles and code are read from it. */
async function baseNamed({ cwd, env }: Surroundings, wishes: CheckWishes): Promise<string> {
  const repository = await openRepository(cwd, wishes.names);
  const config = await loadConfig({ root: repository.workTree, env, flags: wishes.flags });
  // The check itself prints the warnings.
  const terminal = { warn() {}, progress() {} };
  const { base } = await namedIn(repository, config, wishes, { env, terminal });
  return base ?? (await defaultBranch(repository));
}

/** Opens the commits of the report in a scratch repository, even if refs have moved since. */
function withReport<T>(
  here: Surroundings,
  report: CheckReport,
  body: (union: Union) => Promise<T>,
): Promise<T> {
  const all = [report.base, ...report.branches];
  return withUnion(
    here,
    {
      branches: comparedBranches(report).map(({ ref }) => ref),
      flags: [],
      base: report.base.ref,
      commits: new Map(all.map(({ ref, commit }) => [ref, commit])),
    },
    body,
  );
}

async function makePrompt(union: Union, report: CheckReport, material: Material): Promise<OpinionPrompt> {
  return opinionPrompt(
    {
      base: report.base.ref,
      branches: await readDiffs(union, report),
      risk: report.risk ?? null,
      findings: report.findings,
      spec: material.spec,
      contract: material.contract?.value ?? null,
    },
    await roleOnBase(union, role),
    material.maxBytes,
  );
}

interface Answer {
  readonly text: string;
  /** Why there is no answer. */
  readonly failure?: string;
  readonly model?: string | null;
  readonly prompt?: Opinion['prompt'];
  readonly cost?: Opinion['cost'];
}

function answerOf({ outcome, reason, text, consultation }: Reply, { record }: OpinionPrompt): Answer {
  const { model, in: read, out, usd } = consultation;
  return {
    text,
    ...(outcome === 'ok' ? {} : { failure: `${outcome}${reason === '' ? '' : `: ${reason}`}` }),
    model,
    prompt: record,
    cost: { in: read, out, usd },
  };
}

/** Adds an opinion to the result of a check. The verdict and the findings of code stay unchanged. */
async function opine(
  here: Surroundings,
  outcome: CheckOutcome,
  policy: Policy,
  material: Material,
  from: Opinion['from'],
  answer: (union: Union) => Promise<Answer>,
): Promise<CheckOutcome> {
  const nothing: Opinion = {
    status: 'inconclusive',
    reason: '',
    from,
    said: null,
    summary: '',
    findings: [],
    agrees: [],
    dropped: [],
    unread: [],
    criticalIssues: [],
    recommendations: [],
    prompt: null,
    cost: null,
  };
  if (comparedBranches(outcome.report).length === 0)
    return withOpinion(outcome, { ...nothing, reason: 'there is no branch to think about' });
  try {
    return await withReport(here, outcome.report, async (union) => {
      const given = await answer(union);
      const known = {
        ...nothing,
        from: { ...from, model: given.model ?? null },
        prompt: given.prompt ?? null,
        cost: given.cost ?? null,
      };
      if (given.failure !== undefined) return withOpinion(outcome, { ...known, reason: given.failure });
      const read = readOpinion(given.text);
      if (read.status === 'unusable') return withOpinion(outcome, { ...known, reason: read.reason });
      const { claims, ...rest } = read;
      const facts = await readFacts(union, outcome.report, filesNamed(claims), material.contract);
      const stable = await stableNames(await openRepository(here.cwd), [union.base, ...union.branches]);
      const compared = compareClaims(claims, facts, outcome.report, (ref) => stable[ref] ?? ref);
      const { findings, ...added } = withFindings(outcome, compared, policy);
      return withOpinion(added, {
        ...known,
        ...rest,
        criticalIssues: [...rest.criticalIssues],
        recommendations: [...rest.recommendations],
        unread: [...rest.unread],
        findings: findings.map(({ id }) => id),
        agrees: compared.agrees,
        dropped: compared.dropped,
      });
    });
  } catch (error) {
    // Without the diff there is no opinion; the findings of code remain.
    if (!(error instanceof GitError)) throw error;
    return withOpinion(outcome, { ...nothing, reason: error.message });
  }
}

/** Adds the claims that facts do not contradict, as far as the project's policy keeps them. */
function withFindings(
  outcome: CheckOutcome,
  { findings: claimed, frames }: Pick<ReturnType<typeof compareClaims>, 'findings' | 'frames'>,
  policy: Policy,
): CheckOutcome & { readonly findings: readonly Finding[] } {
  const { report } = outcome;
  const { kept, ignored, notes } = applyPolicy(
    claimed.map((finding) => ({ finding })),
    policy,
    new Date().toISOString().slice(0, 10),
  );
  // A model is never a judge: what it says is told and decides nothing, whatever the policy.
  const findings = kept.map(({ finding }) => ({ ...finding, effect: 'shown' as const }));
  const accepted = [...(report.ignored ?? []), ...ignored];
  return {
    ...outcome,
    findings,
    frames: new Map([...outcome.frames, ...frames]),
    report: {
      ...report,
      findings: [...report.findings, ...findings],
      ...(accepted.length > 0 ? { ignored: accepted } : {}),
      // An ignore entry that matches an opinion is not reported as unused.
      degraded: report.degraded.filter(
        ({ check, reason }) => check !== 'ignore' || notes.some((note) => note.reason === reason),
      ),
    },
  };
}

function withOpinion(outcome: CheckOutcome, opinion: Opinion): CheckOutcome {
  return { ...outcome, report: { ...outcome.report, opinion } };
}
