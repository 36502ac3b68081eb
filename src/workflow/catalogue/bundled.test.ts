import { describe, expect, test } from 'vitest';
import type { CompiledNode } from '#schema/compiled-workflow.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import type { Lab } from '#test/support/workflow-lab.ts';
import { openLab } from '#test/support/workflow-lab.ts';
import { outputContract } from '#workflow/contracts/registry.ts';
import type { Submission } from '#workflow/contracts/submission.ts';
import { bundledFolder, openCatalogue } from './find-workflows.ts';

const catalogue = openCatalogue({
  folders: [{ kind: 'bundled', path: bundledFolder }],
  workspace: '/nowhere',
});

test('every bundled workflow compiles without a problem', () => {
  expect(
    catalogue.all.flatMap((found) => catalogue.compile(found).problems.map((problem) => [found.id, problem])),
  ).toEqual([]);
  const started = catalogue.all.filter(({ isRoutine }) => !isRoutine).map(({ id }) => id);
  expect(started).toEqual([
    'bug-investigation',
    'code-review',
    'coding-task',
    'discovery',
    'documentation',
    'plan-review',
    'refactoring',
    'release-check',
    'shaping',
    'test-writing',
  ]);
});

/** Variables that open every path of a workflow. */
const wide: Record<string, unknown> = {
  reproduced: 'yes',
  symptom: 's',
  problem: 'p',
  risk: 'high',
  appetite: 'a day',
  size: 'large',
  criteria: ['one'],
  slices: [
    { name: 'a', verify: 'true' },
    { name: 'b', verify: 'true' },
  ],
  kind: 'code',
  covered: 'no',
  sections: ['x', 'y'],
  cases: [{ name: 'c', why: 'w' }],
};
const narrow = { ...wide, reproduced: 'no', risk: 'low', size: 'small', kind: 'docs', covered: 'yes' };

const contracts: Readonly<Record<string, string>> = {
  'bug-investigation': 'wr.coordinator_signal',
  'code-review': 'wr.review_verdict',
  'coding-task': 'wr.coding_handoff',
  discovery: 'wr.discovery_handoff',
  documentation: 'wr.coding_handoff',
  'plan-review': 'wr.review_verdict',
  refactoring: 'wr.coding_handoff',
  'release-check': 'wr.gate_verdict',
  shaping: 'wr.shaping_handoff',
  'test-writing': 'wr.coding_handoff',
};

describe.each(Object.keys(contracts))('%s', (id) => {
  const found = catalogue.find(id);
  const { compiled, hash } = found ? catalogue.compile(found) : { compiled: null, hash: '' };
  if (!compiled) throw new Error(id);

  test.each([
    ['interactive', wide],
    ['interactive', narrow],
    ['autonomous', wide],
  ] as const)('runs to its end, %s, and ends with its contract', async (mode, context) => {
    const lab = openLab(temporaryFolder(), {
      runCheck: async (step) => ({
        kind: step.check?.kind ?? 'command',
        status: 'pass',
        summary: '',
        evidence: [],
      }),
    });
    const facts = {
      source: { kind: 'bundled', path: null },
      goal: 'the goal',
      mode,
      workspace: '/',
      branch: null,
      head: null,
      parent: null,
    };
    let answer: WorkflowAnswer = lab.engine.start(compiled, hash, facts);
    const seen: string[] = [];
    let last: string[] = [];
    let gates = 0;
    for (let moves = 0; !answer.isComplete && moves < 200; moves++) {
      if (answer.kind === 'gate_checkpoint') {
        gates += 1;
        answer = lab.engine.decide(answer.sessionId, Number(answer.nodeId.slice(1)), {
          verdict: 'approved',
          rationale: 'fine',
          by: 'person',
        });
        continue;
      }
      expect(answer.blockers ?? []).toEqual([]);
      expect(answer.pending?.prompt).not.toContain('[unset:');
      seen.push(answer.pending?.instance ?? '');
      const given = fitting(lab, answer, context);
      last = given.artifacts.map(({ kind }) => String(kind));
      answer = await lab.go(answer, given);
    }
    expect(answer.isComplete).toBe(true);
    expect(last).toContain(contracts[id]);
    expect(gates > 0).toBe(mode === 'autonomous' && hasConfirmation(compiled.steps));
    expect(seen.length).toBeGreaterThan(2);
  });
});

/** The smallest submission that a step accepts. */
function fitting(lab: Lab, answer: WorkflowAnswer, context: Record<string, unknown>): Submission {
  const { workflow } = lab.engine.standing(answer.sessionId, Number(answer.nodeId.slice(1)));
  const step = flat(workflow.steps).find(({ id }) => id === answer.pending?.stepId);
  if (!step || step.kind === 'loop') throw new Error(`no step ${answer.pending?.stepId}`);
  const example = step.outputContract ? outputContract(step.outputContract.contractRef)?.example : undefined;
  const assessments = workflow.assessments
    .filter(({ id }) => step.assessmentRefs.includes(id))
    .map(({ id, dimensions }) => ({
      kind: 'wr.assessment',
      assessmentId: id,
      dimensions: Object.fromEntries(dimensions.map((each) => [each.id, each.levels[0]])),
    }));
  const todo =
    step.todoList.length > 0
      ? [
          {
            kind: 'joinery.todo_list',
            items: step.todoList.map((_, at) => ({ item: at + 1, status: 'done' })),
          },
        ]
      : [];
  return {
    notes: 'what was done and found',
    artifacts: [...(example ? [example] : []), ...assessments, ...todo],
    context: Object.fromEntries(step.produces.map((name) => [name, context[name]])),
  };
}

function flat(nodes: readonly CompiledNode[]): CompiledNode[] {
  return nodes.flatMap((node) => (node.kind === 'loop' ? [node, ...flat(node.body)] : [node]));
}

function hasConfirmation(nodes: readonly CompiledNode[]): boolean {
  return flat(nodes).some((node) => node.kind !== 'loop' && node.requireConfirmation !== undefined);
}

describe('contracts', () => {
  test.each([
    'wr.contracts.assessment',
    'wr.contracts.loop_control',
    'wr.contracts.coordinator_signal',
    'wr.contracts.review_verdict',
    'wr.contracts.discovery_handoff',
    'wr.contracts.shaping_handoff',
    'wr.contracts.coding_handoff',
    'wr.contracts.gate_verdict',
    'wr.contracts.differentiation_handoff',
  ])('the example of %s is accepted and an empty artifact is not', (ref) => {
    const contract = outputContract(ref);
    expect(contract?.schema.safeParse(contract.example).error?.issues).toBeUndefined();
    expect(contract?.schema.safeParse({ kind: contract.kind }).success).toBe(false);
  });
});
