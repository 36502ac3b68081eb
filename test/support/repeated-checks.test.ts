import { expect, test } from 'vitest';
import { reportOf } from './repeated-checks.ts';

test.each([
  ['an error in place of a report', '{"schema":"joinery/error@1","status":"error"}', 5],
  ['a stack', 'Error: spawn ENOMEM', 1],
  ['nothing', '', null],
])('%s is shown with its whole output', (_, stdout, code) => {
  const outcome = {
    code,
    signal: code === null ? ('SIGKILL' as const) : null,
    stdout,
    stderr: 'why it failed',
  };
  const end = code === null ? 'SIGKILL' : `exit code ${code}`;
  expect(() => reportOf(outcome)).toThrow(`check printed no report (${end})`);
  expect(() => reportOf(outcome)).toThrow(`${stdout}\nstderr:\nwhy it failed`);
});
