import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { compileLab, openLab, step, walk, workflowOf } from '#test/support/workflow-lab.ts';
import { emptySubmission } from '#workflow/contracts/submission.ts';
import { findRuns } from './find-runs.ts';
import { rotateKeys } from './keyring.ts';
import { readTree } from './tree.ts';

const loopControl = { outputContract: { contractRef: 'wr.contracts.loop_control' } };

function lab(options: Parameters<typeof openLab>[1] = {}) {
  return openLab(temporaryFolder(), options);
}

function answerTo(decision: string, more: object = {}) {
  return { artifacts: [{ kind: 'wr.loop_control', decision, ...more }] };
}

describe('order of steps', () => {
  test('a skipped step stays skipped, and the log says so', async () => {
    const own = lab();
    const flow = workflowOf([
      step('aaa'),
      step('bbb', { runCondition: { var: 'x', equals: 1 } }),
      step('ccc'),
      step('ddd'),
    ]);
    const start = own.start(flow);
    const { steps } = await walk(own, start, (answer) =>
      answer.pending?.stepId === 'ccc' ? { context: { x: 1 } } : {},
    );
    expect(steps).toEqual(['aaa', 'ccc', 'ddd']);
    const trace = readTree(own.log, start.sessionId).nodes.flatMap((node) => node.trace);
    expect(trace).toContainEqual({ kind: 'skipped', step: 'bbb', detail: 'its condition does not hold' });
  });

  test('a while loop ends at its limit, and the answer says so', async () => {
    const own = lab();
    const loop = {
      type: 'loop',
      id: 'loop',
      title: 'L',
      loop: { type: 'while', maxIterations: 3 },
      body: [step('work'), step('decide', loopControl)],
    };
    const start = own.start(workflowOf([loop, step('after')]));
    let last: WorkflowAnswer = start;
    const { steps } = await walk(own, start, (answer) => {
      last = answer;
      return answer.pending?.stepId === 'decide' ? answerTo('continue') : {};
    });
    expect(steps).toEqual([
      'loop@0::work',
      'loop@0::decide',
      'loop@1::work',
      'loop@1::decide',
      'loop@2::work',
      'loop@2::decide',
      'after',
    ]);
    expect(last.warnings).toEqual(['loop loop ended at its limit of 3 passes']);
  });

  test('a loop ends by an artifact, and the id of another loop does not count', async () => {
    const own = lab();
    const loop = {
      type: 'loop',
      id: 'loop',
      title: 'L',
      loop: { type: 'while', maxIterations: 3 },
      body: [step('decide', loopControl), step('work')],
    };
    const start = own.start(workflowOf([loop, step('after')]));
    const wrong = await own.go(start, answerTo('stop', { loopId: 'other' }));
    expect(wrong).toMatchObject({ kind: 'blocked', blockers: [{ code: 'INVALID_REQUIRED_OUTPUT' }] });
    const missing = await own.go(wrong);
    expect(missing).toMatchObject({
      kind: 'blocked',
      retryable: true,
      blockers: [{ code: 'MISSING_REQUIRED_OUTPUT', about: 'wr.contracts.loop_control' }],
    });
    // The decision counts although another step follows in the same pass.
    const work = await own.go(missing, answerTo('stop', { loopId: 'loop' }));
    expect(work.pending?.instance).toBe('loop@0::work');
    expect((await own.go(work)).pending?.instance).toBe('after');
  });

  test('forEach visits its items in order and shows them', async () => {
    const own = lab();
    const loop = {
      type: 'loop',
      id: 'each',
      title: 'Each',
      loop: { type: 'forEach', items: 'parts', itemVar: 'part', indexVar: 'at', maxIterations: 5 },
      body: [step('work', { prompt: 'Do {{part.name}} ({{at}}), not {{missing}}.' })],
    };
    const start = own.start(workflowOf([loop]), { parts: [{ name: 'x' }, { name: 'y' }] });
    const second = await own.go(start);
    expect(start.pending?.prompt).toContain('Do x (0), not [unset: missing].');
    expect(second.pending?.prompt).toContain('Do y (1)');
    expect((await own.go(second)).isComplete).toBe(true);
  });

  test('more items than the limit block the step before the loop; nothing is lost', async () => {
    const own = lab();
    const loop = {
      type: 'loop',
      id: 'each',
      title: 'Each',
      loop: { type: 'forEach', items: 'parts', maxIterations: 20 },
      body: [step('work')],
    };
    const start = own.start(workflowOf([step('list-parts'), loop]));
    const blocked = await own.go(start, { context: { parts: Array.from({ length: 25 }, (_, n) => n) } });
    expect(blocked.blockers?.[0]?.message).toContain('takes at most 20 items and parts has 25');
    const fixed = await own.go(blocked, { context: { parts: [1, 2] } });
    expect(fixed.pending?.instance).toBe('each@0::work');
    const missing = own.start(workflowOf([step('list-parts'), loop]));
    expect((await own.go(missing)).blockers?.[0]?.message).toContain('parts, which is not set');
  });

  test('loops nest, until is inverted, for counts', async () => {
    const own = lab();
    const inner = {
      type: 'loop',
      id: 'inner',
      title: 'I',
      loop: { type: 'for', count: 2, maxIterations: 5 },
      body: [step('leaf')],
    };
    const outer = {
      type: 'loop',
      id: 'outer',
      title: 'O',
      loop: { type: 'until', condition: { var: 'stop' }, maxIterations: 5 },
      body: [inner, step('tail')],
    };
    const { steps, end } = await walk(own, own.start(workflowOf([outer])), (answer) =>
      answer.pending?.instance === 'outer@1::tail' ? { context: { stop: true } } : {},
    );
    expect(steps).toEqual([
      'outer@0/inner@0::leaf',
      'outer@0/inner@1::leaf',
      'outer@0::tail',
      'outer@1/inner@0::leaf',
      'outer@1/inner@1::leaf',
      'outer@1::tail',
    ]);
    expect(end.isComplete).toBe(true);
  });

  test('jumpIf goes back at most maxJumps times', async () => {
    const own = lab();
    const flow = workflowOf([
      step('aaa'),
      step('bbb', { jumpIf: { condition: { var: 'again' }, target: 'aaa', maxJumps: 2 } }),
      step('ccc'),
    ]);
    const { steps } = await walk(own, own.start(flow, { again: true }));
    expect(steps).toEqual(['aaa', 'bbb', 'aaa', 'bbb', 'aaa', 'bbb', 'ccc']);
  });
});

