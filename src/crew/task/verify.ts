import { homedir } from 'node:os';
import { join } from 'node:path';
import { attemptMark } from '#crew/state/names.ts';
import { isSettled, stepOf } from '#crew/state/state.ts';
import { readFilesAt } from '#git/files-at.ts';
import { grantAmendments } from '#grounding/change/amend.ts';
import type { Change, CriterionResult } from '#grounding/change/change.ts';
import type { Told } from '#grounding/change/read-change.ts';
import { readChange } from '#grounding/change/read-change.ts';
import { runCommand } from '#grounding/criteria/run-command.ts';
import { verifyCriteria } from '#grounding/criteria/verify-criteria.ts';
import { type Grounding, ground } from '#grounding/ground.ts';
import type { Verification } from '#handoff/complete-step.ts';
import { redactSecrets } from '#lib/find-secrets.ts';
import type { Amendment, GroundFinding } from '#schema/grounding.ts';
import { Handoff } from '#schema/handoff.ts';
import { cacheDir } from '#schema/paths.ts';
import type { AttemptFinding, CheckResult } from '#schema/run.ts';
import type { AttemptPlan, Committed, Played } from './attempt.ts';
import { type CleanRoom, openCleanRoom } from './clean-room.ts';
import { definitionsAt } from './definitions.ts';
import { gateAttempt, gateRunsDuring } from './gate-attempt.ts';
import { scratchOf, type TaskFlow } from './run-task.ts';

const nothing: Verification = { checks: [], findings: [] };

/**
 * After the commit and before the verdict: is the work what it is said to be? Grounding comes first and costs little;
 * when it fails, the gates need not run.
 */
export async function verifyAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  committed: Committed,
): Promise<Verification> {
  if (played.outcome !== 'ok' || committed.commit === null) return nothing;
  const grounded = await groundAttempt(flow, plan, played, committed.commit);
  if (grounded.findings.some(({ severity }) => severity === 'blocking')) return grounded;
  const gates = await gateAttempt(flow, plan, committed);
  return {
    checks: [...grounded.checks, ...gates.checks],
    findings: [...grounded.findings, ...gates.findings],
  };
}

function groundAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  commit: string,
): Promise<Verification> {
  const { context, id, workshop } = flow;
  return context.step(`${id}/${plan.n}/ground`, async (call) => {
    const handoff = handoffOf(flow, played);
    const { told, amendments } = await whatIsTold(flow, plan, handoff, played);
    const { config } = await definitionsAt(flow.premises.objects, flow.state.base);
    const change = await readChange(
      {
        git: flow.premises.objects.git,
        base: plan.base,
        tip: commit,
        cacheDir: cacheDir({ env: workshop.env, home: homedir(), platform: process.platform }),
        maxCacheBytes: config.cache.maxBytes,
        pythonRoots: config.python.roots,
      },
      told,
    );
    const { grounding, criteria } = await withCriteria(flow, plan, commit, change);
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
    return asVerification(grounding, amendments);
  });
}

/** Criteria may run what the agent wrote: only when nothing else speaks against it. */
async function withCriteria(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  change: Omit<Change, 'criteria'>,
): Promise<{ grounding: Grounding; criteria: readonly CriterionResult[] }> {
  const first = ground({ ...change, criteria: [] });
  const { acceptance } = stepOf(flow.state, flow.id).task;
  if (first.status !== 'pass' || acceptance.length === 0) return { grounding: first, criteria: [] };
  const { context, slug } = flow;
  const { config, gates } = await definitionsAt(flow.premises.objects, flow.state.base);
  let room: Promise<CleanRoom> | null = null;
  const criteria = await verifyCriteria(acceptance, {
    tip: change.tip,
    gates: gates.gates,
    read: async (path) => (await readFilesAt(flow.premises.objects.git, commit, [path])).get(path) ?? null,
    run: async (gate, path, isNamed) => {
      room ??= openCleanRoom(flow, plan, commit, 'criteria');
      await (await room).prepare();
      return runCommand(gate, path, isNamed, {
        cwd: (await room).path,
        env: (await room).env,
        mark: attemptMark(context.run, slug, plan.n),
        logFile: join(scratchOf(flow), `criterion-${plan.n}.log`),
        maxLogBytes: config.gates.logBytes,
        signal: AbortSignal.any([flow.stop, context.lost]),
      });
    },
  }).finally(async () => (await room)?.close());
  flow.stop.throwIfAborted();
  return { grounding: ground({ ...change, criteria }), criteria };
}

function handoffOf({ workshop, context }: TaskFlow, { handoff }: Played): Handoff | null {
  const text = handoff === null ? null : workshop.engine.artifact(context.run, handoff);
  return text === null ? null : Handoff.parse(JSON.parse(text));
}

async function whatIsTold(
  flow: TaskFlow,
  plan: AttemptPlan,
  handoff: Handoff | null,
  played: Played,
): Promise<{ told: Told; amendments: Amendment[] }> {
  const { state, id, workshop, context } = flow;
  const { config, inputs } = await definitionsAt(flow.premises.objects, state.base);
  const step = stepOf(state, id);
  const others = [...state.steps.values()]
    .filter(({ task }) => task.id !== id)
    .map((other) => ({
      id: other.task.id,
      files: other.task.files,
      isFinished: isSettled(other) && other.status !== 'escalated',
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
    },
  };
}

/** Without a handoff only a word in the usual form counts as one. */
function claimOf(handoff: Handoff | null, notes: string): Told['claim'] {
  const isBlocked = handoff ? handoff.status === 'blocked' : /"status"\s*:\s*"blocked"/.test(notes);
  return isBlocked
    ? { status: 'blocked', why: handoff?.blocker ?? 'it does not say why' }
    : { status: 'done' };
}

/** The words of the verdict. What could not be judged goes back like what is wrong: the next attempt may mend it. */
function asVerification(
  { checks, inconclusive }: Grounding,
  amendments: readonly Amendment[],
): { checks: CheckResult[]; findings: AttemptFinding[] } {
  const unknown = checks.some(({ status, severity }) => status === 'inconclusive' && severity === 'blocking')
    ? inconclusive
    : [];
  return {
    checks: checks.map(({ name, status, severity, detail }) => ({
      name,
      status,
      decidedBy: 'code',
      required: severity === 'blocking',
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
