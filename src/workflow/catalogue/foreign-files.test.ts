import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { openLab, walk } from '#test/support/workflow-lab.ts';
import { openCatalogue } from './find-workflows.ts';

const routine = {
  id: 'wr.routine-tension',
  name: 'Tension',
  description: 'A routine.',
  version: '1.3.0',
  features: ['wr.features.capabilities', 'wr.features.subagent_guidance'],
  metaGuidance: ['routine guidance'],
  steps: [
    {
      id: 'one',
      title: 'One of {what}',
      prompt: 'Look at {what}, not {{criteria}}.',
      agentRole: 'You are a careful designer.',
    },
    { id: 'two', title: 'Two', prompt: 'Second.', runCondition: { var: 'deep', equals: true } },
  ],
};

/** Every construct that public files of this format use, in one file. */
const everything = {
  id: 'wr.everything',
  name: 'Everything',
  description: 'Uses every construct.',
  version: '2.11.0',
  modelTier: 'heavy',
  about: 'About this workflow.',
  examples: ['Do everything at once, please'],
  validatedAgainstSpecVersion: 3,
  recommendedPreferences: { recommendedAutonomy: 'guided', recommendedRiskPolicy: 'conservative' },
  metricsProfile: 'coding',
  features: ['wr.features.memory_context', 'wr.features.capabilities', 'wr.features.subagent_guidance'],
  metaGuidance: ['meta'],
  preconditions: ['a clean tree'],
  clarificationPrompts: ['which one?'],
  functionDefinitions: [
    {
      name: 'score',
      definition: 'add the points',
      parameters: [{ name: 'n', type: 'number', required: true }],
    },
  ],
  extensionPoints: [
    {
      slotId: 'design',
      purpose: 'which design routine',
      default: 'wr.routine-tension',
      acceptedKinds: ['routine'],
    },
  ],
  references: [
    {
      id: 'guide',
      title: 'Guide',
      source: 'GUIDE.md',
      purpose: 'the rules',
      authoritative: true,
      resolveFrom: 'workspace',
    },
    {
      id: 'spec',
      title: 'Spec',
      source: 'spec.md',
      purpose: 'the format',
      authoritative: false,
      resolveFrom: 'package',
    },
  ],
  assessments: [
    {
      id: 'risk',
      purpose: 'how risky',
      dimensions: [
        { id: 'size', purpose: 'how large', levels: ['low', 'high'] },
        { id: 'extra', purpose: 'x', levels: ['a', 'b'], required: false },
      ],
    },
  ],
  steps: [
    {
      id: 'phase-0',
      title: 'Phase 0',
      promptBlocks: {
        goal: [
          { kind: 'text', text: 'Start. ' },
          { kind: 'ref', refId: 'wr.refs.notes_first_durability' },
        ],
        constraints: ['a', [{ kind: 'ref', refId: 'wr.refs.adversarial_challenge_rules' }]],
        procedure: ['use {{wr.bindings.design}}'],
        outputRequired: { notes: 'text' },
        verify: ['done'],
      },
      promptFragments: [
        { id: 'f1', when: { var: 'deep', equals: true }, text: 'FRAGMENT' },
        { id: 'f2', text: 'ALWAYS {{featureBranch}}' },
      ],
      requireConfirmation: {
        or: [
          { var: 'risk', equals: 'high' },
          { var: 'auto', not_equals: true },
        ],
      },
      functionReferences: ['score()'],
      askForFiles: true,
    },
    {
      id: 'call',
      title: 'Call',
      templateCall: { templateId: 'wr.templates.routine.tension', args: { what: 'the plan' } },
      runCondition: { var: 'skipped', not_equals: true },
    },
    {
      type: 'loop',
      id: 'each-slice',
      title: 'Slices',
      loop: {
        type: 'forEach',
        items: 'slices',
        itemVar: 'currentSlice',
        indexVar: 'sliceIndex',
        maxIterations: 20,
      },
      body: [
        {
          id: 'slice',
          title: 'Slice {{currentSlice.name}}',
          prompt: 'Do {{currentSlice.name}} ({{sliceIndex}}).',
          verification: { command: 'npm test' },
          audit: { rubric: ['is it small?'] },
        },
      ],
    },
    {
      type: 'loop',
      id: 'refine',
      title: 'Refine',
      loop: {
        type: 'while',
        maxIterations: 3,
        conditionSource: {
          kind: 'artifact_contract',
          contractRef: 'wr.contracts.loop_control',
          loopId: 'refine_loop',
        },
      },
      body: [
        { id: 'improve', title: 'Improve', prompt: 'Improve.', guidance: ['carefully'] },
        {
          id: 'decide',
          title: 'Decide',
          prompt: 'Decide.',
          outputContract: { contractRef: 'wr.contracts.loop_control' },
          requireConfirmation: true,
        },
      ],
    },
    {
      type: 'loop',
      id: 'poll',
      title: 'Poll',
      loop: { type: 'until', maxIterations: 5, condition: { var: 'ready', equals: true } },
      body: 'poll-once',
    },
    { id: 'poll-once', title: 'Poll once', prompt: 'Look.' },
    {
      type: 'loop',
      id: 'retry',
      title: 'Retry',
      loop: { type: 'for', count: 'times', maxIterations: 5, iterationVar: 'attempt' },
      body: [{ id: 'try-it', title: 'Try', prompt: 'Try {{attempt}}.' }],
    },
    {
      type: 'parallel',
      id: 'families',
      title: 'Families',
      parallelDelegations: [
        {
          workflowId: 'wr.routine-tension',
          goal: 'look at {{goal}}',
          contextMapping: { deep: 'depth' },
          args: { familyName: 'x' },
          modelTier: 'lightweight',
          allowedTools: ['read'],
        },
      ],
      synthesis: {
        prompt: 'Put together.',
        outputContract: { contractRef: 'wr.contracts.review_verdict', required: false },
      },
    },
    {
      id: 'judge',
      title: 'Judge',
      prompt: 'Judge.',
      modelTier: 'mid',
      assessmentRefs: ['risk'],
      assessmentConsequences: [
        {
          when: { anyEqualsLevel: 'high', forAssessment: 'risk' },
          effect: { kind: 'require_followup', guidance: 'smaller' },
        },
      ],
      validationCriteria: {
        and: [
          { type: 'contains', value: 'notes', message: 'say notes' },
          { type: 'length', min: 3, max: 5000, message: 'length' },
        ],
      },
      hasValidation: true,
    },
    {
      id: 'last',
      title: 'Last',
      prompt: 'End.',
      outputContract: { contractRef: 'wr.contracts.differentiation_handoff' },
      requireConfirmation: { kind: 'human_approval' },
    },
  ],
};