describe('what a step requires', () => {
  test('missing notes are blocked with an example, also on a step of a routine', async () => {
    const own = lab();
    const routine = workflowOf([step('inner', { prompt: 'Look at {what}.' })], {
      id: 'routine-look',
      metaGuidance: ['canary of the routine'],
    });
    const flow = workflowOf([
      { id: 'call', title: 'Call', templateCall: { templateId: 'routine.look', args: { what: 'the code' } } },
    ]);
    const start = own.start(flow, {}, 'interactive', [routine]);
    expect(start.pending).toMatchObject({ stepId: 'call.inner' });
    expect(start.pending?.prompt).toContain('Look at the code.');
    expect(start.pending?.prompt).toContain('canary of the routine');
    const blocked = await own.go(start, { notes: '  ' });
    expect(blocked).toMatchObject({
      kind: 'blocked',
      retryable: true,
      blockers: [{ code: 'MISSING_REQUIRED_NOTES' }],
    });
    expect(blocked.continueToken).not.toBe(start.continueToken);
    expect(blocked.pending?.stepId).toBe('call.inner');
    expect((await own.go(blocked)).isComplete).toBe(true);
  });

  test('a run stops after ten refusals, after three if it is autonomous', async () => {
    for (const [mode, most] of [
      ['interactive', 10],
      ['autonomous', 3],
    ] as const) {
      const own = lab();
      let answer = own.start(workflowOf([step('only')]), {}, mode);
      let refused = 0;
      while (answer.continueToken !== null) {
        answer = await own.go(answer, { notes: null });
        refused += 1;
      }
      expect([refused, answer.kind]).toEqual([most, 'stopped']);
      expect(answer.blockers?.[0]?.fix).toContain('For example');
    }
  });

  test('assessments: missing, unknown level, consequence, and finally accepted', async () => {
    const own = lab();
    const assessments = [
      { id: 'risk', purpose: 'p', dimensions: [{ id: 'size', purpose: 'p', levels: ['low', 'high'] }] },
    ];
    const consequence = {
      when: { anyEqualsLevel: 'high' },
      effect: { kind: 'require_followup', guidance: 'make it smaller' },
    };
    const flow = workflowOf(
      [step('judge', { assessmentRefs: ['risk'], assessmentConsequences: [consequence] })],
      { assessments },
    );
    const assess = (size: string) => ({ artifacts: [{ kind: 'wr.assessment', dimensions: { size } }] });
    const missing = await own.go(own.start(flow));
    expect(missing.blockers?.[0]).toMatchObject({ code: 'MISSING_REQUIRED_OUTPUT', about: 'risk' });
    const unknown = await own.go(missing, assess('huge'));
    expect(unknown.blockers?.[0]?.message).toContain('levels: low, high');
    const follow = await own.go(unknown, assess('high'));
    expect(follow.blockers?.[0]).toMatchObject({ code: 'ASSESSMENT_FOLLOWUP_REQUIRED' });
    expect(follow.blockers?.[0]?.fix).toContain('make it smaller');
    expect((await own.go(follow, assess(' LOW '))).isComplete).toBe(true);
  });

  test('prose rules, a todo list and produced variables', async () => {
    const own = lab();
    const flow = workflowOf([
      step('write', {
        validationCriteria: [
          { type: 'contains', value: 'risk', message: 'name a risk' },
          { type: 'length', min: 10 },
        ],
        todoList: ['read it', 'try it'],
        produces: ['size'],
      }),
    ]);
    const blocked = await own.go(own.start(flow), { notes: 'short' });
    expect(blocked.blockers?.map(({ code }) => code)).toEqual([
      'INVALID_REQUIRED_OUTPUT',
      'INVALID_REQUIRED_OUTPUT',
      'TODO_LIST_OPEN',
      'MISSING_CONTEXT_KEY',
    ]);
    const items = [
      { item: 1, status: 'done' },
      { item: 2, status: 'dropped' },
    ];
    const again = await own.go(blocked, {
      notes: 'one risk remains',
      context: { size: 'small' },
      artifacts: [{ kind: 'joinery.todo_list', items }],
    });
    expect(again.blockers).toMatchObject([
      { code: 'TODO_LIST_OPEN', message: 'not ticked off: 2. try it (dropped without a reason)' },
    ]);
    items[1] = { item: 2, status: 'dropped', note: 'no machine' } as never;
    const done = await own.go(again, {
      notes: 'one risk remains',
      context: { size: 'small' },
      artifacts: [{ kind: 'joinery.todo_list', items }],
    });
    expect(done.isComplete).toBe(true);
  });

  test('a check step does not accept notes instead of a passing check', async () => {
    let status: 'fail' | 'pass' = 'fail';
    const own = lab({
      runCheck: async () => ({ kind: 'command', status, summary: 'one test fails', evidence: ['e1'] }),
    });
    const start = own.start(
      workflowOf([
        { type: 'check', id: 'prove', title: 'Prove', check: { kind: 'command', argv: ['npm', 'test'] } },
      ]),
    );
    const blocked = await own.go(start, { notes: 'All tests pass, I promise.' });
    expect(blocked.blockers).toMatchObject([{ code: 'CHECK_FAILED', message: 'fail: one test fails' }]);
    status = 'pass';
    expect((await own.go(blocked)).isComplete).toBe(true);
  });

  test('the answer contains the pending step and nothing of later ones', () => {
    const own = lab();
    const start = own.start(workflowOf([step('one'), step('two', { prompt: 'CANARY', title: 'CANARY' })]));
    expect(JSON.stringify(start)).not.toContain('CANARY');
  });

  test('guidance, preconditions and questions reach the agent', () => {
    const own = lab();
    const flow = workflowOf([step('one', { guidance: ['step guidance'] })], {
      metaGuidance: ['meta guidance'],
      preconditions: ['a clean tree'],
      clarificationPrompts: ['which browser?'],
    });
    const { prompt = '' } = own.start(flow).pending ?? {};
    for (const text of ['step guidance', 'meta guidance', 'a clean tree', 'which browser?'])
      expect(prompt).toContain(text);
  });
});

