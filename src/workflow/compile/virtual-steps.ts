import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { ParallelStep, StandardStep } from '#schema/workflow.ts';

interface Extras {
  readonly verification?: StandardStep['verification'];
  readonly audit?: StandardStep['audit'];
  readonly synthesis?: ParallelStep['synthesis'];
}

/** Steps generated from a field of another step: `<id>__verification`, `<id>__audit`, `<id>__synthesis`. */
export function virtualSteps(
  parent: CompiledStep,
  { verification, audit, synthesis }: Extras,
): CompiledStep[] {
  return [
    ...(verification ? [follow(parent, 'verification', 'Verify', verificationText(verification))] : []),
    ...(audit ? [follow(parent, 'audit', 'Audit', auditText(audit))] : []),
    ...(synthesis
      ? [
          {
            ...follow(parent, 'synthesis', 'Synthesis', synthesis.prompt ?? defaultSynthesis),
            ...(synthesis.outputContract
              ? {
                  outputContract: {
                    contractRef: synthesis.outputContract.contractRef,
                    required: synthesis.outputContract.required ?? true,
                  },
                }
              : {}),
          },
        ]
      : []),
  ];
}

const defaultSynthesis =
  'Put the answers of the delegates together: what they agree on, where they disagree and why, and what follows.';

function follow(parent: CompiledStep, suffix: string, title: string, prompt: string): CompiledStep {
  const { runCondition, guidance } = parent;
  return {
    kind: 'step',
    id: `${parent.id}__${suffix}`,
    title: `${title}: ${parent.title}`,
    prompt,
    guidance,
    fragments: [],
    ...(runCondition ? { runCondition } : {}),
    notesOptional: true,
    assessmentRefs: [],
    consequences: [],
    todoList: [],
    produces: [],
    functionReferences: [],
    askForFiles: false,
    isLast: false,
  };
}

function verificationText({ command, prompt }: NonNullable<Extras['verification']>): string {
  const run = command === undefined ? [] : [`Run this command and report what it printed:\n\n    ${command}`];
  return [...(prompt === undefined ? [] : [prompt]), ...run].join('\n\n');
}

function auditText({ prompt, rubric = [] }: NonNullable<Extras['audit']>): string {
  const list =
    rubric.length === 0
      ? []
      : [`Judge the work by each of these:\n${rubric.map((item) => `- ${item}`).join('\n')}`];
  return [...(prompt === undefined ? [] : [prompt]), ...list].join('\n\n');
}
