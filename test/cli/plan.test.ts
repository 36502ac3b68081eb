import { describe, expect, test } from 'vitest';
import { Plan } from '#schema/plan.ts';
import { PlanReport, VerifyReport } from '#schema/planning.ts';
import { RunReport } from '#schema/run.ts';
import { greetingPlan, openPlanning, verdict } from '#test/support/planning.ts';

const spec = 'specs/greeting.md';
const file = 'specs/greeting.plan.json';

describe('from a spec to accepted work', () => {
  test('plan, verify and run go hand in hand', async () => {
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
            { write: { path: 'src/greet.ts', content: 'export const greet = () => "Hello";\n' } },
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

    const ran = await bench.json<unknown>('run', '--plan', file, ...agent);
    expect(RunReport.parse(ran.report)).toMatchObject({ status: 'done' });
    expect(ran.code).toBe(0);
  });
});
