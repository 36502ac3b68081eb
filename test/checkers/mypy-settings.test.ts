import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { Effort } from '#check/typecheck/containment/effort.ts';
import { mypyFromIni } from '#check/typecheck/python/mypy-settings.ts';
import { type IniSection, readIni } from '#check/typecheck/python/read-ini.ts';
import { configuredTools } from '#check/typecheck/python/tools.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

const run = { cwd: tmpdir(), timeLimitMs: 60_000, effort: new Effort(), onInterrupt: () => () => {} };

/** The settings that we pass on to a checker configured by this file. */
async function passedOn(file: string, text: string): Promise<string> {
  const [tool] = await configuredTools(
    async (path) => (path === file ? text : null),
    (ini) => readIni('python3', ini, run),
  );
  if (tool === undefined) return '';
  return 'unreadable' in tool ? '' : tool.config.text;
}

/** What Python's parser, which mypy uses, sees in each of these files; null if it fails. */
function asPythonReads(texts: readonly string[]): (readonly IniSection[] | null)[] {
  const program = `
import configparser, json, sys
seen = []
for text in json.load(sys.stdin):
    open(sys.argv[1], 'w', newline='').write(text)
    parser = configparser.RawConfigParser()
    try:
        parser.read(sys.argv[1])
        seen.append([[name, dict(parser.items(name))] for name in parser.sections()])
    except configparser.Error:
        seen.append(None)
print(json.dumps(seen))`;
  const file = `${temporaryFolder()}/mypy.ini`;
  const { stdout, stderr } = spawnSync('python3', ['-X', 'utf8', '-c', program, file], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('no file of a branch makes mypy load code', () => {
  test.each([
    '[mypy]\nplugins = ./evil.py\nstrict = True\n',
    '[mypy]\n  plugins = ./evil.py\n  strict = True\n',
    '[mypy]\nPlugins = ./evil.py\nstrict = True\n',
    '[mypy]\nplugins =\n  ./evil.py,\n  ./other.py\nstrict = True\n',
    '[mypy]\nplugins: ./evil.py\nstrict = True\n',
    '[mypy]\nstrict = True\rplugins = ./evil.py\n',
    '[mypy]\n\u001cplugins = ./evil.py\nstrict = True\n',
    '[mypy]\n\u0085plugins = ./evil.py\nstrict = True\n',
    '[mypy]\n\u00a0plugins = ./evil.py\nstrict = True\n',
    '[mypy]\nstrict = True\n[DEFAULT]\nplugins = ./evil.py\n',
    '[mypy]\nstrict = True\n[mypy-app.*]\nplugins = ./evil.py\n',
  ])('%j', async (text) => {
    const seen = JSON.stringify(asPythonReads([await passedOn('mypy.ini', text)]));
    expect(seen).toContain('strict');
    expect(seen).not.toMatch(/evil|plugins/);
  });

  test('whatever a file contains, Python finds only settings that we know in what we pass on', () => {
    const key = fc.constantFrom(
      'plugins',
      'Plugins',
      'strict',
      'files',
      'exclude',
      'python_executable',
      '[mypy-a]',
    );
    const value = fc.constantFrom(
      './evil.py',
      'True',
      '/etc',
      '$HOME',
      '(?x)(',
      'src',
      '[DEFAULT]',
      '# no',
      '',
    );
    const blank = fc.constantFrom(
      '',
      '',
      ' ',
      '\t',
      '\u001c',
      '\u001e',
      '\u0085',
      '\u2028',
      '\u00a0',
      '\f',
      '\v',
    );
    const end = fc.constantFrom('\n', '\n', '\r', '\r\n', '\u001c', '\u0085', '\u2028');
    const line = fc.tuple(blank, key, blank, fc.constantFrom('=', ':', ''), blank, value, end);
    const text = fc.array(line, { maxLength: 6 }).map((lines) => `[mypy]\n${lines.flat().join('')}`);
    const { seed, numRuns } = sample('settings of mypy', { normal: 1000, soak: 50_000 });
    const read = asPythonReads(fc.sample(text, { seed, numRuns })).filter((each) => each !== null);
    const loading = read.filter((each) => JSON.stringify(each).includes('"plugins"'));
    expect(loading.length).toBeGreaterThan(numRuns / 10);
    const seen = asPythonReads(read.map((sections) => mypyFromIni(sections).text));
    const keys = seen.flatMap((each) => (each ?? []).flatMap(([, settings]) => Object.keys(settings)));
    expect([...new Set(keys)].sort()).toEqual(['exclude', 'files', 'strict']);
    expect(seen).not.toContain(null);
  });

  test('neither does pyproject.toml, nor its sections for single modules', async () => {
    const text = await passedOn(
      'pyproject.toml',
      '[tool.mypy]\nstrict = true\nplugins = ["./evil.py"]\n"python_executable" = "./evil"\n' +
        '[[tool.mypy.overrides]]\nmodule = "app.*"\nignore_errors = true\nplugins = ["./evil.py"]\n',
    );
    expect(parse(text)).toEqual({
      tool: { mypy: { strict: true, overrides: [{ module: ['app.*'], ignore_errors: true }] } },
    });
  });
});

test('known settings mean the same after they are rewritten', async () => {
  const text = await passedOn(
    'mypy.ini',
    [
      '[mypy]',
      'python_version = 3.12 ',
      'Strict_Optional: no',
      'disallow_untyped_defs',
      '    = yes',
      'files = src,',
      '    tests/**/*.py',
      'mypy_path = $MYPY_CONFIG_FILE_DIR/stubs:typings',
      'exclude = (?x)(',
      '    ^one/',
      '    # a comment',
      '    | ^two/',
      '  )',
      'enable_error_code = ignore-without-code, truthy-bool',
      '[mypy-app.*,lib.core]',
      'no_implicit_optional = on',
      '',
    ]
      .join('\n')
      .replace('disallow_untyped_defs\n    =', 'disallow_untyped_defs ='),
  );
  expect(text).toBe(
    [
      '[mypy]',
      'python_version = 3.12',
      'strict_optional = False',
      'disallow_untyped_defs = True',
      'files = src, tests/**/*.py',
      'mypy_path = stubs, typings',
      'exclude =',
      '    (?x)(',
      '    ^one/',
      '    | ^two/',
      '    )',
      'enable_error_code = ignore-without-code, truthy-bool',
      '[mypy-app.*,lib.core]',
      'no_implicit_optional = True',
      '',
    ].join('\n'),
  );
});

describe('no file of a branch makes a checker look outside the tree', () => {
  test.each(['/etc', '../up', 'a/../../up', '~/home', '$HOME/x', '%TEMP%', '-x'])('%s', async (path) => {
    const ini = await passedOn('mypy.ini', `[mypy]\nfiles = src, ${path}\nmypy_path = ${path}\n`);
    expect(ini).toBe('[mypy]\nfiles = src\n');
    const toml = await passedOn('pyproject.toml', `[tool.mypy]\nmypy_path = ['${path}', "stubs"]\n`);
    expect(parse(toml)).toEqual({ tool: { mypy: { mypy_path: ['stubs'] } } });
    const settings = {
      include: ['src', path],
      stubPath: path,
      venvPath: path,
      extends: path,
      typeshedPath: path,
    };
    const json = await passedOn('pyrightconfig.json', JSON.stringify(settings));
    expect(JSON.parse(json)).toEqual({ include: ['src'] });
  });
});

test('pyright gets the settings that we know, including those of its environments', async () => {
  const text = await passedOn(
    'pyrightconfig.json',
    `// a comment
    { "strict": ["src"], "reportMissingImports": "none", "reportGeneralTypeIssues": "run me", "pythonVersion": "3.12",
      "defineConstant": { "DEBUG": true, "__proto__": "x" },
      "executionEnvironments": [{ "root": "src", "extraPaths": ["/etc", "lib"], "venv": "x" }], }`,
  );
  expect(JSON.parse(text)).toEqual({
    strict: ['src'],
    reportMissingImports: 'none',
    pythonVersion: '3.12',
    defineConstant: { DEBUG: true },
    executionEnvironments: [{ root: 'src', extraPaths: ['lib'] }],
  });
});

test.each([
  ['mypy.ini', '[mypy]\nstrict = True\nstrict = False\n', /^mypy\.ini cannot be read: .*already exists/],
  ['pyproject.toml', '[tool.mypy]\nstrict = \n', /^pyproject\.toml cannot be read: /],
  ['pyrightconfig.json', '{ "strict": ', /^pyrightconfig\.json cannot be read/],
])('unreadable settings count as none: %s', async (file, text, reason) => {
  const [tool] = await configuredTools(
    async (path) => (path === file ? text : null),
    (ini) => readIni('python3', ini, run),
  );
  expect(tool).toEqual({ name: expect.any(String), unreadable: expect.stringMatching(reason) });
});
