import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createRun } from '#crew/run-plan.ts';
import type { PhaseFlow, Phases } from '#crew/steer/phases.ts';
import { planEvents } from '#crew/steer/questions.ts';
import { defaultSettings } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';
import { type Bench, openBench, task, writes } from '../support/engine-bench.ts';
import { type Shown, showRepository } from '../support/window.ts';

const benchOf = ({ repo, env }: Shown) =>
  openBench({ dir: repo.dir, stateDir: env.JOINERY_STATE_DIR ?? '' }, { attempts });

const problems = ['the spec has no requirements', 'section Acceptance is missing'];

/** Phases of a run from a spec, with this one for the plan. */
const planning = (plan: (flow: PhaseFlow) => Promise<void>): Phases => ({ plan, land: async () => [] });

function fromSpec({ workshop }: Bench, base: string): string {
  const spec = { path: 'specs/cart.md', sha256: 'a'.repeat(64) };
  const plan = { schema: 'joinery/plan@1' as const, tasks: [] };
  return createRun(workshop, { plan, base, baseRef: 'main', target: 'main', settings, spec });
}

/** Brings a new run into a state; the function it returns ends the state, if something has to be ended. */
type Prepare = (bench: Bench, base: string) => Promise<{ run: string; end?: () => Promise<unknown> }>;

const attempts = [
  writes('a', 'a.txt'),
  writes('lost', 'elsewhere.txt'),
  {
    task: 'slow',
    do: [{ say: 'begins' }, { sleepMs: 3000 }, { write: { path: 'slow.txt', content: 'slow\n' } }],
  },
];
const settings = {
  ...defaultSettings,
  agent: 'scripted',
  scenario: Scenario.parse({ schema: 'joinery/scenario@1', attempts }),
};

const states: Readonly<Record<string, Prepare>> = {
  'without tasks': async (bench, base) => ({ run: fromSpec(bench, base) }),
  planning: async (bench, base) => {
    const run = fromSpec(bench, base);
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const phases = planning(async (flow) => {
      flow.context.append([{ type: 'run.phase', data: { phase: 'plan', status: 'begun', detail: '' } }]);
      begun.resolve();
      await new Promise((resolve) => flow.stop.addEventListener('abort', resolve));
    });
    const driven = bench.drive(run, { phases, stop: stop.signal });
    await begun.promise;
    const end = () => {
      stop.abort();
      return driven;
    };
    return { run, end };
  },
  'a failed plan': async (bench, base) => {
    const run = fromSpec(bench, base);
    const reason = ['the spec does not pass its audit', ...problems].join('; ');
    await bench.drive(run, {
      phases: planning(async (flow) => {
        flow.context.append([{ type: 'run.ended', data: { status: 'failed', reason } }]);
      }),
    });
    return { run };
  },
  'a plan that waits': async (bench, base) => {
    const run = fromSpec(bench, base);
    const asked = { text: 'the architect gave no plan', evidence: problems, canGoOn: false };
    await bench.drive(run, {
      phases: planning(
        async ({ context, state }) => context.append(planEvents(state, asked, Date.now())) as never,
      ),
    });
    return { run };
  },
  waiting: async (bench) => {
    const run = bench.start({ tasks: [task('lost', { files: ['a.txt'] })] }, settings);
    await bench.drive(run);
    return { run };
  },
  interrupted: async (bench) => {
    const run = bench.start({ tasks: [task('slow')] }, settings);
    const stop = new AbortController();
    await bench.drive(run, {
      stop: stop.signal,
      observe: (events) => events.some(({ type }) => type === 'attempt.said') && stop.abort(),
    });
    return { run };
  },
  done: async (bench) => {
    const run = bench.start({ tasks: [task('a')] }, settings);
    await bench.drive(run);
    return { run };
  },
  damaged: async (bench) => {
    const run = bench.start({ tasks: [task('a')] }, settings);
    await bench.drive(run);
    const db = new DatabaseSync(bench.runs.folders.database);
    db.exec('DROP TRIGGER journal_is_append_only');
    db.exec(`UPDATE journal SET sum = sum + 1 WHERE run = '${run}' AND kind = 'event' AND seq = 2`);
    db.close();
    return { run };
  },
  'with 200 tasks': async (bench) => ({
    run: bench.start({ tasks: Array.from({ length: 200 }, (_, n) => task(`task-${n}`)) }, settings),
  }),
};

