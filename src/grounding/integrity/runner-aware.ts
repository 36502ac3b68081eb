import type { Change, FileChange } from '#grounding/change/change.ts';
import { isCode, isFixture, isInTestFolder, isTestCode } from '#tests/code/test-path.ts';

export interface RunnerAware {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  /** Honest sources do it too. */
  readonly isLesser: boolean;
}

/** A longer line is data. */
const longestLine = 500;

/** How a source tells that it is being tested, or changes what tests it. Lines that were added are held against these. */
const ways: readonly { readonly what: string; readonly isLesser: boolean; readonly pattern: RegExp }[] = [
  {
    what: 'looks at a variable that only test runners set',
    isLesser: false,
    pattern:
      /\b(VITEST(_\w{1,40})?|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_\w{1,40}|MOCHA_COLORS|TAP_CHILD_ID|AVA_PATH|PLAYWRIGHT_TEST|RUST_TEST_THREADS)\b/,
  },
  {
    what: 'asks whether a test runner is loaded',
    isLesser: false,
    pattern:
      /["'](pytest|_pytest|unittest|nose)["'] (not )?in sys\.modules|sys\.modules\[["']_?pytest|typeof (describe|vi|jest)\b/,
  },
  {
    what: 'changes what assertions do',
    isLesser: false,
    pattern:
      /(^|[^\w$.])(assert|expect|chai|should)\.[\w$.]{1,80} ?=(?![=>])|\bexpect\.extend\(|\bglobalThis\.(test|it|describe|expect|assert) ?=(?![=>])|\b(unittest|pytest|_pytest|builtins)\.[\w.]{1,80} ?=(?!=)/,
  },
  {
    what: 'imports a test runner',
    isLesser: true,
    pattern:
      /(\bfrom |\bimport |\brequire\(|\bimport\()["'](vitest|@jest\/globals|jest|chai|node:test|mocha|ava|@playwright\/test)["']|^\s{0,40}(import|from) _?pytest\b/,
  },
  {
    what: 'looks whether it runs in CI or under test',
    isLesser: true,
    pattern:
      /\benv\.CI\b|\benv\[["']CI["']\]|environ(\.get\(|\[)["']CI["']|getenv\(["']CI["']\)|NODE_ENV\b.{0,10}["']test["']/,
  },
];

/** Lines of changed sources that know who looks at them. No run of tests can tell: they behave while they are tested. */
export function runnerAware({ files }: Change): RunnerAware[] {
  return files.filter(isSource).flatMap(({ path, lines }) =>
    lines.added.flatMap(({ text, line }) => {
      const way = text.length > longestLine ? undefined : ways.find(({ pattern }) => pattern.test(text));
      return way && !isComment(text) ? [{ file: path, line, what: way.what, isLesser: way.isLesser }] : [];
    }),
  );
}

function isSource({ path }: FileChange): boolean {
  const isSettings =
    /(^|\/)[\w.-]{1,80}\.config\.\w{1,5}$|(^|\/)(conftest|setup|noxfile)\.py$|(^|\/)scripts\//.test(path);
  return isCode(path) && !isTestCode(path) && !isInTestFolder(path) && !isFixture(path) && !isSettings;
}

function isComment(text: string): boolean {
  return /^(\/\/|#|\*|\/\*)/.test(text.trim());
}
