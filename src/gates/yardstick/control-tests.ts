import { hasTitle } from '#tests/results/passed-names.ts';

/**
 * Adds a test that must fail to a test file: switching assertions off, exiting early or rewriting the runner's output makes
 * it pass or vanish. It fails only if the assertions of its file work.
 */
export function withControl(path: string, text: string, name: string): string | null {
  if (/\.[cm]?[jt]sx?$/.test(path)) return `${text}\n${scriptControl(name)}\n`;
  if (path.endsWith('.py')) return `${text}\n\n${pythonControl(text, name)}`;
  return null;
}

const scriptControl = (name: string) =>
  `;(() => {
  const register = typeof test === 'function' ? test : typeof it === 'function' ? it : null;
  register?.('${name}', () => {
    const demands = [];
    if (typeof expect === 'function')
      demands.push(
        () => (expect(1).toBe ? expect(1).toBe(2) : expect(1).to.equal(2)),
        () => (expect(1).toEqual ? expect({ a: 1 }).toEqual({ a: 2 }) : expect({ a: 1 }).to.deep.equal({ a: 2 })),
      );
    if (typeof assert === 'function' || typeof assert === 'object')
      for (const key of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual'])
        if (typeof assert[key] === 'function') demands.push(() => assert[key](1, 2));
    for (const demand of demands) {
      let isHeld = false;
      try {
        demand();
      } catch {
        isHeld = true;
      }
      if (!isHeld) return;
    }
    throw new Error('${name}');
  });
})();`;

/** `python -m unittest` only runs methods of classes; pytest runs both. */
function pythonControl(text: string, name: string): string {
  if (!/\bunittest\b/.test(text))
    return `
def test_${name}():
    try:
        assert 1 == 2
    except AssertionError:
        raise AssertionError("${name}") from None
`;
  return `
class Control${name}(__import__("unittest").TestCase):
    def test_${name}(self):
        demands = (
            lambda: self.assertEqual(1, 2),
            lambda: self.assertTrue(False),
            lambda: self.assertIn(1, []),
        )
        for demand in demands:
            try:
                demand()
            except AssertionError:
                continue
            return
        raise AssertionError("${name}")
`;
}

/** Exit code of a runner without failures. */
const success = 0;

/** A run of a suite, as far as controls need it. */
export interface ControlledRun {
  readonly exitCode: number | null;
  readonly tests: { readonly failed: number; readonly failing: readonly string[] } | null;
}

/** The controls that a run names as failed. A runner that counts failures and exits with success was tampered with. */
export function failedControls({ exitCode, tests }: ControlledRun, names: readonly string[]): string[] {
  if (tests === null || exitCode === 0) return [];
  return names.filter((name) => tests.failing.some((each) => isControl(each, name)));
}

/** The same run without its controls. */
export function withoutControls<Run extends ControlledRun>(run: Run, names: readonly string[]): Run {
  const { exitCode, tests } = run;
  const found = failedControls(run, names);
  if (tests === null || found.length === 0) return run;
  const failing = tests.failing.filter((each) => !names.some((name) => isControl(each, name)));
  const failed = tests.failed - (tests.failing.length - failing.length);
  const ended = failed === 0 ? success : exitCode;
  return { ...run, exitCode: ended, tests: { ...tests, failed, failing } };
}

function isControl(printed: string, name: string): boolean {
  return hasTitle(printed, name) || printed.includes(`test_${name}`);
}