const reports = [['status'], ['report'], ['logs'], ['cost'], ['artifact', 'list']] as const;

/** What a person must never read: a value that is none, or the stack of an error. */
const broken =
  /\bundefined\b|\bNaN\b|Infinity|\[object |RangeError|TypeError|defect of joinery|^\s+at .*:\d+:\d+/m;

/** The first command that a page of text offers. */
function firstCommand(text: string): string[] {
  // In a sentence of an error, on a line of its own in a report, and between backticks in Markdown.
  const command = /Next.*?joinery ([^`\n]+)/s.exec(text)?.[1];
  return command?.split(' ') ?? [];
}

describe('every report of a run', () => {
  test.each(Object.keys(states))(
    'can be shown: %s',
    async (name) => {
      const here = await showRepository();
      const call = here.joinery;
      here.repo.write({ 'specs/cart.md': 'no headings at all\n' });
      const bench = await benchOf(here);
      const { run, end } = (await states[name]?.(bench, here.repo.git('rev-parse', 'main'))) ?? { run: '' };
      const shown = new Map<string, string>();
      const codes = new Map<string, number | null>();
      const general = [['runs'], ['questions', 'list'], ['prune', '--dry-run']];
      for (const words of [...reports.map((each) => [...each, run]), ...general])
        for (const json of words[0] === 'logs' || words[0] === 'prune' ? [[]] : [[], ['--json']]) {
          const { stdout, stderr, code } = await call(...words, ...json);
          const typed = [...words, ...json].join(' ');
          expect(`${stdout}\n${stderr}`, typed).not.toMatch(broken);
          if (json.length > 0) expect(() => JSON.parse(stdout), typed).not.toThrow();
          shown.set(typed, `${stdout}\n${stderr}`);
          codes.set(typed, code);
        }
      for (const path of [
        'home',
        `runs/${run}`,
        `runs/${run}/events`,
        `runs/${run}/report`,
        `runs/${run}/handoffs`,
      ]) {
        const answer = await here.get(`/api/v1/${path}`);
        expect(await answer.text(), path).not.toMatch(broken);
        if (name !== 'damaged') expect([path, answer.status]).toEqual([path, 200]);
      }
      const text = shown.get(`status ${run}`) ?? '';
      if (name === 'a failed plan')
        for (const problem of problems)
          for (const page of ['status', 'report']) expect(shown.get(`${page} ${run}`)).toContain(problem);
      // Both name the same state, with the same exit code.
      if (name !== 'damaged') expect(codes.get(`report ${run}`)).toBe(codes.get(`status ${run}`));
      if (name === 'interrupted' || name === 'without tasks') {
        for (const page of ['status', 'report'])
          expect(shown.get(`${page} ${run}`)).toContain(`Run ${run}: interrupted`);
      }
      // A next step that works when it is typed.
      const next = firstCommand(text);
      expect(next, text).not.toEqual([]);
      if (next.includes('--follow') || next[0] === 'run') await end?.();
      const typed = await call(...next, ...(next[0] === 'spec' ? [] : ['--json']));
      expect([3, 5], `${next.join(' ')}: ${typed.stderr}`).not.toContain(typed.code);
      expect(`${typed.stdout}\n${typed.stderr}`).not.toMatch(broken);
      await end?.();
      bench.close();
    },
    120_000,
  );

  test('after it was pruned, each says that it is gone and what there is', async () => {
    const here = await showRepository();
    const bench = await benchOf(here);
    const run = bench.start({ tasks: [task('a')] }, settings);
    await bench.drive(run);
    bench.close();
    await here.joinery('prune', run, '--force', '--yes');
    for (const words of reports) {
      const { code, stderr, stdout } = await here.joinery(...words, run);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^joinery: .* Next: /);
    }
  }, 120_000);
});

test('an answer that no process acts on yet: the run waits, and status and report say so with exit code 2', async () => {
  const here = await showRepository();
  const bench = await benchOf(here);
  const run = bench.start({ tasks: [task('lost', { files: ['a.txt'] })] }, settings);
  const [question] = (await bench.drive(run)).questions.keys();
  bench.close();
  await here.joinery('questions', 'answer', question ?? '', 'retry');
  for (const page of ['status', 'report']) {
    const { code, stdout } = await here.joinery(page, run);
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('answered, and waits to be resumed'),
    });
    expect(stdout).toContain(`joinery resume ${run}`);
  }
}, 120_000);
