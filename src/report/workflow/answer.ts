import { hang } from '#report/text/flow.ts';
import type { Page } from '#report/text/page.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';

/** A run at its pending step, for a person at a terminal. */
export function renderAnswer(answer: WorkflowAnswer, { width, paint }: Page): string {
  const { pending, blockers = [], warnings, gate, sessionId } = answer;
  return [
    ...warnings.flatMap((text) => hang('warning: ', text, { width, tintLabel: paint.yellow })),
    ...blockers.flatMap(({ message, fix }) => [
      ...hang('not accepted: ', message, { width, tintLabel: paint.red }),
      ...fix.split('\n').map((line) => `  ${line}`),
    ]),
    ...(pending === null
      ? []
      : [`${paint.bold(pending.title)} ${paint.dim(pending.instance)}`, '', pending.prompt]),
    ...(answer.nextIntent === 'await_user_confirmation'
      ? ['', 'This step needs your confirmation before it is handed in.']
      : []),
    ...(answer.isComplete ? [`run ${sessionId} is complete`] : []),
    ...(gate
      ? [
          `run ${sessionId} waits at the gate of ${gate.stepId}${gate.rationale === null ? '' : `: ${gate.rationale}`}`,
          `Let it go on: joinery workflow gate ${sessionId} approve, or send it back: joinery workflow gate ${sessionId} reject --reason "…"`,
        ]
      : []),
    ...(answer.kind === 'stopped' ? [`run ${sessionId} stopped: its answers were refused too often`] : []),
  ].join('\n');
}

/** How to continue in another process. */
export function renderHowToContinue({ continueToken, sessionId }: WorkflowAnswer): string {
  return continueToken === null
    ? `joinery workflow status ${sessionId}`
    : `joinery workflow continue ${continueToken} --notes "…"`;
}
