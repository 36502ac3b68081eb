import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { Workflow } from '#schema/workflow.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { compileLab, openLab, step, walk, workflowOf } from '#test/support/workflow-lab.ts';
import { outputContracts, registerOutputContract } from '#workflow/contracts/registry.ts';
import { hashText } from '#workflow/engine/log.ts';

const loop = (own: object, body: unknown = [step('inner')], more: object = {}) => ({
  type: 'loop',
  id: 'loop',
  title: 'Loop',
  loop: { type: 'for', count: 1, maxIterations: 2, ...own },
  body,
  ...more,
});
const dimension = { id: 'size', purpose: 'p', levels: ['low', 'high'] };
const assessed = (consequences: object[], more: object = {}) =>
  workflowOf([step('one', { assessmentRefs: ['risk'], assessmentConsequences: consequences, ...more })], {
    assessments: [{ id: 'risk', purpose: 'p', dimensions: [dimension] }],
  });
const consequence = (when: object) => ({ when, effect: { kind: 'require_followup', guidance: 'g' } });
const weigh = {
  name: 'weigh',
  definition: 'd',
  parameters: [
    { name: 'n', type: 'number', required: true },
    { name: 'unit', type: 'string', enum: ['g', 'kg'] },
  ],
};
const calls = (args: object) =>
  workflowOf([step('one', { functionCalls: [{ name: 'weigh', args }] })], { functionDefinitions: [weigh] });
const routine = workflowOf([step('inner', { prompt: 'Look at {what}.' })], { id: 'routine-look' });
const call = (args: object) => ({
  id: 'call',
  title: 'C',
  templateCall: { templateId: 'routine.look', args },
});

/** Problems found by compiling; mistakes of shape are in read-workflow.test.ts. */
test.each<[string, Workflow, string, string]>([
  [
    'an id inside a loop that is taken at the top',
    workflowOf([step('one'), loop({}, [step('one')])]),
    'steps[1].body[0].id',
    'duplicate-id',
  ],
  [
    'an assessment twice',
    workflowOf([step('one')], {
      assessments: [1, 2].map(() => ({ id: 'risk', purpose: 'p', dimensions: [dimension] })),
    }),
    'assessments[1].id',
    'duplicate-id',
  ],
  [
    'a dimension twice',
    workflowOf([step('one')], {
      assessments: [{ id: 'risk', purpose: 'p', dimensions: [dimension, dimension] }],
    }),
    'assessments[0].dimensions[1].id',
    'duplicate-id',
  ],
  [
    'a fragment twice',
    workflowOf([
      step('one', {
        promptFragments: [
          { id: 'f', text: 'a' },
          { id: 'f', text: 'b' },
        ],
      }),
    ]),
    'steps[0].promptFragments[1].id',
    'duplicate-id',
  ],
  [
    'a slot in a fragment',
    workflowOf([step('one', { promptFragments: [{ id: 'f', text: '{{wr.bindings.x}}' }] })]),
    'steps[0].promptFragments[0].text',
    'slot-in-fragment',
  ],
  [
    'a name of ours that nothing defines',
    workflowOf([step('one', { prompt: 'use {{wr.magic}}' })]),
    'steps[0]',
    'unknown-slot',
  ],
  [
    'blocks without a block',
    workflowOf([{ id: 'one', title: 'One', promptBlocks: {} }]),
    'steps[0].promptBlocks',
    'empty-blocks',
  ],
  [
    'a body with a condition of its own',
    workflowOf([loop({}, 'one'), step('one', { runCondition: { var: 'x' } })]),
    'steps[0].body',
    'body-condition',
  ],
  [
    'a body that is verified',
    workflowOf([loop({}, 'one'), step('one', { verification: { command: 'npm test' } })]),
    'steps[0].body',
    'body-extras',
  ],
  [
    'an audit about nothing',
    workflowOf([step('one', { audit: { rubric: [] } })]),
    'steps[0].audit',
    'empty-audit',
  ],
  [
    'a verification of nothing',
    workflowOf([step('one', { verification: {} })]),
    'steps[0].verification',
    'empty-verification',
  ],
  [
    'a synthesis with an unknown contract',
    workflowOf([
      {
        type: 'parallel',
        id: 'par',
        title: 'P',
        parallelDelegations: [{ workflowId: 'x' }],
        synthesis: { outputContract: { contractRef: 'wr.contracts.none' } },
      },
    ]),
    'steps[0].synthesis.outputContract.contractRef',
    'unknown-contract',
  ],
  [
    'a loop decided by an unknown contract',
    workflowOf([
      loop({
        type: 'while',
        count: undefined,
        conditionSource: { kind: 'artifact_contract', contractRef: 'wr.contracts.none', loopId: 'x' },
      }),
    ]),
    'steps[0].loop.conditionSource.contractRef',
    'unknown-contract',
  ],
  [
    'a consequence of nothing',
    workflowOf([step('one', { assessmentConsequences: [consequence({ anyEqualsLevel: 'x' })] })]),
    'steps[0].assessmentConsequences[0].when',
    'consequence-without-assessment',
  ],
  [
    'a consequence of an assessment that the step does not make',
    assessed([consequence({ anyEqualsLevel: 'high', forAssessment: 'cost' })]),
    'steps[0].assessmentConsequences[0].when.forAssessment',
    'unknown-assessment',
  ],
  [
    'the same consequence twice',
    assessed([consequence({ anyEqualsLevel: 'high' }), consequence({ anyEqualsLevel: 'high' })]),
    'steps[0].assessmentConsequences[1].when',
    'duplicate-consequence',
  ],
  [
    'a call of an undefined function',
    workflowOf([step('one', { functionCalls: [{ name: 'weigh', args: {} }] })]),
    'steps[0].functionCalls[0].name',
    'unknown-function',
  ],
  ['a call without an argument', calls({}), 'steps[0].functionCalls[0].args.n', 'missing-argument'],
  ['an argument of another type', calls({ n: 'x' }), 'steps[0].functionCalls[0].args.n', 'bad-argument'],
  [
    'an argument that is none of the values',
    calls({ n: 1, unit: 't' }),
    'steps[0].functionCalls[0].args.unit',
    'bad-argument',
  ],
  [
    'a template without an argument',
    workflowOf([call({})]),
    'steps[0].templateCall.args',
    'missing-argument',
  ],
  [
    'a template with a list for an argument',
    workflowOf([call({ what: ['x'] })]),
    'steps[0].templateCall.args.what',
    'bad-argument',
  ],
])('%s is a problem', (_name, workflow, path, rule) => {
  expect(compileLab(workflow, [routine]).problems).toContainEqual(expect.objectContaining({ path, rule }));
});

