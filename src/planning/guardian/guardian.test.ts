import { expect, test } from 'vitest';
import { readGuardianAnswer } from './guardian.ts';

const flag = (severity: string) => ({
  severity,
  description: 'x',
  vision_reference: 'y',
  recommendation: 'z',
});

test.each([
  [{ status: 'aligned' }, 'aligned'],
  [{ status: 'aligned', flags: [flag('note')] }, 'aligned'],
  [{ status: 'aligned', flags: [flag('warning')] }, 'flagged'],
  [{ status: 'aligned', flags: [flag('critical')] }, 'rejected'],
  [{ status: 'flagged' }, 'flagged'],
  [{ status: 'rejected' }, 'rejected'],
  [{ status: 'fine' }, 'inconclusive'],
  [{ status: 'inconclusive' }, 'inconclusive'],
  ['no JSON here', 'inconclusive'],
])('%j is %s', (answer, status) => {
  const text = typeof answer === 'string' ? answer : `My view: ${JSON.stringify(answer)}`;
  expect(readGuardianAnswer(text).status).toBe(status);
});
