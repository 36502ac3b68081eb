import { join } from 'node:path';
import { openStore } from '#durable/store.ts';
import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { Workflow } from '#schema/workflow.ts';
import type { CheckOutcome, WorkflowAnswer } from '#schema/workflow-run.ts';
import { compileWorkflow } from '#workflow/compile/compile.ts';
import { emptySubmission, type Submission } from '#workflow/contracts/submission.ts';
import { openKeyring } from '#workflow/engine/keyring.ts';
import { WorkflowLog } from '#workflow/engine/log.ts';
import { WorkflowEngine } from '#workflow/engine/workflow-engine.ts';
import { checkShape } from '#workflow/language/read-workflow.ts';

export function workflowOf(steps: readonly object[], more: object = {}): Workflow {
  const value = { id: 'lab-flow', name: 'Lab', description: 'For tests.', version: '1.0.0', steps, ...more };
  const { workflow, problems } = checkShape(value);
  if (!workflow) throw new Error(JSON.stringify(problems));
  return workflow;
}

export function compileLab(
  workflow: Workflow,
  routines: readonly Workflow[] = [],
  overrides: Record<string, string> = {},
) {
  return compileWorkflow(workflow, {
    routines: new Map(routines.map((routine) => [`routine.${routine.id.replace('routine-', '')}`, routine])),
    overrides,
    isReferenceFound: () => true,
  });
}

interface LabOptions {
  readonly now?: () => number;
  readonly runCheck?: (step: CompiledStep) => Promise<CheckOutcome>;
  readonly bindingsNow?: () => Record<string, string>;
  /** Faster and less durable: for tests of what is written, not of whether it survives. */
  readonly isHasty?: boolean;
}

/** An engine with its own log. */
export function openLab(folder: string, options: LabOptions = {}) {
  const store = openStore(join(folder, 'runs.db'));
  if (options.isHasty) store.db.exec('PRAGMA synchronous = OFF');
  const log = new WorkflowLog(store, options.now);
  const engine = new WorkflowEngine({
    log,
    keys: openKeyring(join(folder, 'keys.json')),
    ...(options.runCheck ? { runCheck: options.runCheck } : {}),
    ...(options.bindingsNow ? { bindingsNow: options.bindingsNow } : {}),
  });
  const compile = (workflow: Workflow, routines: readonly Workflow[] = []) => {
    const { compiled, hash, problems } = compileLab(workflow, routines);
    if (!compiled) throw new Error(JSON.stringify(problems));
    return { compiled, hash };
  };
  const start = (
    workflow: Workflow,
    context: Record<string, unknown> = {},
    mode: 'interactive' | 'autonomous' = 'interactive',
    routines: readonly Workflow[] = [],
  ): WorkflowAnswer => {
    const { compiled, hash } = compile(workflow, routines);
    return engine.start(
      compiled,
      hash,
      {
        source: { kind: 'project', path: null },
        goal: 'the goal',
        mode,
        workspace: folder,
        branch: 'main',
        head: null,
        parent: null,
      },
      context,
    );
  };
  const go = async (answer: WorkflowAnswer, given: Partial<Submission> = {}): Promise<WorkflowAnswer> =>
    JSON.parse(
      await engine.continue(answer.continueToken ?? '', { ...emptySubmission, notes: 'done', ...given }),
    ) as WorkflowAnswer;
  const events = (run: string) =>
    (
      store.db.prepare("SELECT count(*) AS n FROM journal WHERE run = ? AND kind = 'event'").get(run) as {
        n: number;
      }
    ).n;
  return { store, log, engine, compile, start, go, events, close: () => store.close() };
}

export type Lab = ReturnType<typeof openLab>;

/** Steps in the order in which they were pending, if every one is answered with notes. */
export async function walk(
  lab: Lab,
  first: WorkflowAnswer,
  given: (answer: WorkflowAnswer, at: number) => Partial<Submission> = () => ({}),
): Promise<{ steps: string[]; end: WorkflowAnswer }> {
  const steps: string[] = [];
  let answer = first;
  for (let at = 0; answer.continueToken !== null && at < 5000; at++) {
    if (answer.kind !== 'blocked') steps.push(answer.pending?.instance ?? '');
    answer = await lab.go(answer, given(answer, at));
  }
  return { steps, end: answer };
}

export function step(id: string, more: object = {}): object {
  return { id, title: id, prompt: `Do ${id}.`, ...more };
}