test('a function that a step of a loop defines reaches the agent', () => {
  const body = step('inner', {
    functionDefinitions: [{ name: 'weigh', definition: 'cost against benefit' }],
    functionReferences: ['weigh()'],
  });
  const loop = {
    type: 'loop',
    id: 'loop',
    title: 'L',
    loop: { type: 'for', count: 1, maxIterations: 1 },
    body: [body],
  };
  expect(lab().start(workflowOf([loop])).pending?.prompt).toContain('weigh: cost against benefit');
});

test('fields that a template call does not pass on are reported', () => {
  const routine = workflowOf([step('inner')], { id: 'routine-look' });
  const call = {
    id: 'call',
    title: 'C',
    requireConfirmation: true,
    templateCall: { templateId: 'routine.look' },
  };
  const { compiled, problems } = compileLab(workflowOf([call]), [routine]);
  expect(compiled).not.toBeNull();
  expect(problems).toMatchObject([
    { path: 'steps[0].requireConfirmation', rule: 'no-effect', severity: 'important' },
  ]);
});

test('a run is found by the words of its goal, however long its notes are', async () => {
  const own = lab();
  await own.go(own.start(workflowOf([step('one'), step('two')])), { notes: 'x'.repeat(20_000) });
  const { candidates } = findRuns(own.store, { query: 'goal' });
  expect(candidates).toMatchObject([{ tier: 1, confidence: 'strong' }]);
});

