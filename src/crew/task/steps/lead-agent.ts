import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDoors, AgentDriver, AgentEnd, AgentEvent, AgentRequest } from '#agents/driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import { stepOf } from '#crew/state/state.ts';
import { readWork } from '#crew/task/place/read-work.ts';
import type { AttemptPlan, LedAttempt, StepTurn, TaskFlow } from '#crew/task/task.ts';
import type { ContractRegistry } from '#handoff/contracts/registry.ts';
import { addUsage, type Usage } from '#schema/run.ts';
import { checkStep } from './check-step.ts';
import { limitsOfSteps } from './step-limits.ts';

/** Inputs for playing an attempt. */
interface Playing {
  readonly driver: AgentDriver;
  readonly request: AgentRequest;
  readonly doors: AgentDoors;
  readonly contracts: ContractRegistry;
}

/** The workflow that the agent of a task follows; null: none. */
export function workflowOf({ state, id }: Pick<TaskFlow, 'state' | 'id'>): string | null {
  const named = stepOf(state, id).task.workflow ?? state.settings.workflow ?? 'none';
  return named === 'none' ? null : named;
}

const turnFolder = 'step-';
const longestText = 4 * 1024 * 1024;

/** Plays an attempt with one turn of its agent per step of a workflow. */
export async function leadAgent(
  flow: TaskFlow,
  plan: AttemptPlan,
  workflow: string,
  { driver, request, doors, contracts }: Playing,
): Promise<AgentEnd> {
  if (!flow.lead) return { outcome: 'crashed', reason: `workflows are not available here: ${workflow}` };
  const { context, id } = flow;
  const left = limitsOfSteps(request);
  let turns = 0;
  const begin = (more: string): AgentRequest => {
    const scratch = join(request.scratch, `${turnFolder}${turns++}`);
    mkdirSync(scratch, { recursive: true });
    return { ...request, prompt: `${request.prompt}\n${more}`, scratch, limits: left.now() };
  };
  const seen = (event: AgentEvent) => {
    left.see(event);
    doors.report(event);
  };
  const led: LedAttempt = {
    turn: async (turn) => {
      const spent = left.spent();
      if (spent !== null) return { outcome: 'limit', reason: spent, handed: undefined, text: '' };
      const hasChanged = await changeSince(flow, plan, doors, turn);
      return playTurn(driver, withTurn(begin(turn.prompt), turn), { report: seen, hasChanged });
    },
    check: (step) => checkStep(flow, plan, step),
    record: (data, prompt) =>
      context.append([
        {
          type: 'attempt.stepped',
          step: id,
          attempt: plan.n,
          data: { ...data, prompt: prompt === undefined ? null : context.keep(prompt) },
        },
      ]),
    isHandoff: (kind) => contracts.ofKind(kind) !== undefined,
    submit: (raw) => doors.submit(raw),
    finish: (prompt) =>
      playAgent(driver, begin(prompt), {
        report: seen,
        submit: (raw) => doors.submit(raw),
        hasChanged: () => doors.hasChanged(),
      }),
  };
  return flow.lead(flow, plan, workflow, led);
}

function withTurn(request: AgentRequest, { step, role, tier, cwd, mode }: StepTurn): AgentRequest {
  const model = tier === null ? undefined : request.config.models[tier];
  return { ...request, step, role, cwd, mode, ...(tier && model ? { tier, model } : {}) };
}

/** Whether a turn changed something it must not, or changed anything at all if it may. */
async function changeSince(
  flow: TaskFlow,
  plan: AttemptPlan,
  doors: AgentDoors,
  { cwd, mode, isUntouched }: StepTurn,
): Promise<() => Promise<boolean>> {
  if (cwd !== plan.path) return async () => !(await isUntouched());
  if (mode === 'edit') return () => doors.hasChanged();
  const now = async () => {
    const reading = await readWork(flow, plan, plan.path);
    return reading.status === 'read' ? reading.tree : reading.reason;
  };
  const before = await now();
  return async () => (await now()) !== before;
}

/** A submitted result ends the step, not the attempt: the workflow judges it. */
async function playTurn(
  driver: AgentDriver,
  request: AgentRequest,
  { report, hasChanged }: Pick<AgentDoors, 'report' | 'hasChanged'>,
): Promise<AgentEnd & { handed: unknown; text: string }> {
  let handed: unknown;
  let text = '';
  const end = await playAgent(driver, request, {
    report(event) {
      if (event.type === 'text') text = `${text}${event.text}\n`.slice(-longestText);
      report(event);
    },
    submit(raw) {
      handed = raw;
      return { accepted: true };
    },
    hasChanged,
  });
  return { ...end, handed, text };
}

/** What an attempt had spent according to its driver's traces, over all turns. */
export function spentBefore(driver: AgentDriver, traces: string): Usage | null {
  const turns = existsSync(traces) ? readdirSync(traces).filter((name) => name.startsWith(turnFolder)) : [];
  const all = [traces, ...turns.map((name) => join(traces, name))].flatMap(
    (folder) => driver.spentSoFar?.(folder) ?? [],
  );
  if (all.length === 0) return null;
  const total: Usage = { in: 0, out: 0, usd: 0 };
  for (const usage of all) addUsage(total, usage);
  return total;
}
