import { expect, test } from 'vitest';
import { ChallengeReport } from '#schema/challenge.ts';
import { greetingSpec, openPlanning } from '../support/planning.ts';

const quote = 'The program greets with "Hello, <name>!".';
const objection = (vector: string, more: object = {}) => ({
  ...{ vector, severity: 'blocking', quote, issue: `Attacked from ${vector}.`, ...more },
});
const answer = (...findings: object[]) => ({ findings, right: 'It names its limits.' });

test('a challenger sees only the document; code computes the verdict', async () => {
  const bench = openPlanning({ 'AGENTS.md': 'CANARY-OF-THE-GUIDE\n', 'src/a.ts': 'export const a = 1;\n' });
  const ask = async (spec: object | string | readonly (object | string)[]) => {
    const scenario = bench.scenario({ 'spec-challenger': spec });
    const agent = ['--agent', 'scripted', '--scenario', scenario];
    const { code, report } = await bench.json<unknown>('challenge', 'specs/greeting.md', ...agent);
    return { code, report: ChallengeReport.strict().parse(report) };
  };
  const clean = await ask(answer());
  expect(clean).toMatchObject({ code: 0, report: { verdict: 'approve', kind: 'spec' } });
  expect(clean.report.isolation).toMatchObject({
    mode: 'blind',
    included: ['joinery#role', 'joinery#answer', 'document/specs/greeting.md'],
    isolated: ['guide/AGENTS.md'],
  });
  expect(greetingSpec).toContain(quote);
  expect(await ask(answer(objection('edge-cases')))).toMatchObject({
    code: 1,
    report: { verdict: 'revise' },
  });
  const root = Array.from({ length: 3 }, () => objection('plan-alignment'));
  expect(await ask(answer(...root))).toMatchObject({ code: 2, report: { verdict: 'reject' } });
  const invented = await ask(answer(objection('edge-cases', { quote: 'It shouts.' })));
  expect(invented).toMatchObject({ code: 0, report: { findings: [{ severity: 'minor' }] } });
  const mended = await ask(['I like it.', answer()]);
  expect(mended).toMatchObject({ code: 0, report: { consultations: [{ n: 1 }, { n: 2 }] } });
  expect(await ask('I like it.')).toMatchObject({ code: 2, report: { verdict: 'uncertain' } });
});
