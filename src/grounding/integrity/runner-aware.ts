import { posix } from 'node:path';
import type { Change, FileChange } from '#grounding/change/change.ts';
import { isCode, isFixture, isInTestFolder, isTestCode, isTestFile } from '#tests/code/test-path.ts';

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
      /\b(VITEST(_\w{1,40})?|JEST_WORKER_ID|NODE_TEST(_\w{1,40})?|PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_\w{1,40}|MOCHA_COLORS|TAP_CHILD_ID|AVA_PATH|PLAYWRIGHT_TEST|npm_lifecycle_event|JOINERY_(ATTEMPT|RUN|TASK|WORK)|RUST_TEST_THREADS)\b/,
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
    what: 'looks whether tests call or started it',
    isLesser: false,
    pattern:
      /(\.stack\b|\bstack\(\)|_getframe|currentframe|f_code|co_name|co_filename|getFileName|callers?\().{0,200}\b(tests?|specs?|pytest|unittest|test_)\b|\b(tests?|specs?|pytest|unittest)\b.{0,200}(process\.(argv|execArgv)|sys\.argv)|(process\.(argv|execArgv)|sys\.argv).{0,200}["'/.](tests?|specs?|pytest|unittest)\b/,
  },
  {
    what: 'looks at who calls it',
    isLesser: true,
    pattern:
      /\bprepareStackTrace\b|\bsys\._getframe\b|\binspect\.(stack|currentframe|getouterframes)\b|\bextract_stack\b/,
  },
  {
    what: 'looks at all modules that are loaded',
    isLesser: true,
    pattern: /\bin sys\.modules\b|\bgc\.get_(objects|referrers)\b|\brequire\.cache\b/,
  },
  {
    what: 'equals everything',
    isLesser: true,
    pattern:
      /def __(eq|ne)__\(.{0,60}\).{0,30}: *return (True|False)\b|__(eq|ne)__ *= *lambda .{0,40}: *(True|False)\b/,
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
export function runnerAware({ files, base }: Change): RunnerAware[] {
  const tests = new Set(base.matching(isTestFile).map((path) => posix.basename(path)));
  return files.filter(isSource).flatMap(({ path, lines }) =>
    lines.added.flatMap(({ text, line }) => {
      if (text.length > longestLine || isComment(text)) return [];
      const way = ways.find(({ pattern }) => pattern.test(text));
      if (way) return [{ file: path, line, what: way.what, isLesser: way.isLesser }];
      const isNaming = literalsIn(text).some((literal) => tests.has(posix.basename(literal)));
      return isNaming ? [{ file: path, line, what: 'names a test file', isLesser: false }] : [];
    }),
  );
}

function literalsIn(text: string): string[] {
  return [...text.matchAll(/(["'`])([^"'`]{3,200})\1/g)].map(([, , literal = '']) => literal);
}

function isSource({ path }: FileChange): boolean {
  const isSettings =
    /(^|\/)[\w.-]{1,80}\.config\.\w{1,5}$|(^|\/)(conftest|setup|noxfile)\.py$|(^|\/)scripts\//.test(path);
  return isCode(path) && !isTestCode(path) && !isInTestFolder(path) && !isFixture(path) && !isSettings;
}

function isComment(text: string): boolean {
  return /^(\/\/|#|\*|\/\*)/.test(text.trim());
}
