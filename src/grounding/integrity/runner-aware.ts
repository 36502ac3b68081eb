import type { Change } from '#grounding/change/change.ts';
import { isSource } from '#tests/code/source-path.ts';
import { isFixture, isInTestFolder, isSnapshot, isTestFile } from '#tests/code/test-path.ts';

export interface RunnerAware {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  /** Honest sources do it too. */
  readonly isLesser: boolean;
}

/** A longer line is data. */
const longestLine = 500;

/** A way in which a source detects that it is being tested, or changes its tester. Added lines are matched against it. */
interface Way {
  readonly what: string;
  readonly isLesser: boolean;
  /** Full severity if the same file also looks for a word for tests (`"test"`, `"py" + "test"`) or for CI. */
  readonly isTelling?: true;
  readonly pattern: RegExp;
}

const looksForCi =
  /\benv\.CI\b|\benv\[["']CI["']\]|environ(\.get\(|\[)["']CI["']|getenv\(["']CI["']\)|NODE_ENV\b.{0,10}["']test["']/;

const ways: readonly Way[] = [
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
      /(\.stack\b|\bstack\(\)|_getframe|currentframe|f_code|co_name|co_filename|getFileName|callers?\().{0,200}\b(tests?|specs?|pytest|unittest|test_\w{0,40})\b|\b(tests?|specs?|pytest|unittest)\b.{0,200}(process\.(argv|execArgv)|sys\.argv)|(process\.(argv|execArgv)|sys\.argv).{0,200}["'/.](tests?|specs?|pytest|unittest)\b|\b(argv|execArgv)\b.{0,120}["'/][^"'/\s()]{0,60}(\.|\[\.\])(test|spec)(\.|\[\.\])/,
  },
  {
    what: 'looks at who calls it',
    isLesser: true,
    isTelling: true,
    pattern:
      /\bprepareStackTrace\b|\bError\(\)\)?\.stack\b|\.stack\??\.(includes|indexOf|match|search)\(|\bcaptureStackTrace\(\{|\b_getframe\b|\b_current_frames\b|\binspect\.(stack|currentframe|getouterframes|trace)\b|\b(extract|walk|format)_stack\b|\blinecache\b|\bf_back\b|\bsys\.(settrace|setprofile)\b/,
  },
  {
    what: 'looks at all modules or objects that are loaded',
    isLesser: true,
    isTelling: true,
    pattern:
      /\bsys\.modules\b(?!\[__name__\])|\bgc\.get_(objects|referrers|referents)\b|\brequire\.cache\b|\brequire\.main\.children\b|\b__subclasses__\(\)/,
  },
  {
    what: 'looks at the process that started it',
    isLesser: true,
    isTelling: true,
    pattern: /(?<![\w.)}-])\/proc\/|\bprocess\.ppid\b|\bgetppid\(|\bpsutil\b/,
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
  { what: 'looks whether it runs in CI or under test', isLesser: true, pattern: looksForCi },
];

/** Lines of changed sources that detect who runs them. No test run can show it: they behave well while being tested. */
export function runnerAware({ files, base }: Change): RunnerAware[] {
  const tests = namesOfTests(base.matching(isOfTests));
  // A product may have fixtures and samples too: those of a framework, or those it shows to people.
  const samples = namesOfTests(base.matching(isFixture));
  return files
    .filter(({ path }) => isSource(path))
    .flatMap(({ path, lines }) => {
      const added = lines.added
        .filter(({ text }) => text.length <= longestLine && !isComment(text))
        .map(({ text, line }) => ({ line, text: joined(text) }));
      const asksForCi = added.some(({ text }) => looksForCi.test(text));
      const sought = added.filter(
        ({ text }) => literalsIn(text).some(isSoughtWord) || runnerOption.test(text),
      );
      return added.flatMap(({ text, line }) => {
        const way = ways.find(({ pattern }) => pattern.test(text));
        if (way) {
          const isAboutTests =
            asksForCi ||
            sought.some((each) => comparison.test(each.text) || Math.abs(each.line - line) <= nearLines);
          const isLesser = way.isLesser && !(way.isTelling && isAboutTests);
          return [{ file: path, line, what: way.what, isLesser }];
        }
        const named = literalsIn(text).map((literal) => literal.replace(/^[./]+/, ''));
        const isNaming = named.some((name) => tests.has(name));
        if (!isNaming && !named.some((name) => samples.has(name))) return [];
        return [{ file: path, line, what: 'names a file of the tests', isLesser: !isNaming }];
      });
    });
}

function isOfTests(path: string): boolean {
  return isTestFile(path) || isInTestFolder(path) || isSnapshot(path);
}

/** How sources name them: a test file also by its base name, test data with its folder. */
function namesOfTests(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => {
      const parts = path.split('/');
      const ends = parts.map((_, at) => parts.slice(at).join('/'));
      return isTestFile(path) ? ends : ends.slice(0, -1);
    }),
  );
}

const wordOfTests =
  /(^|[^a-z])_?(py|unit|vi)?tests?([^a-z]|$)|(^|[^a-z])(specs?|jest|mocha|assert\w{0,20})([^a-z]|$)/i;

/** Code that detects tests compares names with a single word; a sentence or a command option is for people. */
function isSoughtWord(literal: string): boolean {
  return !/\s|^-/.test(literal) && wordOfTests.test(literal);
}

/** The option that makes a process a test runner. */
const runnerOption = /\.(includes|indexOf|match|search)\(["'`/]--test["'`/]/;

/** A word that a text is compared with counts anywhere; other words count only near the line that detects tests. */
const comparison =
  /[=!]==?|\b(not )?in\b|\.(includes|startsWith|endsWith|indexOf|match|matchAll|test|search|some|has|find|startswith|endswith|count|index)\(|\bre\.\w{1,12}\(/;
const nearLines = 10;

/** `"py" + "test"` is `"pytest"`, and so is `"py" "test"` in Python. */
function joined(text: string): string {
  return text.replace(/(["'`])\s{0,5}(\+\s{0,5}|\s)[bru]?\1/g, '');
}

function literalsIn(text: string): string[] {
  const all = [...text.matchAll(/(["'`])([^"'`]{0,200})\1/g)].map(([, , literal = '']) => literal);
  return all.filter(({ length }) => length >= 3);
}

function isComment(text: string): boolean {
  return /^(\/\/|#|\*|\/\*)/.test(text.trim());
}
