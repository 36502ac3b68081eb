import type { CaseResult } from './order.ts';

/** Error codes that blame the machine. */
const machine = ['disk-full', 'read-only', 'too-many-files', 'no-memory', 'disk-error', 'guard-killed'];

/** How a run on a broken machine deviated from what it should do; `calm` is the same run on a healthy one. */
export function problemsOf(result: CaseResult, calm: CaseResult): string[] {
  const { told, verdicts, accepted, status, worktrees, locks, fsck } = result;
  const problems = told.flatMap(({ args, code, signal, answer, stderr }, index) => {
    const isLast = index === told.length - 1;
    const name = `${args[0]} (${index + 1})`;
    const error = (answer as { error?: { code?: string } } | null)?.error?.code ?? '';
    if (signal !== null) return [`${name}: did not end`];
    if (/defect of joinery|^\s+at .*:\d+:\d+\)?$/m.test(stderr)) return [`${name}: stack trace`];
    if (isLast) return code === 0 ? [] : [`${name}: ends with ${code} ${error}`];
    if (code !== 5) return [`${name}: exit ${code} in place of 5`];
    return machine.includes(error) ? [] : [`${name}: ${error} is told as the cause`];
  });
  // An interrupted attempt has no verdict and does not count.
  const spent = verdicts.filter((each) => !/ (approve|null)$/.test(each));
  return [
    ...problems,
    ...spent.map((each) => `an attempt was spent: ${each}`),
    ...(accepted.toSorted().join() === calm.accepted.toSorted().join()
      ? []
      : [`accepted: ${accepted.join()}`]),
    ...(result.tree === calm.tree ? [] : ['another tree']),
    ...(status === '' ? [] : ['the checkout changed']),
    ...(worktrees === 1 ? [] : [`${worktrees - 1} worktrees are left`]),
    ...locks.map((name) => `${name} is left`),
    ...(fsck === '' ? [] : [fsck]),
  ];
}
