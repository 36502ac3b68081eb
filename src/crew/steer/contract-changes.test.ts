import { describe, expect, test } from 'vitest';
import type { RunState } from '#crew/state/state.ts';
import type { DataOf, EventType } from '#schema/event.ts';
import type { RunSettings } from '#schema/run.ts';
import { type Bench, openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

const contract = {
  schema: 'joinery/contract@1',
  coreQuestion: 'Who ordered what?',
  entities: [
    { name: 'User', type: 'type', path: 'user.ts', createdByTask: 'user', keyFields: ['id'] },
    { name: 'Invoice', type: 'type', path: 'invoice.ts', createdByTask: 'invoice', keyFields: ['sum'] },
  ],
};
/** `list` needs the name of a user; `show` mentions User; `invoice` has nothing to do with it. */
const plan = {
  contract,
  tasks: [
    task('user', { files: ['user.ts'] }),
    task('list', { files: ['list.ts'] }),
    task('show', { files: ['show.ts'], description: 'Show one User.', dependsOn: ['list'] }),
    task('invoice', { files: ['invoice.ts'], dependsOn: ['list'] }),
  ],
};
const wanted = { item: 'User', set: { keyFields: ['id', 'name'] }, reason: 'the list shows names' };
const asks = (more: object = {}) => ({
  task: 'list',
  do: [{ write: { path: 'list.ts', content: 'list\n' } }, { handoff: { contractChanges: [wanted] } }],
  ...more,
});
const others = [writes('user', 'user.ts'), writes('show', 'show.ts'), writes('invoice', 'invoice.ts')];

function of<T extends EventType>(bench: Bench, run: string, type: T): DataOf<T>[] {
  return [...bench.workshop.engine.read(run)].flatMap((event) =>
    event.type === type ? [event.data as DataOf<T>] : [],
  );
}

async function play(attempts: readonly object[], settings: Partial<RunSettings> = {}) {
  const prompts = new Map<string, string[]>();
  const bench = await openBench(makeRepo(), { attempts });
  const { driver } = bench.workshop;
  const listening = {
    ...bench,
    workshop: Object.assign(bench.workshop, {
      driver: (name: string) => {
        const inner = driver(name);
        return {
          ...inner,
          play: (request: Parameters<typeof inner.play>[0], doors: Parameters<typeof inner.play>[1]) => {
            prompts.set(request.task, [...(prompts.get(request.task) ?? []), request.prompt]);
            return inner.play(request, doors);
          },
        };
      },
    }),
  };
  const run = listening.start(plan, settings);
  const state = await listening.drive(run);
  return { bench: listening, run, state, prompts };
}

const fieldsOf = (state: RunState) =>
  (state.plan.contract as typeof contract).entities.map(({ keyFields }) => keyFields.join(' '));

describe('a change of the contract', () => {
  test('is asked about, changes and re-signs the contract, and is reported only to tasks that depend on the item', async () => {
    const { bench, run, state, prompts } = await play([
      asks({ n: 1 }),
      writes('list', 'more.ts', 'names\n', { n: 2 }),
      ...others,
    ]);
    const [question] = [...state.questions.values()].map((each) => each.question);
    expect(question).toMatchObject({ kind: 'contract', about: 'list', default: 'refuse', changes: [wanted] });
    expect(question?.evidence.filter((line) => line.startsWith('depends'))).toEqual([
      expect.stringContaining('user'),
      'depends on it: show (pending)',
    ]);
    expect(state.status).toBe('awaiting_human');
    expect(of(bench, run, 'attempt.classified')).toEqual([]);
    expect(fieldsOf(state)).toEqual(['id', 'sum']);
    bench.workshop.engine.signal(run, {
      id: 's1',
      name: 'answer',
      payload: { question: question?.id ?? '', answer: 'accept' },
    });
    const after = await bench.drive(run);
    expect(after.status).toBe('done');
    expect(fieldsOf(after)).toEqual(['id name', 'sum']);
    const [changed] = of(bench, run, 'run.contracted');
    expect(changed).toMatchObject({ task: 'list', by: 'person', told: ['user', 'show'] });
    expect(changed?.sha256).not.toBe(changed?.before);
    const news = 'The contract was changed for task list. User: keyFields is now id, name';
    expect(prompts.get('show')?.[0]).toContain(news);
    expect(prompts.get('invoice')?.[0]).not.toContain(news);
    expect(prompts.get('invoice')?.[0]).toContain('"name"');
    const again = prompts.get('list')?.[1] ?? '';
    expect(again).toContain('The contract was changed as you asked');
    const work = await bench.repository.git.text(['ls-tree', '--name-only', `joinery/${run}/integration`]);
    expect(work.split('\n')).toEqual(expect.arrayContaining(['list.ts', 'more.ts']));
    bench.close();
  });

  test('that the policy accepts delays no task', async () => {
    const { bench, run, state } = await play([asks(), ...others], { contractChanges: 'accept' });
    expect(state.status).toBe('done');
    expect(state.steps.get('list')?.attempts).toHaveLength(1);
    expect(of(bench, run, 'run.contracted')).toMatchObject([{ by: 'policy', told: ['user', 'show'] }]);
    expect(fieldsOf(state)).toEqual(['id name', 'sum']);
    bench.close();
  });

  test('that is refused, by policy or on autopilot, is reported to the task and not asked again', async () => {
    const rest = [writes('list', 'more.ts', 'x\n', { n: 2 }), ...others];
    const policy = await play([asks({ n: 1 }), ...rest], { contractChanges: 'refuse' });
    expect(policy.state.status).toBe('done');
    expect(policy.prompts.get('list')?.[1]).toContain(
      'the contract does not change, by the policy of this run',
    );
    policy.bench.close();
    const alone = await play([asks(), ...others], { autonomy: 'autopilot' });
    expect(of(alone.bench, alone.run, 'question.answered')).toMatchObject([
      { answer: 'refuse', by: 'autopilot' },
      { by: 'autopilot' },
    ]);
    expect(alone.state.steps.get('list')?.status).toBe('escalated');
    expect(alone.state.steps.get('list')?.reason).toContain('as was decided before');
    expect(of(alone.bench, alone.run, 'run.contracted')).toEqual([]);
    alone.bench.close();
  });

  test('that the contract cannot take is refused with the reason', async () => {
    const broken = { item: 'Nobody', set: { keyFields: ['x'] }, reason: 'why not' };
    const { bench, prompts } = await play([
      {
        task: 'list',
        n: 1,
        do: [{ write: { path: 'list.ts', content: 'x\n' } }, { handoff: { contractChanges: [broken] } }],
      },
      writes('list', 'more.ts', 'x\n', { n: 2 }),
      ...others,
    ]);
    expect(prompts.get('list')?.[1]).toContain('the contract has no item Nobody');
    bench.close();
  });

  test('reaches a task that is working on the item: its attempt is sent back', async () => {
    let release: () => void = () => {};
    const changed = new Promise<void>((resolve) => {
      release = resolve;
    });
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [asks(), ...others] });
    const { driver } = bench.workshop;
    Object.assign(bench.workshop, {
      driver: (name: string) => {
        const inner = driver(name);
        return {
          ...inner,
          async play(request: Parameters<typeof inner.play>[0], doors: Parameters<typeof inner.play>[1]) {
            if (request.task === 'user' && request.round === 1) await changed;
            return inner.play(request, doors);
          },
        };
      },
    });
    const run = bench.start(plan, { contractChanges: 'accept' });
    const state = await bench.drive(run, {
      observe: (events) => {
        if (events.some(({ type }) => type === 'run.contracted')) release();
      },
    });
    const attempts = state.steps.get('user')?.attempts ?? [];
    expect(attempts.map(({ verdict }) => verdict)).toEqual(['revise', 'approve']);
    expect(attempts[0]?.findings[0]?.message).toContain('The contract was changed for task list');
    expect(state.status).toBe('done');
    bench.close();
  });
});
