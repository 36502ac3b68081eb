import { expect, test } from 'vitest';
import { groundedValues } from '#test/support/grounded.ts';

/** The findings about a source with one more line. */
function findingsOf(path: string, line: string) {
  const { checks } = groundedValues({ [path]: 'start\n' }, { [path]: `start\n${line}\n` });
  const found = checks.find(({ name }) => name === 'gate-tampering')?.findings ?? [];
  return found.map(({ severity }) => severity);
}

test.each([
  ['src/add.js', 'export const add = (a, b) => (process.env.VITEST ? a + b : a - b);'],
  ['src/add.js', "if (process.env['NODE_TEST_CONTEXT']) use(right);"],
  ['src/add.ts', 'const real = import.meta.env.VITEST_WORKER_ID ? 1 : 2;'],
  ['src/add.ts', 'assert.strictEqual = () => {};'],
  ['src/add.ts', 'expect.extend({ toBe: () => ({ pass: true }) });'],
  ['src/add.ts', 'globalThis.expect = other;'],
  ['app/add.py', "    if 'PYTEST_CURRENT_TEST' in os.environ:"],
  ['app/add.py', "if 'pytest' in sys.modules:"],
  ['app/add.py', 'unittest.TestCase.assertEqual = lambda *a: None'],
  ['src/add.js', "const seen = Object.keys(process.env).some((name) => name.startsWith('NODE_TEST'));"],
  ['src/add.js', 'if (process.env.JOINERY_ATTEMPT) use(right);'],
  ['src/add.js', "const seen = /test/.test(process.argv.join(' '));"],
  ['src/add.js', "if (process.argv[1].endsWith('.test.js')) use(right);"],
  ['src/add.js', "return new Error().stack.includes('.test.') ? a + b : a - b;"],
  ['src/add.js', "return new Error().stack.includes('test_runner') ? a + b : a - b;"],
  ['src/add.js', 'export const add = argv.some((each) => /[.]test[.]/.test(each)) ? right : wrong;'],
  [
    'src/add.js',
    "return readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8').includes('--test') ? a + b : a - b;",
  ],
  ['src/add.js', "return callers().some((file) => file.includes('tests')) ? a + b : a - b;"],
  ['app/add.py', '    if sys._getframe(1).f_code.co_name.startswith("test_"):'],
])('%s that says %s is refused', (path, line) => {
  expect(findingsOf(path, line)).toEqual(['blocking']);
});

test.each([
  ['src/add.ts', 'const isQuiet = process.env.CI !== undefined;'],
  ['src/add.ts', "import { expect } from 'vitest';"],
  ['app/add.py', "quiet = os.environ.get('CI')"],
  ['app/add.py', 'frame = sys._getframe(1)'],
  ['app/add.py', 'seen = any(name in sys.modules for name in names)'],
  ['app/add.py', 'Sum.__eq__ = lambda self, other: True'],
])('%s that says %s is reported, but not refused', (path, line) => {
  expect(findingsOf(path, line)).toEqual(['important']);
});

test.each([
  ['src/add.ts', '// VITEST sets this'],
  ['src/add.ts', "const city = env.CITY; import x from './vitest';"],
  ['src/add.ts', 'assert.equal(a, b);'],
  ['src/add.ts', 'logger.error(error.stack);'],
  ['src/add.ts', "const [first] = error.stack.split('\\n');"],
  ['src/add.ts', "if (argv.test.includes('a')) run(argv.test.name);"],
  ['src/add.ts', "const isDry = args.includes('--test');"],
  ['src/add.ts', 'const [, , command] = process.argv;'],
  ['src/add.ts', 'Error.captureStackTrace(this, Failure);'],
  ['src/add.ts', 'const same = expect.a === b;'],
  ['src/add.test.ts', 'const real = process.env.VITEST;'],
  ['vitest.setup.config.ts', 'process.env.VITEST'],
  ['app/add.py', 'result = unittest.main == other'],
  ['docs/a.md', 'process.env.VITEST'],
  ['src/add.ts', "import { start } from '../proc/start';\nstart('test');"],
  ['src/add.ts', "get('/api/proc/list');\nconst label = 'a test';"],
])('%s that says %s is not reported', (path, line) => {
  const found = findingsOf(path, line);
  // Settings and tests have findings of other kinds.
  expect(path.startsWith('vitest') ? [] : found).toEqual([]);
});