describe('templates', () => {
  test('are expanded before hashing', () => {
    const caller = workflowOf([call({ what: 'the code' })]);
    const { compiled, hash } = compileLab(caller, [routine]);
    expect(compiled?.steps).toMatchObject([{ id: 'call.inner', prompt: 'Look at the code.' }]);
    const edited = workflowOf([step('inner', { prompt: 'Stare at {what}.' })], { id: 'routine-look' });
    expect(compileLab(caller, [edited]).hash).not.toBe(hash);
    expect(compileLab(workflowOf([call({ what: 'the tests' })]), [routine]).hash).not.toBe(hash);
  });

  test('a routine cannot call another routine', () => {
    const nested = workflowOf([call({ what: 'x' })], { id: 'routine-nested' });
    const { problems } = compileLab(
      workflowOf([{ id: 'top', title: 'T', templateCall: { templateId: 'routine.nested' } }]),
      [routine, nested],
    );
    expect(problems).toMatchObject([{ rule: 'bad-template' }]);
  });

  test('a step of a routine inherits the condition of its call unless it has its own', async () => {
    const own = workflowOf([step('always', { runCondition: { var: 'y', not_equals: 1 } }), step('plain')], {
      id: 'routine-two',
    });
    const flow = workflowOf([
      {
        id: 'call',
        title: 'C',
        templateCall: { templateId: 'routine.two' },
        runCondition: { var: 'x', equals: 1 },
      },
      step('after'),
    ]);
    const lab = openLab(temporaryFolder());
    expect((await walk(lab, lab.start(flow, {}, 'interactive', [own]))).steps).toEqual([
      'call.always',
      'after',
    ]);
  });
});

test('blocks are rendered in a fixed order, whatever the order in the file; features add to them', () => {
  const promptBlocks = {
    verify: ['v'],
    outputRequired: { file: 'where it is' },
    procedure: ['first', 'second'],
    constraints: [
      [
        { kind: 'text', text: 'see ' },
        { kind: 'ref', refId: 'wr.refs.memory_query' },
      ],
    ],
    goal: 'g',
  };
  const promptOf = (features: string[]) => {
    const { compiled } = compileLab(workflowOf([{ id: 'one', title: 'One', promptBlocks }], { features }));
    return (compiled?.steps[0] as CompiledStep | undefined)?.prompt ?? '';
  };
  expect(promptOf([])).toBe(
    [
      '## Goal\ng',
      '## Constraints\n- see Ask your memory for earlier decisions about the same files and terms.',
      '## Procedure\n1. first\n2. second',
      '## Output Required\n- **file**: where it is',
      '## Verify\n- v',
    ].join('\n\n'),
  );
  const count = (text: string) => text.split('\n').length;
  const plain = count(promptOf([]));
  expect(count(promptOf(['wr.features.capabilities']))).toBe(plain + 9);
  expect(count(promptOf(['wr.features.subagent_guidance']))).toBe(plain + 7);
  expect(count(promptOf(['wr.features.memory_context']))).toBe(plain + 1);
});

test.each([
  ['coding', [1, 1, 6]],
  ['review', [0, 0, 2]],
  ['research', [0, 0, 1]],
  ['design', [0, 0, 1]],
  ['ticket', [0, 0, 1]],
  ['none', [0, 0, 0]],
])(
  'profile %s asks for metrics: %j lines at the first, second and last step',
  async (metricsProfile, lines) => {
    const lab = openLab(temporaryFolder());
    const flow = workflowOf([step('one'), step('two'), step('three')], { metricsProfile });
    const asked: number[] = [];
    await walk(lab, lab.start(flow), ({ pending }) => {
      asked.push(pending?.prompt.match(/context\.metrics_\w+/g)?.length ?? 0);
      return {};
    });
    expect(asked).toEqual(lines);
  },
);

