import { expect, test } from 'vitest';
import { compileLab } from '#test/support/workflow-lab.ts';
import { readWorkflow } from './read-workflow.ts';

const good = {
  id: 'good-flow',
  name: 'Good',
  description: 'A good one.',
  version: '1.0.0',
  steps: [{ id: 'one', title: 'One', prompt: 'Do it.' }],
};

function withStep(more: object): object {
  return { ...good, steps: [{ ...good.steps[0], ...more }] };
}

function loopWith(loop: object, body: unknown = good.steps): object {
  return { ...good, steps: [{ type: 'loop', id: 'loop', title: 'Loop', loop, body }] };
}

const assessments = [
  {
    id: 'risk',
    purpose: 'how bad',
    dimensions: [{ id: 'size', purpose: 'how large', levels: ['low', 'high'] }],
  },
];

function problemsOf(value: object): string[] {
  const read = readWorkflow(JSON.stringify(value), false);
  const problems = read.workflow ? compileLab(read.workflow).problems : read.problems;
  return problems.map(({ path, rule }) => `${path} ${rule}`);
}

test.each<[string, object, string]>([
  ['an unknown field at the top', { ...good, setps: [] }, 'setps unknown-field'],
  ['an unknown field of a step', withStep({ promt: 'x' }), 'steps[0].promt unknown-field'],
  [
    'an unknown field in a condition',
    withStep({ runCondition: { variable: 'x' } }),
    'steps[0].runCondition.variable unknown-field',
  ],
  [
    'an unknown field in a confirmation',
    withStep({ requireConfirmation: { knd: 'x' } }),
    'steps[0].requireConfirmation.knd unknown-field',
  ],
  [
    'a step without a title',
    { ...good, steps: [{ id: 'one', prompt: 'x' }] },
    'steps[0].title missing-field',
  ],
  ['a step without a prompt', { ...good, steps: [{ id: 'one', title: 'x' }] }, 'steps[0] one-prompt'],
  ['two prompts', withStep({ promptBlocks: { goal: 'x' } }), 'steps[0] one-prompt'],
  ['a bad id', { ...good, id: 'Bad Id' }, 'id bad-value'],
  ['a bad version', { ...good, version: 'one' }, 'version bad-value'],
  ['no steps', { ...good, steps: [] }, 'steps bad-value'],
  ['a kind of step that does not exist', withStep({ type: 'lop' }), 'steps[0].type unknown-type'],
  ['a step twice', { ...good, steps: [good.steps[0], good.steps[0]] }, 'steps[1].id duplicate-id'],
  [
    'an unknown contract',
    withStep({ outputContract: { contractRef: 'wr.contracts.loop_contrl' } }),
    'steps[0].outputContract.contractRef unknown-contract',
  ],
  ['an unknown feature', { ...good, features: ['wr.features.magic'] }, 'features[0] unknown-feature'],
  [
    'an unknown text',
    {
      ...good,
      steps: [{ id: 'one', title: 'x', promptBlocks: { goal: [{ kind: 'ref', refId: 'wr.refs.nothing' }] } }],
    },
    'steps[0].promptBlocks unknown-ref',
  ],
  [
    'an unknown template',
    { ...good, steps: [{ id: 'one', title: 'x', templateCall: { templateId: 'routine.none' } }] },
    'steps[0].templateCall.templateId unknown-template',
  ],
  ['an unknown slot', withStep({ prompt: 'use {{wr.bindings.tool}}' }), 'extensionPoints unknown-slot'],
  [
    'an unknown assessment',
    withStep({ assessmentRefs: ['risk'] }),
    'steps[0].assessmentRefs[0] unknown-assessment',
  ],
  [
    'an unknown level',
    {
      ...withStep({
        assessmentRefs: ['risk'],
        assessmentConsequences: [
          { when: { anyEqualsLevel: 'huge' }, effect: { kind: 'require_followup', guidance: 'x' } },
        ],
      }),
      assessments,
    },
    'steps[0].assessmentConsequences[0].when.anyEqualsLevel unknown-level',
  ],
  [
    'a loop without a limit',
    loopWith({ type: 'while', condition: {} }),
    'steps[0].loop.maxIterations missing-field',
  ],
  [
    'a loop with too high a limit',
    loopWith({ type: 'while', condition: {}, maxIterations: 1001 }),
    'steps[0].loop.maxIterations bad-value',
  ],
  [
    'a while loop without a condition',
    loopWith({ type: 'while', maxIterations: 2 }),
    'steps[0].loop loop-control',
  ],
  ['a for loop without a count', loopWith({ type: 'for', maxIterations: 2 }), 'steps[0].loop loop-control'],
  [
    'a forEach loop without items',
    loopWith({ type: 'forEach', maxIterations: 2 }),
    'steps[0].loop loop-control',
  ],
  [
    'a loop without a body',
    loopWith({ type: 'for', count: 1, maxIterations: 2 }, []),
    'steps[0].body empty-body',
  ],
  [
    'a body that is not there',
    loopWith({ type: 'for', count: 1, maxIterations: 2 }, 'nobody'),
    'steps[0].body unknown-body',
  ],
  [
    'a mistake in a body',
    loopWith({ type: 'for', count: 1, maxIterations: 2 }, [{ ...good.steps[0], promt: 'x' }]),
    'steps[0].body[0].promt unknown-field',
  ],
  [
    'a jump to nowhere',
    withStep({ jumpIf: { condition: {}, target: 'two', maxJumps: 1 } }),
    'steps[0].jumpIf.target unknown-target',
  ],
  [
    'a variable that is never set',
    { ...withStep({ prompt: 'use {{size}}' }), inputs: [] },
    'steps[0].prompt no-producer',
  ],
  [
    'an undefined function',
    withStep({ functionReferences: ['f()'] }),
    'steps[0].functionReferences[0] unknown-function',
  ],
  [
    'an audit of a parallel step',
    {
      ...good,
      steps: [
        {
          type: 'parallel',
          id: 'par',
          title: 'x',
          parallelDelegations: [{ workflowId: 'x' }],
          audit: { prompt: 'x' },
        },
      ],
    },
    'steps[0].audit not-for-parallel',
  ],
  [
    'a regular expression that is none',
    withStep({ runCondition: { var: 'x', matches: '(' } }),
    'steps[0].runCondition.matches bad-value',
  ],
])('%s is a problem with its path and rule', (_name, value, expected) => {
  expect(problemsOf(value)).toContain(expected);
});