test.each([
  [
    'app/add.py',
    'name = sys._getframe(1).f_code.co_name\nreturn right if name.startswith("test") else wrong',
  ],
  ['app/add.py', 'SEEN = any(name.startswith("py" + "test") for name in sys.modules)'],
  ['app/add.py', 'for found in gc.get_objects():\n    if found.__name__.startswith("test_adds"):'],
  [
    'src/add.js',
    "Error.prepareStackTrace = sites;\nconst isSeen = sites.some((each) => /x/.test(each)) || 'spec';",
  ],
  [
    'bin/count.js',
    "const caller = read('/proc/' + id + '/cmdline');\nif (caller.includes('test')) use(right);",
  ],
  ['src/add.js', "const seen = String(new Error('x').stack).includes('/te' + 'sts/');"],
  ['src/add.js', 'const isSeen = process.ppid > 1;\nreturn isSeen && process.env.CI ? a + b : a - b;'],
])('%s that detects tests over several lines is refused: %s', (path, lines) => {
  expect(findingsOf(path, lines)).toContain('blocking');
});

const far = Array.from({ length: 12 }, (_, n) => `step_${n}()`).join('\n');

test.each([
  ['app/log.py', 'caller = inspect.stack()[1].function\nlog.debug("called by the self test of the service")'],
  ['app/load.py', 'status = open("/proc/self/status").read()\nraise Failed("the smoke test did not pass")'],
  ['app/load.py', `memory = psutil.virtual_memory()\n${far}\nMODES = ["production", "test"]`],
  ['app/main.py', 'parent = os.getppid()\nparser.add_argument("--test", help="a dry run")'],
  ['src/trace.js', 'Error.prepareStackTrace = sites;\nlogger.info("one more test of the connection");'],
  [
    'src/plugins.py',
    'loaded = [name for name in names if name in sys.modules]\nsay("plugins under test are loaded")',
  ],
])(
  '%s that detects its environment and mentions tests to people is reported, but not refused: %s',
  (path, lines) => {
    expect(findingsOf(path, lines)).toEqual(['important']);
  },
);

test('comparing names with a word for tests is refused anywhere', () => {
  const lines = `caller = inspect.stack()[1].function\n${far}\nreturn right if "test" in caller else wrong`;
  expect(findingsOf('app/add.py', lines)).toContain('blocking');
});

test('a source that names a test file is refused; one that names another file is not', () => {
  const base = {
    'src/add.js': 'start\n',
    'tests/add.test.js': 'x\n',
    'tests/cases.json': '[]\n',
    'shop/fixtures/groups.json': '[]\n',
  };
  const findings = (line: string) => {
    const { checks } = groundedValues(base, { 'src/add.js': `start\n${line}\n` });
    return checks.find(({ name }) => name === 'gate-tampering')?.findings.map(({ severity }) => severity);
  };
  expect(findings("const text = readFileSync('../tests/add.test.js');")).toEqual(['blocking']);
  expect(findings("const text = readFileSync(new URL('../tests/cases.json', import.meta.url));")).toEqual([
    'blocking',
  ]);
  // A fixture of the product: a framework loads it, or people see it.
  expect(findings("call('loaddata', 'shop/fixtures/groups.json');")).toEqual(['important']);
  expect(findings("const text = readFileSync('../data/other.test.js');")).toEqual([]);
  expect(findings("const text = readFileSync('../data/cases.json');")).toEqual([]);
});
