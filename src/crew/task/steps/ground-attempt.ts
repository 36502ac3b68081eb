import { homedir } from 'node:os';
import { join } from 'node:path';
import { secretsGiven } from '#agents/stream/redact.ts';
import { attemptMark } from '#crew/state/names.ts';
import { dependantsOf, isSettled, stepOf } from '#crew/state/state.ts';
import { type CleanRoom, openCleanRoom } from '#crew/task/place/clean-room.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { environmentOf, scratchOf } from '#crew/task/place/scratch.ts';
import type { AttemptPlan, Played, TaskFlow } from '#crew/task/task.ts';
import { gateTerms } from '#gates/runner/gate-environment.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { GitTree } from '#git/trees/tree.ts';
import { grantAmendments } from '#grounding/change/amend.ts';
import type { CriterionResult } from '#grounding/change/change.ts';
import { pathsOf, type Told } from '#grounding/change/read-change.ts';
import { runCommand } from '#grounding/criteria/run-command.ts';
import { verifyCriteria } from '#grounding/criteria/verify-criteria.ts';
import type { Grounding } from '#grounding/ground.ts';
import { judgeApart, type Work } from '#grounding/judge/judge-work.ts';
import type { Verification } from '#handoff/complete-step.ts';
import { redactSecrets, type Secret, secretsIn } from '#lib/redact.ts';
import { allowedEnvironment, isNamed } from '#process/allowed-environment.ts';
import type { Amendment, GroundFinding } from '#schema/grounding.ts';
import { Handoff } from '#schema/handoff.ts';
import { cacheDir } from '#schema/paths.ts';
import type { AttemptFinding, CheckResult } from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';
import { gateRunsDuring } from './gate-attempt.ts';
import { withProviders } from './with-providers.ts';

type Grounded = Verification & {
  /** Tasks it imports from: it is judged together with their work. */
  readonly awaits: readonly string[];
};

/** Checks that the work is real: in scope, tested, nothing faked, every criterion met. */
export function groundAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  commit: string,
): Promise<Grounded> {
  const { context, id, workshop } = flow;
  return context.step(`${id}/${plan.n}/ground`, async (call) => {
    const handoff = handoffOf(flow, played);
    const { told, amendments } = await whatIsTold(flow, plan, handoff, played);
    const source = await sourceOf(flow, plan, commit);
    const judge = (criteria: readonly CriterionResult[]) => judgeInTime(flow, { source, told, criteria });
    const { grounding, criteria } = await withCriteria(flow, plan, commit, judge);
    workshop.probe(`${id}/${plan.n}/ground: judged`);
    call.emit({
      type: 'attempt.grounded',
      step: id,
      attempt: plan.n,
      data: {
        commit,
        status: grounding.status,
        checks: [...grounding.checks],
        amendments,
        criteria: criteria.map(({ criterion, status, detail }) => ({
          ...criterion,
          status,
          detail: redactSecrets(detail),
        })),
      },
    });
    return { ...asVerification(grounding, amendments), awaits: grounding.awaits };
  });
}

async function sourceOf({ premises, state, workshop }: TaskFlow, plan: AttemptPlan, commit: string) {
  const { config } = await definitionsAt(premises.objects, state.base);
  return {
    base: plan.base,
    tip: commit,
    cacheDir: cacheDir({ env: workshop.env, home: homedir(), platform: process.platform }),
    maxCacheBytes: config.cache.maxBytes,
    pythonRoots: config.python.roots,
  };
}

/** The same before the attempt has ended: without its handoff and criteria, and nothing is recorded. */
export async function groundSoFar(flow: TaskFlow, plan: AttemptPlan, commit: string): Promise<Grounding> {
  const { told } = await whatIsTold(flow, plan, null, { notes: null });
  return judgeInTime(flow, { source: await sourceOf(flow, plan, commit), told, criteria: [] });
}

/** Criteria may execute the agent's code: only if no other check objects to it. */
async function withCriteria(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  judge: (criteria: readonly CriterionResult[]) => Promise<Grounding>,
): Promise<{ grounding: Grounding; criteria: readonly CriterionResult[] }> {
  const first = await judge([]);
  const { acceptance } = stepOf(flow.state, flow.id).task;
  if (first.status !== 'pass' || acceptance.length === 0) return { grounding: first, criteria: [] };
  const { context, slug } = flow;
  const judged = await withProviders(flow, commit, first.awaits);
  const { config, gates } = await definitionsAt(flow.premises.objects, flow.state.base);
  let room: Promise<CleanRoom> | null = null;
  const criteria = await verifyCriteria(acceptance, {
    tip: pathsOf(await GitTree.read(flow.premises.objects.git, commit)),
    gates: gates.gates,
    read: async (path) => (await readFilesAt(flow.premises.objects.git, commit, [path])).get(path) ?? null,
    run: async (gate, path, isNamed) => {
      room ??= openCleanRoom(flow, plan, judged, 'criteria');
      await (await room).prepare();
      return runCommand(gate, path, isNamed, {
        cwd: (await room).path,
        ...gateTerms(config, flow.workshop.env, (await room).env),
        mark: attemptMark(context.run, slug, plan.n),
        logFile: join(scratchOf(flow), `criterion-${plan.n}.log`),
        signal: AbortSignal.any([flow.stop, context.lost]),
      });
    },
  }).finally(async () => (await room)?.close());
  flow.stop.throwIfAborted();
  return { grounding: await judge(criteria), criteria };
}