describe('tokens', () => {
  test('a token that is used again gets the same bytes and writes nothing, whatever is submitted', async () => {
    const own = lab();
    const start = own.start(workflowOf([step('one'), step('two')]));
    const token = start.continueToken ?? '';
    const first = await own.engine.continue(token, { ...emptySubmission, notes: 'first' });
    const count = own.events(start.sessionId);
    const second = await own.engine.continue(token, {
      ...emptySubmission,
      notes: 'other',
      context: { x: 1 },
    });
    expect(second).toBe(first);
    expect(own.events(start.sessionId)).toBe(count);
  });

  test('every kind of wrong token has its own code', async () => {
    const folder = temporaryFolder();
    const own = openLab(folder);
    const start = own.start(workflowOf([step('one')]));
    const token = start.continueToken ?? '';
    const refuse = (text: string, lab = own) => expect(lab.engine.continue(text, emptySubmission)).rejects;
    await refuse('nonsense').toMatchObject({ code: 'TOKEN_INVALID_FORMAT' });
    await refuse(start.resumeToken).toMatchObject({ code: 'TOKEN_SCOPE_MISMATCH' });
    await refuse(
      openLab(temporaryFolder()).start(workflowOf([step('one')])).continueToken ?? '',
    ).toMatchObject({ code: 'TOKEN_KEY_RETIRED' });
    for (let at = 3; at < token.length; at++) {
      const flipped = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      await refuse(flipped).toMatchObject({ code: expect.stringMatching(/^TOKEN_/) });
    }
    rotateKeys(join(folder, 'keys.json'));
    expect(openLab(folder).engine.rehydrate(token).pending?.stepId).toBe('one');
    rotateKeys(join(folder, 'keys.json'));
    await refuse(token, openLab(folder)).toMatchObject({ code: 'TOKEN_KEY_RETIRED' });
    writeFileSync(join(folder, 'keys.json'), readFileSync(join(folder, 'keys.json'), 'utf8').slice(0, 20));
    expect(() => openLab(folder)).toThrow(/damaged/);
  });
});