test('loops nested deeper than four are refused, with their name', () => {
  const nested = (depth: number): object =>
    depth === 0
      ? { id: 'leaf', title: 'x', prompt: 'x' }
      : {
          type: 'loop',
          id: `loop-${depth}`,
          title: 'x',
          loop: { type: 'for', count: 1, maxIterations: 1 },
          body: [nested(depth - 1)],
        };
  expect(problemsOf({ ...good, steps: [nested(4)] })).toEqual([]);
  expect(problemsOf({ ...good, steps: [nested(5)] }).join()).toContain('loops-too-deep');
});

test('the nearest known field is suggested', () => {
  const { problems } = readWorkflow(JSON.stringify(withStep({ promt: 'x', zzz: 1 })), false);
  expect(problems.map(({ message }) => message)).toEqual([
    'unknown field "promt"; did you mean "prompt"?',
    'unknown field "zzz"',
  ]);
});

test('YAML with comments is the same workflow as JSON', () => {
  const yaml =
    '# a comment\nid: good-flow\nname: Good\ndescription: A good one.\nversion: 1.0.0 # not a number\nsteps:\n  - id: one\n    title: One\n    prompt: Do it.\n';
  const fromYaml = readWorkflow(yaml, true);
  const fromJson = readWorkflow(JSON.stringify(good), false);
  expect(fromYaml).toEqual(fromJson);
  expect(readWorkflow('id: [', true).problems).toMatchObject([{ rule: 'not-yaml' }]);
  expect(readWorkflow('{"id": ', false).problems).toMatchObject([{ rule: 'not-json' }]);
  expect(readWorkflow('[]', false).problems).toMatchObject([{ rule: 'not-a-workflow' }]);
});

test('the hash depends only on the meaning', () => {
  const hash = (value: object) => {
    const { workflow } = readWorkflow(JSON.stringify(value), false);
    return workflow ? compileLab(workflow).hash : '';
  };
  const turned = Object.fromEntries(Object.entries(good).toReversed());
  expect(hash(good)).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(hash(turned)).toBe(hash(good));
  expect(hash(withStep({ prompt: 'Do it!' }))).not.toBe(hash(good));
});
