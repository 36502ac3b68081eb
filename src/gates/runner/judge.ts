import type { Evidence } from '#schema/gates.ts';

/** Why evidence proves nothing. */
type Flaw =
  | 'not-finished'
  | 'exit-code'
  | 'failing-tests'
  | 'no-tests'
  | 'no-counts'
  | 'failure-marker'
  | 'empty-log'
  | 'cut-log'
  | 'changed-tree';

export interface Judgement {
  readonly flaw: Flaw | null;
  /** One line for people; for a success, what it consists of. */
  readonly detail: string;
}

/** Programs that print nothing on success; for all others, empty output proves nothing. */
const silent =
  /(^|[\s/;&|])(tsc|vue-tsc|svelte-check|eslint|stylelint|tslint|xo|standard|oxlint|flake8|pycodestyle|pyflakes|shellcheck|hadolint|yamllint|gofmt|go (vet|build)|gcc|g\+\+|cc|clang|clang\+\+|javac|rustfmt|cargo fmt|black|prettier|node --check|python3? -m (py_compile|compileall)|git diff --check)(\s|$)/;

/**
 * Whether evidence shows what it was recorded for, from the record alone. Fails closed: what is not shown is not assumed. A
 * gate of the base commit may be silent; a freely chosen command may not, because `true` is silent too.
 */
export function judgeEvidence(evidence: Evidence): Judgement {
  const { outcome, exitCode, signal, claim, tests, markers, log, gate, command, wallMs } = evidence;
  const { tree, treeAfter } = evidence;
  if (outcome === 'timeout') return { flaw: 'not-finished', detail: `timed out after ${seconds(wallMs)}` };
  if (outcome !== 'exited') return { flaw: 'not-finished', detail: notStarted(evidence) };
  if (claim === 'test') {
    const flaw = judgeTests(evidence);
    if (flaw) return flaw;
  }
  if (exitCode !== 0) {
    const how = exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
    return { flaw: 'exit-code', detail: how };
  }
  if (treeAfter !== tree)
    return { flaw: 'changed-tree', detail: 'it changed the files it was to prove something about' };
  const [marker] = markers;
  if (marker !== undefined)
    return { flaw: 'failure-marker', detail: `exit code 0, but its output says: ${marker}` };
  if (log.bytes === 0 && gate === null && !silent.test(command))
    return { flaw: 'empty-log', detail: 'exit code 0, but no output to show for it' };
  return { flaw: null, detail: claim === 'test' && tests ? describeCounts(tests) : 'exit code 0' };
}

function judgeTests({ tests, log, exitCode }: Evidence): Judgement | null {
  if (tests && tests.failed > 0) return { flaw: 'failing-tests', detail: describeCounts(tests) };
  if (exitCode !== 0) return null;
  if (log.bytes === 0) return { flaw: 'empty-log', detail: 'exit code 0, but no output to show for it' };
  if (!tests && log.isCut)
    return {
      flaw: 'cut-log',
      detail: 'its output was longer than what is kept, and what is kept has no totals',
    };
  if (!tests) return { flaw: 'no-counts', detail: 'its output does not say how many tests ran' };
  if (tests.passed === 0) return { flaw: 'no-tests', detail: `no test passed: ${describeCounts(tests)}` };
  return null;
}

function notStarted({ outcome, incidents }: Evidence): string {
  return outcome === 'cancelled' ? 'called off' : `could not be started: ${incidents.join('; ')}`;
}

export function describeCounts({ passed, failed, skipped }: NonNullable<Evidence['tests']>): string {
  if (passed + failed + skipped === 0) return '0 tests';
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