describe('context', () => {
  test('null removes a variable, reserved names and wrong values are refused, limits are exact', async () => {
    const own = lab();
    const start = own.start(
      workflowOf([step('one', { prompt: '{{a}}' }), step('two', { prompt: '{{a}} {{b}}' })]),
      { a: 1 },
    );
    const refuse = (context: Record<string, unknown>) =>
      expect(own.go(start, { context })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await refuse({ eat_token: 'x' });
    await refuse({ deep: JSON.parse('{"__proto__": 1}') });
    await refuse({ metrics_outcome: 'great' });
    await refuse({ n: Number.NaN });
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
    await refuse({ x: nest(64) });
    const size = (text: string) => Buffer.byteLength(JSON.stringify({ a: 1, goal: 'the goal', x: text }));
    const most = 'x'.repeat(256 * 1024 - size(''));
    await refuse({ x: `${most}x` });
    const next = await own.go(start, { context: { a: null, b: nest(63), x: null } });
    expect(next.pending?.prompt).toContain('[unset: a]');
    const own2 = lab();
    const other = own2.start(workflowOf([step('one'), step('two')]), { a: 1 });
    expect((await own2.go(other, { context: { x: most } })).kind).toBe('ok');
  });

  test('a branch does not see what another one sets', async () => {
    const own = lab();
    const flow = workflowOf([step('one'), step('two', { prompt: 'x is {{x}}' }), step('three')]);
    const start = own.start(flow);
    await own.go(start, { context: { x: 'A' } });
    const fork = own.engine.at(start.sessionId, 2, true);
    expect(fork.pending?.prompt).toContain('Continuing from here forks it.');
    const other = await own.go(fork, { notes: 'again' });
    expect(other.pending?.prompt).toContain('x is [unset: x]');
    const { tips, nodes } = readTree(own.log, start.sessionId);
    expect(tips.map(({ step: at }) => at)).toEqual(['two', 'two']);
    expect(nodes.at(-1)).toMatchObject({ cause: 'forked', parent: 2 });
  });
});

describe('resuming', () => {
  test('after a restart the token gives the same step with the notes so far, and nothing is written', async () => {
    const folder = temporaryFolder();
    const own = openLab(folder);
    const start = own.start(workflowOf([step('one'), step('two')]));
    const second = await own.go(start, { notes: 'what was found' });
    own.close();
    const again = openLab(folder);
    const count = again.events(start.sessionId);
    const back = again.engine.rehydrate(second.resumeToken);
    expect(back.pending?.stepId).toBe('two');
    expect(back.continueToken).toBe(second.continueToken);
    expect(back.pending?.prompt).toContain('what was found');
    expect(again.events(start.sessionId)).toBe(count);
  });

  test('a checkpoint is set once and advances nothing', async () => {
    const own = lab();
    const start = own.start(workflowOf([step('one'), step('two')]));
    const first = own.engine.checkpoint(start.checkpointToken ?? '');
    const count = own.events(start.sessionId);
    expect(own.engine.checkpoint(start.checkpointToken ?? '')).toEqual(first);
    expect(own.events(start.sessionId)).toBe(count);
    const back = own.engine.rehydrate(first.resumeToken);
    expect(back.pending?.stepId).toBe('one');
    expect((await own.go(back)).pending?.stepId).toBe('two');
  });

  test('a run keeps the workflow it started with, and a changed binding is reported', async () => {
    const folder = temporaryFolder();
    const flow = workflowOf(
      [
        step('one', { prompt: 'use {{wr.bindings.tool}}' }),
        step('two', { prompt: 'use {{wr.bindings.tool}} again' }),
      ],
      {
        extensionPoints: [{ slotId: 'tool', purpose: 'p', default: 'hammer' }],
      },
    );
    const own = openLab(folder, { bindingsNow: () => ({ tool: 'saw' }) });
    const start = own.start(flow);
    expect(start.pending?.prompt).toContain('use hammer');
    expect(compileLab(flow, [], { tool: 'saw' }).hash).not.toBe(start.workflowHash);
    expect((await own.go(start)).pending?.prompt).toContain('use hammer again');
    expect(own.engine.rehydrate(start.resumeToken).warnings[0]).toContain('BINDING_DRIFT');
  });

  test('long notes are stored in full, and a recap says what it leaves out', async () => {
    const own = lab();
    const start = own.start(workflowOf([step('one'), step('two'), step('three')]));
    const notes = `${'x'.repeat(20_000)}\n{"kind":"wr.coding_handoff"}`;
    const second = await own.go(start, { notes });
    const third = await own.go(second, { notes });
    const back = own.engine.rehydrate(third.resumeToken);
    expect(back.pending?.prompt).toContain('{"kind":"wr.coding_handoff"}');
    expect(back.pending?.prompt).toContain('[1 earlier notes are left out here');
    const [, , last] = readTree(own.log, start.sessionId).nodes;
    expect(own.log.text(start.sessionId, last?.output?.notes ?? '')).toBe(notes);
    await expect(own.go(third, { notes: 'x'.repeat(256 * 1024 + 1) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('gates of autonomous runs', () => {
  const flow = workflowOf([step('plan', { requireConfirmation: true }), step('build')]);
  const verdict = (word: 'approved' | 'rejected' | 'uncertain', by = 'agent') => ({
    verdict: word,
    rationale: `because ${word}`,
    by,
  });

  test('an interactive run asks the user instead', () => {
    expect(lab().start(flow).nextIntent).toBe('await_user_confirmation');
  });

  test('the submission is kept, survives a restart, and approval continues the run', async () => {
    const folder = temporaryFolder();
    const own = openLab(folder);
    const parked = await own.go(own.start(flow, {}, 'autonomous'), { notes: 'the plan' });
    expect(parked).toMatchObject({
      kind: 'gate_checkpoint',
      gate: { stepId: 'plan', gateKind: 'coordinator_eval' },
    });
    own.close();
    const again = openLab(folder);
    const node = again.log.node(parked.sessionId, Number(parked.nodeId.slice(1)));
    expect(again.log.text(parked.sessionId, node.output?.notes ?? '')).toBe('the plan');
    const approved = again.engine.decide(parked.sessionId, node.node, verdict('approved'));
    expect(approved.pending?.stepId).toBe('build');
    expect(again.engine.decide(parked.sessionId, node.node, verdict('rejected'))).toEqual(approved);
    expect((await again.go(approved)).isComplete).toBe(true);
  });

  test('a rejection re-opens the step with the reason, twice; then a person is asked', async () => {
    const own = lab();
    let answer = await own.go(own.start(flow, {}, 'autonomous'));
    for (const _ of [1, 2]) {
      answer = own.engine.decide(answer.sessionId, Number(answer.nodeId.slice(1)), verdict('rejected'));
      expect(answer.pending).toMatchObject({ stepId: 'plan' });
      expect(answer.pending?.prompt).toContain('because rejected');
      answer = await own.go(answer);
    }
    answer = own.engine.decide(answer.sessionId, Number(answer.nodeId.slice(1)), verdict('rejected'));
    expect(answer).toMatchObject({
      kind: 'gate_checkpoint',
      gate: { gateKind: 'human_approval', rationale: 'because rejected' },
    });
    answer = own.engine.decide(
      answer.sessionId,
      Number(answer.nodeId.slice(1)),
      verdict('approved', 'person'),
    );
    expect(answer.pending?.stepId).toBe('build');
  });

  test('uncertain asks a person', async () => {
    const own = lab();
    const parked = await own.go(own.start(flow, {}, 'autonomous'));
    const asked = own.engine.decide(parked.sessionId, Number(parked.nodeId.slice(1)), verdict('uncertain'));
    expect(asked).toMatchObject({ kind: 'gate_checkpoint', gate: { gateKind: 'human_approval' } });
  });

  test.each([
    [{ var: 'risky', equals: true }, { risky: true }, 'gate_checkpoint'],
    [{ var: 'risky', equals: true }, {}, 'ok'],
    [{ kind: 'human_approval' }, {}, 'gate_checkpoint'],
    [{ kind: 'human_approval', condition: { var: 'risky' } }, {}, 'ok'],
    [false, {}, 'ok'],
  ])('confirmation %j with %j is %s', async (requireConfirmation, context, kind) => {
    const own = lab();
    const flow = workflowOf([step('plan', { requireConfirmation }), step('build')]);
    expect((await own.go(own.start(flow, context, 'autonomous'))).kind).toBe(kind);
  });
});
