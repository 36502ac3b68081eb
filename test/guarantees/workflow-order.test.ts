import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { memoryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';
import { type SlowInput, type SlowStep, slowWalk } from '../support/slow-workflow.ts';
import { openLab, workflowOf } from '../support/workflow-lab.ts';

const names = ['v0', 'v1', 'v2'];
const condition = fc.oneof(
  fc.record({ var: fc.constantFrom(...names, 'i1', 'i2'), equals: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ var: fc.constantFrom(...names), gt: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ var: fc.constantFrom(...names) }),
);
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** Ids are assigned afterwards, so that they are unique however a case shrinks. */
type Shape = {
  cond: object | undefined;
  jump: { cond: object; to: number; max: number } | undefined;
  loop: { kind: string; max: number; cond: object; body: Shape[] } | undefined;
};
const shapes = fc.letrec<{ list: Shape[]; step: Shape }>((tie) => ({
  list: fc.array(tie('step'), { minLength: 1, maxLength: 4 }),
  step: fc.record({
    cond: sometimes(condition),
    jump: sometimes(fc.record({ cond: condition, to: fc.nat(3), max: fc.integer({ min: 1, max: 2 }) })),
    loop: sometimes(
      fc.record({
        kind: fc.constantFrom('while', 'until', 'for', 'forEach', 'artifact'),
        max: fc.integer({ min: 3, max: 4 }),
        cond: condition,
        body: tie('list'),
      }),
    ),
  }) as fc.Arbitrary<Shape>,
})).list;

function slowSteps(list: readonly Shape[], depth: number, count: { n: number }): SlowStep[] {
  const ids = list.map(() => `s${String(count.n++).padStart(3, '0')}`);
  return list.map(({ cond, jump, loop }, at): SlowStep => {
    const own = { id: ids[at] ?? '', ...(cond ? { runCondition: cond as never } : {}) };
    if (loop && depth < 3) {
      const { kind, max, cond: when, body } = loop;
      const inner = slowSteps(body, depth + 1, count);
      const control = { id: `s${String(count.n++).padStart(3, '0')}`, decides: true };
      return {
        ...own,
        loop: {
          type: (kind === 'artifact' ? 'while' : kind) as 'while',
          maxIterations: max,
          iterationVar: `i${depth + 1}`,
          ...(kind === 'while' || kind === 'until' ? { condition: when as never } : {}),
          ...(kind === 'for' ? { count: 2 } : {}),
          ...(kind === 'forEach' ? { items: 'items' } : {}),
        },
        body: kind === 'artifact' ? [...inner, control] : inner,
      };
    }
    const target = jump ? ids[jump.to % ids.length] : undefined;
    return {
      ...own,
      ...(jump && target ? { jumpIf: { condition: jump.cond as never, target, maxJumps: jump.max } } : {}),
    };
  });
}

/** The same workflow in the authors' format. */
function asWritten({ id, body, loop, decides, ...more }: SlowStep): object {
  const written = { id, title: id, ...more };
  if (loop) return { ...written, type: 'loop', loop, body: (body ?? []).map(asWritten) };
  return {
    ...written,
    prompt: `Do ${id}.`,
    notesOptional: true,
    ...(decides ? { outputContract: { contractRef: 'wr.contracts.loop_control' } } : {}),
  };
}

const moves = fc.array(
  fc.record({
    act: fc.constantFrom(
      'go',
      'go',
      'go',
      'go',
      'go',
      'go',
      'go',
      'go',
      'go',
      'go',
      'block',
      'block',
      'fork',
      'fork',
      'crash',
      'repeat',
    ),
    set: fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 0, max: 3 }), { maxKeys: 2 }),
    decision: fc.constantFrom('continue' as const, 'stop' as const),
    pick: fc.nat(1000),
  }),
  { minLength: 4, maxLength: 14 },
);

const start = { v0: 1, items: ['a', 'b', 'c'] };

test('a run follows the steps of the workflow, with forks, refusals and crashes on the way', async () => {
  const folder = memoryFolder();
  let lab = openLab(folder, { isHasty: true });
  await fc.assert(
    fc.asyncProperty(shapes, moves, async (list, plan) => {
      const slow = slowSteps(list, 0, { n: 0 });
      const flow = workflowOf(slow.map(asWritten));
      /** Every node with the inputs that lead there. */
      const nodes: { answer: WorkflowAnswer; inputs: SlowInput[] }[] = [];
      const meant = slowWalk(slow, start, []);
      let here = { answer: lab.start(flow, start), inputs: [] as SlowInput[] };
      expect(here.answer.pending?.instance ?? null).toBe(meant.pending);
      nodes.push(here);
      for (const { act, set, decision, pick } of plan) {
        if (act === 'fork') {
          const { answer, inputs } = nodes[pick % nodes.length] ?? here;
          if (answer.isComplete) continue;
          here = { answer: lab.engine.at(answer.sessionId, Number(answer.nodeId.slice(1)), true), inputs };
        }
        if (act === 'crash') {
          lab.close();
          lab = openLab(folder, { isHasty: true });
          here = { ...here, answer: lab.engine.rehydrate(here.answer.resumeToken) };
        }
        const { answer, inputs } = here;
        if (answer.continueToken === null) continue;
        if (act === 'block') {
          const refused = await lab.go(answer, {
            context: {},
            artifacts: [{ kind: 'wr.loop_control', decision: 'maybe' }],
          });
          // A step that controls no loop accepts anything.
          here =
            refused.kind === 'blocked'
              ? { answer: refused, inputs }
              : { answer: refused, inputs: [...inputs, { set: {}, decision: 'continue' }] };
        } else {
          const next = await lab.go(answer, {
            context: set,
            artifacts: [{ kind: 'wr.loop_control', decision }],
          });
          if (act === 'repeat') expect(await lab.go(answer, { context: { v0: 9 } })).toEqual(next);
          here = { answer: next, inputs: [...inputs, { set, decision }] };
          nodes.push(here);
        }
        const expected = slowWalk(slow, start, here.inputs);
        expect(here.answer.pending?.instance ?? null).toBe(expected.pending);
        const { context } = lab.engine.standing(here.answer.sessionId, Number(here.answer.nodeId.slice(1)));
        expect(context).toEqual({ ...expected.context, goal: 'the goal' });
      }
    }),
    sample('workflow order', { normal: 500, wide: 2000, soak: 20_000 }),
  );
  lab.close();
});