describe('contracts', () => {
  test.each(outputContracts().map((contract) => [contract.ref, contract] as const))(
    '%s: its example is accepted, an empty artifact is not, and the agent sees both',
    async (ref, { example, kind }) => {
      const lab = openLab(temporaryFolder());
      const start = lab.start(
        workflowOf([step('one', { outputContract: { contractRef: ref } }), step('two')]),
      );
      expect(start.pending?.prompt).toContain(JSON.stringify(example, null, 2));
      const empty = await lab.go(start, { artifacts: [{ kind }] });
      expect(empty).toMatchObject({
        kind: 'blocked',
        retryable: true,
        blockers: [{ code: 'INVALID_REQUIRED_OUTPUT', about: ref }],
      });
      expect(empty.blockers?.[0]?.fix).toContain(JSON.stringify(example, null, 2));
      expect((await lab.go(empty, { artifacts: [example] })).pending?.stepId).toBe('two');
    },
  );

  test('a project contract is registered once, and its schema is part of the hash', async () => {
    const contract = {
      ref: 'lab.contracts.size',
      kind: 'lab.size',
      schema: z.strictObject({ kind: z.literal('lab.size'), size: z.number() }),
      example: { kind: 'lab.size', size: 3 },
      purpose: 'how large it is',
    };
    const flow = workflowOf([step('one', { outputContract: { contractRef: contract.ref } })]);
    const typo = workflowOf([step('one', { outputContract: { contractRef: 'lab.contracts.sise' } })]);
    expect(compileLab(flow).problems).toMatchObject([{ rule: 'unknown-contract' }]);
    registerOutputContract(contract);
    registerOutputContract(contract);
    expect(() =>
      registerOutputContract({ ...contract, schema: z.object({ kind: z.literal('lab.size') }) }),
    ).toThrow('registered with another schema');
    expect(compileLab(typo).problems[0]?.message).toContain('did you mean "lab.contracts.size"?');
    const lab = openLab(temporaryFolder());
    const wrong = await lab.go(lab.start(flow), { artifacts: [{ kind: 'lab.size', size: 'large' }] });
    expect(wrong.blockers?.[0]?.message).toContain('size: ');
    expect((await lab.go(wrong, { artifacts: [contract.example] })).isComplete).toBe(true);
  });

  test('a run uses the schema its contract had at the start', async () => {
    const flow = workflowOf([
      step('one', { outputContract: { contractRef: 'wr.contracts.coordinator_signal' } }),
    ]);
    const { compiled, hash } = compileLab(flow);
    if (!compiled) throw new Error('not compiled');
    // Compiled as by an older version of Joinery: without payload.
    const old = z.strictObject({ kind: z.literal('wr.coordinator_signal'), signalKind: z.string() });
    const pinned = {
      ...compiled,
      contractSchemas: { 'wr.contracts.coordinator_signal': z.toJSONSchema(old) },
    };
    const lab = openLab(temporaryFolder());
    const facts = {
      source: { kind: 'project' as const, path: null },
      goal: 'g',
      mode: 'interactive' as const,
      workspace: '/',
      branch: null,
      head: null,
      parent: null,
    };
    const artifacts = [{ kind: 'wr.coordinator_signal', signalKind: 'progress' }];
    const now = await lab.go(lab.engine.start(compiled, hash, facts), { artifacts });
    expect(now.blockers?.[0]?.message).toContain('payload');
    const pinnedHash = `sha256:${hashText(canonicalJson(pinned))}`;
    const before = lab.engine.start(pinned, pinnedHash, facts);
    expect((await lab.go(before, { artifacts })).isComplete).toBe(true);
  });
});

test('a removed override also counts as drift', () => {
  const flow = workflowOf([step('one', { prompt: 'use {{wr.bindings.tool}}' })], {
    extensionPoints: [{ slotId: 'tool', purpose: 'p', default: 'hammer' }],
  });
  const { compiled, hash } = compileLab(flow, [], { tool: 'saw' });
  if (!compiled) throw new Error('not compiled');
  const facts = {
    source: { kind: 'project' as const, path: null },
    goal: 'g',
    mode: 'interactive' as const,
    workspace: '/',
    branch: null,
    head: null,
    parent: null,
  };
  const lab = openLab(temporaryFolder(), { bindingsNow: () => ({}) });
  const start = lab.engine.start(compiled, hash, facts);
  expect(start.pending?.prompt).toContain('use saw');
  expect(lab.engine.rehydrate(start.resumeToken).warnings).toEqual([
    'BINDING_DRIFT: tool is "saw" in this run and no longer set in the project',
  ]);
  const standard = compileLab(flow);
  if (!standard.compiled) throw new Error('not compiled');
  const other = lab.engine.start(standard.compiled, standard.hash, facts);
  expect(lab.engine.rehydrate(other.resumeToken).warnings).toEqual([]);
});
