import type { WorkflowAnswer } from '#schema/workflow-run.ts';

/** An answer as an agent reads it: what to do, then the tokens. */
export function answerText(answer: WorkflowAnswer): string {
  const { pending, blockers = [], warnings, gate } = answer;
  const tokens = {
    continueToken: answer.continueToken,
    checkpointToken: answer.checkpointToken,
    resumeToken: answer.resumeToken,
  };
  return [
    ...warnings.map((text) => `Warning: ${text}`),
    ...(blockers.length > 0
      ? ['The step was not accepted:', ...blockers.map(({ message, fix }) => `- ${message}\n  ${fix}`)]
      : []),
    ...(pending ? [`# ${pending.title}`, pending.prompt] : []),
    ...(answer.nextIntent === 'await_user_confirmation'
      ? ['Ask the user for confirmation before you hand this step in.']
      : []),
    ...(answer.isComplete ? ['The workflow is complete.'] : []),
    ...(gate ? [`The run waits at the gate of ${gate.stepId}: a person or an evaluator decides.`] : []),
    ...(answer.kind === 'stopped' ? ['The run stopped: its answers were refused too often.'] : []),
    ...(pending
      ? [
          `When it is done, call continue_workflow with:\n\`\`\`json\n${JSON.stringify(tokens, null, 2)}\n\`\`\``,
        ]
      : []),
  ].join('\n\n');
}
