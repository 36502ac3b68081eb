import { describe, expect, test } from 'vitest';
import { CompareReport } from '#schema/compare.ts';
import type { RunEvent } from '#schema/event.ts';
import { RunReport } from '#schema/run.ts';
import { greetingPlan, openPlanning, verdict } from '#test/support/planning.ts';

const code = {
  'src/user.ts': 'export interface User { name?: string }\n',
  'src/greet.ts': 'export const greet = (user: string) => user;\n',
  'src/shout.ts': 'export const shout = (text: string) => text.toUpperCase();\n',
};

const attempt = (task: string, content: string) => ({
  task,
  role: 'developer',
  do: [
    { usage: { in: 1000, out: 100, usd: 1 } },
    { write: { path: `src/${task}.ts`, content } },
    ...(task === 'greet'
      ? [{ write: { path: 'src/greet.test.ts', content: 'test("greets", () => {});\n' } }]
      : []),
  ],
});

const greet = 'export const greet = (user: string) => `Hello, ${user}!`;\n';
const shout = (mark: string) => `export const shout = (text: string) => \`\${text}${mark}\`;\n`;

async function landedStory() {
  const bench = openPlanning(code);
  const says = { architect: greetingPlan(), verifier: verdict() };
  const scenario = bench.scenario(says, [attempt('greet', greet), attempt('shout', shout('!'))]);
  const run = ['run', 'specs/greeting.md', '--agent', 'scripted', '--scenario', scenario];
  const { report } = await bench.json<unknown>(...run, '--parallel', '1', '--land', '--update-checkout');
  const first = RunReport.parse(report);
  expect(first.status).toBe('done');
  // Every agent that is asked again answers differently.
  const other = bench.scenario({ architect: 'no plan', verifier: 'no verdict' }, [
    attempt('greet', 'export const greet = (user: string) => "asked again";\n'),
    attempt('shout', shout('?')),
  ]);
  const fork = async (...args: string[]) => {
    const answer = await bench.json<unknown>('fork', first.run, '--scenario', other, ...args);
    return { code: answer.code, report: RunReport.parse(answer.report) };
  };
  const log = async (run: string) => (await bench.json<{ events: RunEvent[] }>('logs', run)).report.events;
  return { ...bench, first, fork, log };
}

describe('joinery fork', () => {
  test('starts where a step started, reuses what came before, and leaves the other run unchanged', async () => {
    const { first, fork, log, repo, call, json } = await landedStory();
    const last = first.tasks.at(-1)?.id === 'shout' ? 'shout' : 'greet';
    const main = repo.git('rev-parse', 'main');
    const before = await log(first.run);
    const forked = await fork('--at', last, '--context', 'HINT-OF-A-PERSON');
    expect(forked.code).toBe(0);
    expect(forked.report).toMatchObject({ status: 'done', landed: null });
    const { branch, commit } = forked.report.integration;
    expect(branch).toBe(`joinery/${forked.report.run}/integration`);
    expect(repo.git('rev-parse', branch)).toBe(commit);
    expect(repo.git('show', `${commit}:src/shout.ts`)).toContain('?');
    expect(`${repo.git('show', `${commit}:src/greet.ts`)}\n`).toBe(greet);
    expect(repo.git('rev-parse', 'main')).toBe(main);
    expect(await log(first.run)).toEqual(before);

    const events = await log(forked.report.run);
    expect(events.filter(({ type }) => type === 'run.consulted')).toHaveLength(2);
    expect(events.find(({ type }) => type === 'run.forked')?.data).toMatchObject({
      from: first.run,
      at: last,
    });
    const prompt = events.findLast(({ type }) => type === 'attempt.prompted')?.data as { sha256: string };
    expect((await call('artifact', 'show', prompt.sha256, '--run', forked.report.run)).stdout).toContain(
      'HINT-OF-A-PERSON',
    );

    const compared = await json<unknown>('compare', first.run, forked.report.run);
    const comparison = CompareReport.parse(compared.report);
    expect(comparison.runs[1].fork).toMatchObject({ from: first.run, at: last });
    expect(comparison.runs[1].cost.usd - comparison.runs[1].reused.usd).toBe(1);
    expect(comparison.runs[0]).toMatchObject({ landed: 'main', status: 'done' });
    expect(comparison.diff).toMatchObject({
      isSame: false,
      files: [{ path: 'src/shout.ts', change: 'modified', added: 1, deleted: 1 }],
    });
    const { stdout } = await call('compare', first.run, forked.report.run);
    expect(stdout).toMatch(/outcome +done +done/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);

    // An unknown step is answered with the list of steps.
    const unknown = await call('fork', first.run, '--at', 'shoot');
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toMatch(/never started "shoot"[\s\S]*did you mean shout/);
    expect((await call('fork', first.run)).stderr).toMatch(/plan, verify, tasks, .*integrate/);
    expect((await call('fork', first.run, '--at', 'verify', '--context', 'x')).code).toBe(3);
    expect((await call('compare', first.run, first.run)).code).toBe(3);

    // Git decides whether it landed.
    repo.git('reset', '-q', '--hard', first.landed?.before ?? '');
    const later = await json<CompareReport>('compare', first.run, forked.report.run);
    expect(later.report.runs[0]).toMatchObject({ landed: null, status: 'done' });
  });

  test('at plan, verify and integrate: another plan, another verdict, the same work landed again', async () => {
    const { first, fork, json, call, repo } = await landedStory();
    const verified = await fork('--at', 'verify', '--yes');
    expect(verified.report.phases.map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      'plan pass',
      'verify fail',
    ]);
    const planned = await fork('--at', 'plan', '--yes');
    expect(planned.report.phases.map(({ phase, status }) => `${phase} ${status}`)).toEqual(['plan fail']);

    expect((await json('undo', first.run, '--yes', '--update-checkout')).code).toBe(0);
    const forked = await fork('--at', 'integrate', '--land');
    expect(forked.report).toMatchObject({ status: 'done', landed: { ref: 'main' } });
    expect(repo.git('show', 'main:src/shout.ts')).toContain('!');
    const { report } = await json<CompareReport>('compare', first.run, forked.report.run);
    expect(report.diff?.isSame).toBe(true);

    // What it inherited outlives the original run.
    await call('prune', first.run, '--force', '--yes');
    expect((await call('status', forked.report.run)).code).toBe(0);
    expect(repo.git('rev-parse', `joinery/${forked.report.run}/greet`)).toMatch(/^[0-9a-f]{40}$/);
  });
});
