import { expect, test } from 'vitest';
import { ConfigError, EnvironmentError } from '#schema/errors.ts';
import { explainFailure } from './failure.ts';

const known = new ConfigError({
  code: 'bad-config',
  message: 'joinery.json:1:2: no good',
  hint: 'joinery doctor',
  cause: new Error('outer', { cause: new Error('inner') }),
});

test('a known error is one line with the next command, and no stack', () => {
  const { text, exitCode, envelope } = explainFailure(known, false);
  expect(text).toBe('joinery: joinery.json:1:2: no good. Next: joinery doctor');
  expect(exitCode).toBe(3);
  expect(envelope).toEqual({
    schema: 'joinery/error@1',
    status: 'error',
    error: { code: 'bad-config', message: 'joinery.json:1:2: no good', hint: 'joinery doctor' },
  });
});

test('--verbose adds the chain of causes', () => {
  const [, ...causes] = explainFailure(known, true).text.split('\n');
  expect(causes).toEqual(['  caused by Error: outer', '  caused by Error: inner']);
});

test('an environment error exits with 5', () => {
  expect(explainFailure(new EnvironmentError({ code: 'c', message: 'm', hint: 'h' }), false).exitCode).toBe(
    5,
  );
});

test('an unknown error shows its stack and never reads as findings', () => {
  const { text, exitCode, envelope } = explainFailure(new TypeError('boom'), false);
  expect(text).toContain('failure.test.ts');
  expect(exitCode).toBe(5);
  expect(envelope.error).toMatchObject({ code: 'internal', message: 'boom' });
});

test('a thrown value that is not an Error is shown too', () => {
  expect(explainFailure('boom', false).text).toContain('boom');
});