/** Reads agents' texts on a separate thread: the run continues and can be stopped, whatever they wrote. */
async function judgeInTime(
  { premises, stop, context }: TaskFlow,
  work: Omit<Work, 'objects'>,
): Promise<Grounding> {
  const signal = AbortSignal.any([stop, context.lost]);
  return (await judgeApart({ ...work, objects: premises.objects }, { signal })).grounding;
}

function handoffOf({ workshop, context }: TaskFlow, { handoff }: Played): Handoff | null {
  const text = handoff === null ? null : workshop.engine.artifact(context.run, handoff);
  return text === null ? null : Handoff.parse(JSON.parse(text));
}

/** Values hidden in the attempt's log, and variables with a secret's name that were withheld from the agent. */
function secretsOf(flow: TaskFlow, plan: AttemptPlan): Secret[] {
  const { agents, mcpServers } = flow.workshop.agentSettings;
  const letIn = [...flow.workshop.driver(plan.driver).variables, ...(agents[plan.driver]?.env ?? [])];
  const all = environmentOf(flow, plan);
  const env = allowedEnvironment(all, letIn);
  const given = secretsGiven({ env, mcpServers }, (name) => isNamed(name, letIn));
  const kept = Object.entries(all).filter(([name]) => !(name in env));
  return [...given, ...kept.flatMap(([name, value]) => secretsIn(name, value, false))];
}

async function whatIsTold(
  flow: TaskFlow,
  plan: AttemptPlan,
  handoff: Handoff | null,
  played: Pick<Played, 'notes'>,
): Promise<{ told: Told; amendments: Amendment[] }> {
  const { state, id, workshop, context } = flow;
  const { config, inputs } = await definitionsAt(flow.premises.objects, state.base);
  const step = stepOf(state, id);
  const needed = dependantsOf(state, id);
  const others = [...state.steps.values()]
    .filter(({ task }) => task.id !== id)
    .map((other) => ({
      id: other.task.id,
      files: other.task.files,
      isFinished: isSettled(other) && other.status !== 'escalated',
      isProvider: !needed.has(other.task.id) && (!isSettled(other) || other.status === 'accepted'),
    }));
  const declaration = { declared: step.task.files, granted: step.granted, others, policy: config.grounding };
  const amendments = grantAmendments(
    (handoff?.amends ?? []).filter(({ file }) => !step.granted.includes(file)),
    declaration,
  );
  const granted = amendments.flatMap(({ file, refused }) => (refused === null ? [file] : []));
  const notes = played.notes === null ? '' : (workshop.engine.artifact(context.run, played.notes) ?? '');
  return {
    amendments,
    told: {
      ...declaration,
      granted: [...step.granted, ...granted],
      claim: claimOf(handoff, notes),
      gateInputs: inputs,
      gateRuns: await gateRunsDuring(flow, plan.n),
      secrets: secretsOf(flow, plan),
    },
  };
}

/** Without a handoff, only a statement in the usual format counts. */
function claimOf(handoff: Handoff | null, notes: string): Told['claim'] {
  const isBlocked = handoff ? handoff.status === 'blocked' : /"status"\s*:\s*"blocked"/.test(notes);
  return isBlocked
    ? { status: 'blocked', why: handoff?.blocker ?? 'it does not say why' }
    : { status: 'done' };
}

/** The text of the verdict. An inconclusive check is sent back like a failed one: the next attempt may fix it. */
function asVerification(
  { checks, inconclusive }: Grounding,
  amendments: readonly Amendment[],
): { checks: CheckResult[]; findings: AttemptFinding[] } {
  const unknown = checks.some(({ status, severity }) => status === 'inconclusive' && breaks({ severity }))
    ? inconclusive
    : [];
  return {
    checks: checks.map(({ name, status, severity, detail }) => ({
      name,
      status,
      decidedBy: 'code',
      required: breaks({ severity }),
      detail,
    })),
    findings: [
      ...checks.flatMap(({ findings }) => findings.map(asFinding)),
      ...unknown.map(({ file, reason }) => ({
        fingerprint: `inconclusive:${file ?? ''}`,
        severity: 'blocking' as const,
        message: `${file === undefined ? '' : `${file} `}cannot be judged: ${reason}`,
      })),
      ...amendments
        .filter(({ refused }) => refused !== null)
        .map(({ file, refused }) => ({
          fingerprint: `amendment:${file}`,
          severity: 'important' as const,
          message: `${file} cannot be added to the declaration: ${refused}`,
        })),
    ],
  };
}

function asFinding({ fingerprint, severity, message, hint }: GroundFinding): AttemptFinding {
  return { fingerprint, severity, message: `${message} (${hint})` };
}
