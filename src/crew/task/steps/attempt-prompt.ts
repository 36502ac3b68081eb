import { type AssembledPrompt, assemblePrompt, type Dependency } from '#agents/prompt/assemble-prompt.ts';
import { fenced } from '#agents/prompt/fenced.ts';
import { describeClash } from '#crew/state/clash.ts';
import { adviceAfter } from '#crew/state/classify.ts';
import { type AttemptState, countedAttempts, type StepState, stepOf } from '#crew/state/state.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { Handoff } from '#schema/handoff.ts';
import { gatesPromptFor } from './gate-attempt.ts';

const promptBytes = 200_000;

export async function promptFor(flow: TaskFlow, plan: AttemptPlan): Promise<AssembledPrompt> {
  const { roles, stepRules } = await definitionsAt(flow.premises.objects, flow.state.base);
  const roleText = roles.find(({ name }) => name === plan.role)?.text ?? '';
  const gates = await gatesPromptFor(flow);
  const { state, id, context } = flow;
  const step = stepOf(state, id);
  const before = countedAttempts(step)
    .filter((attempt) => attempt.n < plan.n)
    .at(-1);
  return assemblePrompt(
    {
      run: context.run,
      role: plan.role,
      attempt: plan.n,
      task: step.task,
      goal: goalOf(flow),
      roleText,
      rules: stepRules,
      inputs: await inputsFor(flow, plan),
      ambient: [],
      corrected: correctedSoFar(flow),
      contract: state.plan.contract,
      contractNews: step.attempts.at(-1)?.news ?? [],
      concerns: state.plan.concerns ?? [],
      branch: plan.branch,
      gates,
      findings: [
        ...(before?.findings.map((finding) => finding.message) ?? []),
        ...(before?.failure ? adviceAfter(before.failure, before.kept !== null) : []),
        ...(step.attempts.at(-1)?.told.map(describeClash) ?? []),
      ],
      context: step.context,
      dependencies: step.task.dependsOn.map((task) => dependencyOn(flow, task)),
      maxBytes: promptBytes,
    },
    step.task.isolation ?? null,
  );
}

/** Longer files are not put into a prompt: the agent reads them itself. */
const longestInput = 64 * 1024;

/** The files that the task declares, at the starting commit of the attempt. */
async function inputsFor({ state, id, premises }: TaskFlow, plan: AttemptPlan) {
  const paths = stepOf(state, id).task.inputs ?? [];
  if (paths.length === 0) return [];
  const texts = await readFilesAt(premises.objects.git, plan.from, paths);
  return paths.map((path) => {
    const text = texts.get(path);
    const isLong = text !== undefined && Buffer.byteLength(text) > longestInput;
    const shown =
      text === undefined ? 'There is no such file.' : isLong ? 'It is long: read it.' : fenced(text);
    return { id: `input/${path}#text`, text: `# ${path}\n\n${shown}\n` };
  });
}

/** The goal of the run: the core question of the contract, and the spec. */
function goalOf({ state: { plan } }: TaskFlow): string {
  const spec = plan.spec ? `The work carries out ${plan.spec.path}.` : '';
  const question = plan.contract?.coreQuestion;
  return [typeof question === 'string' ? question : '', spec].filter((text) => text !== '').join('\n\n');
}

/** The attempt whose handoff counts: the last one, unless the one it repeats left a better handoff. */
function handedOn({ attempts }: StepState): AttemptState | undefined {
  const last = attempts.at(-1);
  const before = attempts.at(-2);
  const isWorse = last?.played?.handoff === null && last.played.notes === null && last.quality !== 'fallback';
  return isWorse && before?.played ? before : last;
}

/** Tasks it depends on that left no valid handoff. */
export function upstreamOf({ state, id }: TaskFlow): Record<string, 'partial' | 'fallback'> {
  const degraded = stepOf(state, id).task.dependsOn.flatMap((task) => {
    const quality = stepOf(state, task).attempts.at(-1)?.quality;
    return quality === 'partial' || quality === 'fallback' ? [[task, quality] as const] : [];
  });
  return Object.fromEntries(degraded);
}

function dependencyOn(flow: TaskFlow, task: string): Dependency {
  const played = handedOn(stepOf(flow.state, task))?.played;
  const handoff = handoffOf(flow, played?.handoff ?? null);
  const notes =
    handoff || !played?.notes ? null : flow.workshop.engine.artifact(flow.context.run, played.notes);
  return { task, handoff, ...(notes === null ? {} : { notes }) };
}

function handoffOf(flow: TaskFlow, hash: string | null): Handoff | null {
  const text = hash ? flow.workshop.engine.artifact(flow.context.run, hash) : null;
  return text === null ? null : Handoff.parse(JSON.parse(text));
}

/** Assumptions that earlier attempts of this task found to be wrong. */
function correctedSoFar(flow: TaskFlow): { assumed: string; actual: string }[] {
  return stepOf(flow.state, flow.id).attempts.flatMap(
    ({ played }) => handoffOf(flow, played?.handoff ?? null)?.corrected ?? [],
  );
}
