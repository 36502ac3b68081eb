import { describe, expect, test } from 'vitest';
import { Plan } from '#schema/plan.ts';
import { PlanReport, VerifyReport } from '#schema/planning.ts';
import { RunReport } from '#schema/run.ts';
import { greetingPlan, openPlanning, verdict } from '#test/support/planning.ts';

const spec = 'specs/greeting.md';
const file = 'specs/greeting.plan.json';

describe('from a spec to accepted work', () => {
  test('plan, verify and run work together', async () => {
    const bench = openPlanning();
    const scenario = bench.scenario(
      {
        architect: greetingPlan(),
        verifier: `All is well.\n\n\`\`\`json\n${JSON.stringify(verdict())}\n\`\`\``,
      },
      [
        {
          task: 'greet',
          role: 'developer',
          do: [
            { write: { path: 'src/greet.ts', content: 'export const greet = (user: object) => user;\n' } },
            { write: { path: 'src/greet.test.ts', content: 'test("greets", () => {});\n' } },
          ],
        },
        {
          task: 'shout',
          role: 'developer',
          do: [
            {
              write: {
                path: 'src/shout.ts',
                content: 'export const shout = (text: string) => `${text}!`;\n',
              },
            },
          ],
        },
      ],
    );
    const agent = ['--agent', 'scripted', '--scenario', scenario];
    const planned = await bench.json<unknown>('plan', spec, ...agent);
    expect(planned.stderr).toBe('');
    expect(planned.code).toBe(0);
    const report = PlanReport.parse(planned.report);
    expect(report).toMatchObject({ status: 'planned', file, isCached: false });
    const plan = Plan.parse(JSON.parse(bench.read(file)));
    expect(plan.tasks.map(({ id }) => id)).toEqual(['greet', 'shout']);
    expect(plan.spec?.path).toBe(spec);

    const verified = await bench.json<unknown>('verify', file, ...agent);
    expect(VerifyReport.parse(verified.report)).toMatchObject({
      status: 'pass',
      counts: { requirements: 2, covered: 2, critical: 0 },
    });
    expect(verified.code).toBe(0);

    const ran = await bench.json<unknown>('run', '--no-land', '--plan', file, ...agent);
    expect(RunReport.parse(ran.report)).toMatchObject({ status: 'done' });
    expect(ran.code).toBe(0);
  });
});

const contract = { coreQuestion: '?', entities: [] };
const scripted = (scenario: string) => ['--agent', 'scripted', '--scenario', scenario];