test('a file that uses every construct of the format loads from .joinery/workflows and runs to its end', async () => {
  const workspace = temporaryFolder();
  const folder = join(workspace, '.joinery', 'workflows');
  mkdirSync(join(folder, 'routines'), { recursive: true });
  writeFileSync(join(folder, 'routines', 'tension.json'), JSON.stringify(routine));
  writeFileSync(join(folder, 'everything.json'), JSON.stringify(everything));
  writeFileSync(join(workspace, 'GUIDE.md'), '');
  const catalogue = openCatalogue({ folders: [{ kind: 'project', path: folder }], workspace });
  const found = catalogue.find('wr.everything');
  if (!found) throw new Error('not found');
  const { compiled, hash, problems } = catalogue.compile(found);
  expect(problems).toEqual([]);
  if (!compiled) throw new Error('not compiled');
  expect(compiled.references.map(({ isFound }) => isFound)).toEqual([true, false]);
  const lab = openLab(temporaryFolder());
  const facts = {
    source: { kind: 'project', path: null },
    goal: 'g',
    mode: 'interactive' as const,
    workspace,
    branch: null,
    head: null,
    parent: null,
  };
  const start = lab.engine.start(compiled, hash, facts, {
    deep: true,
    slices: [{ name: 's1' }, { name: 's2' }],
    times: 2,
  });
  expect(start.pending?.prompt).toContain('FRAGMENT');
  expect(start.pending?.prompt).toContain('use wr.routine-tension');
  expect(start.references).toHaveLength(2);
  const example = (await import('#workflow/contracts/registry.ts')).outputContract(
    'wr.contracts.differentiation_handoff',
  )?.example;
  const { steps, end } = await walk(lab, start, ({ pending }) => ({
    notes: 'the notes',
    context: pending?.stepId === 'poll-once' ? { ready: true } : {},
    artifacts: [
      ...(pending?.stepId === 'decide'
        ? [{ kind: 'wr.loop_control', decision: 'stop', loopId: 'refine_loop' }]
        : []),
      ...(pending?.stepId === 'judge'
        ? [{ kind: 'wr.assessment', dimensions: { size: { level: 'low', rationale: 'r' } } }]
        : []),
      ...(pending?.stepId === 'last' && example ? [example] : []),
    ],
  }));
  expect(end.isComplete).toBe(true);
  expect(steps).toEqual([
    'phase-0',
    'call.one',
    'call.two',
    'each-slice@0::slice',
    'each-slice@0::slice__verification',
    'each-slice@0::slice__audit',
    'each-slice@1::slice',
    'each-slice@1::slice__verification',
    'each-slice@1::slice__audit',
    'refine@0::improve',
    'refine@0::decide',
    'poll@0::poll-once',
    'retry@0::try-it',
    'retry@1::try-it',
    'families',
    'families__synthesis',
    'judge',
    'last',
  ]);
});
