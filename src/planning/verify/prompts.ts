import { fitSections, type Prompt, type Section } from '#agents/prompt/fit-sections.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import type { Plan } from '#schema/plan.ts';
import type { VerifierFindings } from '#schema/planning.ts';

const promptBytes = 200_000;

/** Spec and plan only: a verifier must not know how the plan was made. */
export function verifierPrompt(role: string, spec: SpecBundle, plan: Plan): Prompt {
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#answer', isFixed: true, text: verifierFormat },
      ...specSections(spec),
      { id: 'plan#tasks', isFixed: true, text: jsonSection('The plan', withoutReasons(plan)) },
    ],
    promptBytes,
  );
}

export function fixerPrompt(
  role: string,
  spec: SpecBundle,
  plan: Plan,
  {
    criticalFailures,
    contractIssues,
    requirements,
    semanticDrift,
    recommendations,
    coreQuestion,
  }: VerifierFindings,
): Prompt {
  const failures = {
    ...(coreQuestion.isAnswerable === false ? { coreQuestion } : {}),
    criticalFailures,
    contractIssues,
    requirements: requirements.filter(({ status }) => status !== 'covered'),
    semanticDrift,
    recommendations,
  };
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#answer', isFixed: true, text: fixerFormat },
      { id: 'verification#failures', isFixed: true, text: jsonSection('What the verifier found', failures) },
      { id: 'plan#tasks', isFixed: true, text: jsonSection('The plan', withoutOrigin(plan)) },
      ...specSections(spec),
    ],
    promptBytes,
  );
}

/** The spec is always complete; linked specs are included as far as there is room. */
function specSections(spec: SpecBundle): Section[] {
  return [spec, ...spec.linked].map(({ path, text }, index) => ({
    id: `spec/${path}#text`,
    isFixed: index === 0,
    text: `# The spec: ${path}\n\n${text.trim()}\n`,
  }));
}

function jsonSection(title: string, value: unknown): string {
  return `# ${title}\n\n${JSON.stringify(value, null, 1)}\n`;
}

/** The architect's reasons would bias the verifier. */
function withoutReasons(plan: Plan): object {
  const { tasks, contract, concerns } = plan;
  return {
    tasks: tasks.map(({ rationale: _, assumptions: __, ...task }) => task),
    ...(contract === undefined ? {} : { contract }),
    ...(concerns === undefined ? {} : { concerns }),
  };
}

function withoutOrigin({ origin: _, ...plan }: Plan): object {
  return plan;
}

const verifierExample = {
  status: 'fail',
  coreQuestion: 'Which orders has a user placed?',
  coreQuestionAnswerable: true,
  coreQuestionReasoning: 'Task orders links orders to users.',
  specRequirements: [
    {
      requirement: 'At most 8 tasks',
      specLocation: 'Limits',
      mappedToTask: 'limits',
      status: 'drifted',
      specSays: 'more than 8 tasks is an error',
      planSays: 'more than 10 tasks is an error',
      notes: '',
    },
  ],
  semanticDrift: [{ specTerm: 'display name', planTerm: 'name', risk: 'Two fields become one.' }],
  contractIssues: [{ type: 'no_task_creates_it', description: 'No task creates the table orders.' }],
  criticalFailures: [
    { description: 'The limit is 10 instead of 8', specReference: 'Limits', planGap: 'task limits says 10' },
  ],
  recommendations: ['Write 8 into the description of task limits.'],
  needsHuman: [
    {
      task: 'api',
      issue: 'The format of the answer',
      specSays: 'a list',
      planSays: 'a list in an object',
      options: ['Use the list of the spec', 'Keep the object'],
    },
  ],
};

const verifierFormat = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else. Leave a list empty when there is nothing to say:',
  '',
  '```json',
  JSON.stringify(verifierExample, null, 1),
  '```',
  '',
  '- `status`: `pass` or `fail`. It is `fail` when a requirement is missing or drifted, when there is a critical failure or an',
  '  issue of the contract, or when the core question cannot be answered.',
  '- `specRequirements`: every requirement of the spec, also those that are `covered`.',
  '',
].join('\n');

const fixerExample = {
  fixes: [
    {
      task: 'limits',
      field: 'description',
      before: 'more than 10 tasks',
      after: 'more than 8 tasks',
      reason: 'Limits: the spec says 8',
    },
  ],
  needsHuman: verifierExample.needsHuman,
};

const fixerFormat = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else:',
  '',
  '```json',
  JSON.stringify(fixerExample, null, 1),
  '```',
  '',
  '- `field`: a field of the task, or a path into it: `acceptance.0.text`. `before` is its value now, or of a text the part of',
  '  it that is replaced; null where there is none yet.',
  '- `task` null: `field` is a path into the plan itself, `contract.entities.0.keyFields` or `concerns`.',
  '- To add a task: its new id as `task`, `field` `task`, `before` null, `after` the whole task.',
  '',
].join('\n');