describe('joinery plan', () => {
  test('asks no agent while nothing has changed, and asks again if the code, a prompt or the spec has, or by force', async () => {
    const bench = openPlanning();
    const agent = scripted(bench.scenario({ architect: greetingPlan() }));
    const asked = async (...more: string[]) => {
      const { code, report } = await bench.json<PlanReport>('plan', spec, ...agent, ...more);
      expect(code).toBe(0);
      expect(report.isCached).toBe(report.consultations.length === 0);
      return report.consultations.length;
    };
    expect(await asked()).toBe(1);
    const first = bench.read(file);
    expect(await asked()).toBe(0);
    expect(bench.read(file)).toBe(first);
    expect(await asked('--force')).toBe(1);
    bench.repo.commit({ 'src/other.ts': 'export {};\n' });
    expect(await asked()).toBe(1);
    bench.repo.commit({ '.joinery/roles/architect.md': 'You plan.\n' });
    expect(await asked()).toBe(1);
    expect(await asked()).toBe(0);
    bench.write(spec, `${bench.read(spec)}\nAnd politely.\n`);
    expect(await asked()).toBe(1);
  });

  test('adds the dependency that the module graph requires, says so, and prices both ways', async () => {
    const bench = openPlanning();
    const tasks = [
      { id: 'greet', title: 'Greet', files: ['src/greet.ts'] },
      { id: 'user', title: 'Rename a field', files: ['src/user.ts'] },
      { id: 'shout', title: 'Shout', files: ['src/shout.ts'] },
    ];
    const { code, stdout } = await bench.call(
      'plan',
      spec,
      ...scripted(bench.scenario({ architect: { tasks, contract } })),
    );
    expect(code).toBe(0);
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain(
      'task greet now depends on user: its files use src/user.ts#User, which user changes',
    );
    expect(words).toMatch(/parallel 450k tokens 16 min clash 0 %/);
    expect(words).toMatch(/serial 450k tokens 24 min no clash/);
    expect(words).toContain('a prior, past runs hold 0 tasks to learn from');
    const plan = Plan.parse(JSON.parse(bench.read(file)));
    expect(plan.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['greet', ['user']],
      ['user', []],
      ['shout', []],
    ]);
  });

  test('keeps an existing plan if the new one is refused, and always keeps one that a person edited', async () => {
    const bench = openPlanning();
    const good = scripted(bench.scenario({ architect: greetingPlan() }));
    expect(await bench.call('plan', spec, ...good)).toMatchObject({ code: 0 });
    const before = bench.read(file);
    const shared = [
      { id: 'a', title: 'A', files: ['src/greet.ts'] },
      { id: 'b', title: 'B', files: ['src/'] },
    ];
    const bad = scripted(bench.scenario({ architect: { tasks: shared, contract } }));
    const refused = await bench.json<PlanReport>('plan', spec, ...bad);
    expect(refused).toMatchObject({ code: 1, report: { status: 'refused', file: null } });
    expect(refused.report.problems[0]).toContain('tasks a and b both change src/greet.ts');
    expect(refused.report.consultations).toHaveLength(2);
    expect(bench.read(file)).toBe(before);
    bench.write(file, before.replace('Greet by name', 'Greet by first name'));
    const edited = bench.read(file);
    expect(await bench.call('plan', spec, ...good)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was edited since it was made'),
    });
    expect(bench.read(file)).toBe(edited);
    expect(await bench.call('plan', spec, ...good, '--out', 'elsewhere.json')).toMatchObject({ code: 0 });
    expect(await bench.call('plan', spec, ...good, '--force')).toMatchObject({ code: 0 });
    expect(bench.read(file)).not.toContain('first name');
  });

  test('does not plan a spec that fails its audit, or that the guardian rejects', async () => {
    const bench = openPlanning();
    bench.write('specs/thin.md', '# Thin\n\n## Goal\n\nTODO\n');
    bench.write('docs/vision.md', '# Vision\n\nWe never greet.\n');
    const rejected = { status: 'rejected', summary: 'We never greet.', flags: [] };
    const agent = scripted(bench.scenario({ architect: greetingPlan(), guardian: rejected }));
    const audited = await bench.json<PlanReport>('plan', 'specs/thin.md', ...agent);
    expect(audited).toMatchObject({
      code: 1,
      report: { status: 'refused', audit: { status: 'fail' }, consultations: [] },
    });
    bench.write('joinery.json', { planning: { vision: 'docs/vision.md' } });
    const guarded = await bench.json<PlanReport>('plan', spec, ...agent);
    expect(guarded).toMatchObject({
      code: 2,
      report: {
        status: 'needs_human',
        guardian: { status: 'rejected' },
        consultations: [{ role: 'guardian' }],
      },
    });
    expect(bench.has(file)).toBe(false);
    const skipped = await bench.json<PlanReport>('plan', spec, ...agent, '--skip-guardian');
    expect(skipped).toMatchObject({ code: 0, report: { degraded: ['the guardian was skipped'] } });
    const asked = await bench.call('guardian', spec, ...agent);
    expect(asked).toMatchObject({ code: 2, stdout: expect.stringContaining('rejected') });
  });

  test('without a usable answer or without an agent fails with a clear message', async () => {
    const bench = openPlanning();
    const silent = await bench.json<PlanReport>(
      'plan',
      spec,
      ...scripted(bench.scenario({ architect: 'Sorry.' })),
    );
    expect(silent).toMatchObject({ code: 2, report: { status: 'inconclusive', plan: null } });
    expect(silent.report.consultations).toHaveLength(2);
    const missing = await bench.json<{ error: { code: string } }>(
      'plan',
      'specs/nowhere.md',
      '--agent',
      'scripted',
    );
    expect(missing).toMatchObject({ code: 3, report: { error: { code: 'no-spec' } } });
    const outside = await bench.json<{ error: { code: string } }>(
      'plan',
      '/etc/hostname',
      '--agent',
      'scripted',
    );
    expect(outside).toMatchObject({ code: 3, report: { error: { code: 'spec-outside' } } });
  });

  test('prices by past runs of this repository, once there are enough of them', async () => {
    const bench = openPlanning();
    const names = ['a', 'b', 'c', 'd', 'e'];
    const attempts = names.map((task, index) => ({
      task,
      do: [{ usage: { in: 1000 * (index + 1), out: 0 } }, { write: { path: `${task}.txt`, content: task } }],
    }));
    bench.write('past.json', {
      schema: 'joinery/plan@1',
      tasks: names.map((id) => ({ id, title: id, files: [`${id}.txt`] })),
    });
    const agent = scripted(bench.scenario({ architect: greetingPlan() }, attempts));
    expect(await bench.call('run', '--no-land', '--plan', 'past.json', ...agent)).toMatchObject({ code: 0 });
    const { report } = await bench.json<PlanReport>('plan', spec, ...agent);
    expect(report.price).toMatchObject({
      basis: 'ledger',
      samples: 5,
      perTask: { tokens: 3000 },
      serial: { tokens: 6000 },
      recommendation: 'parallel',
    });
  });

  test('init writes a plan to fill in, once', async () => {
    const bench = openPlanning();
    expect(await bench.call('plan', 'init')).toMatchObject({ code: 0 });
    expect(
      await bench.call('run', '--plan', 'plan.json', '--dry-run', ...scripted(bench.scenario({}))),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Done by scripted. The result is for main.'),
    });
    const before = bench.read('plan.json');
    expect(await bench.call('plan', 'init')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('exists already'),
    });
    expect(bench.read('plan.json')).toBe(before);
  });

  test('a plan with an unknown key is refused with the nearest one', async () => {
    const bench = openPlanning();
    bench.write('plan.json', { schema: 'joinery/plan@1', tasks: [{ id: 'a', title: 'A', dependOn: [] }] });
    expect(await bench.call('run', '--plan', 'plan.json', '--dry-run')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('unknown key "tasks.0.dependOn"; did you mean "dependsOn"?'),
    });
    bench.write('plan.json', { schema: 'joinery/plan@1', tasks: [{ id: 'a', titel: 'A' }] });
    expect(await bench.call('run', '--plan', 'plan.json', '--dry-run')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('unknown key "tasks.0.titel"; did you mean "title"?'),
    });
  });
});
