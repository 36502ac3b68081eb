import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

function answerOf(command: string, ...args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? '';
}

const python = answerOf('python3', '-c', 'import sys; print(sys.executable)');

/** Prints like mypy: an error where a result that may be None is used. */
const mypy = `#!${process.execPath}
const fs = require('node:fs');
if (process.argv.includes('--version')) { console.log('mypy 1.18.2 (compiled: yes)'); process.exit(0); }
const config = process.argv[process.argv.indexOf('--config-file') + 1];
fs.appendFileSync(__dirname + '/seen', JSON.stringify({ cwd: process.cwd(), config: fs.readFileSync(config, 'utf8') }) + '\\n');
const read = (path) => fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
const mayBeNone = read('app/user.py').includes('None');
if (mayBeNone && read('app/shout.py').includes('.upper()')) {
  console.log('app/shout.py:5:12: error: Item "None" of "str | None" has no attribute "upper"  [union-attr]');
  console.log('app/shout.py:5:12: note: see the documentation');
  process.exit(1);
}
`;
const flow = 'def run():\n    one = 1\n    two = 2\n    three = 3\n    four = 4\n    return one\n';

function repositoryWithTypes(): GitRepository {
  const repository = new GitRepository();
  repository.commit({
    '.gitignore': '.venv\n',
    'pyproject.toml': '[tool.mypy]\nstrict = true\nplugins = ["app.evil"]\npython_executable = "./evil"\n',
    'app/__init__.py': '',
    'app/user.py': 'def find(key: str) -> str:\n    return key\n',
    'app/flow.py': flow,
  });
  repository.branch('a', {
    'app/user.py': 'def find(key: str) -> str | None:\n    return key\n',
    'app/flow.py': flow.replace('def', 'async def'),
  });
  repository.branch('b', {
    'app/shout.py':
      'from app.user import find\n\n\ndef shout(key: str) -> str:\n    return find(key).upper()\n',
    'app/flow.py': flow.replace('return one', 'yield from [one]'),
  });
  return repository;
}

/** Only git and Python: no checker of the machine is found. */
function bareToolbox(): string {
  const folder = temporaryFolder();
  symlinkSync(answerOf('which', 'git'), join(folder, 'git'));
  symlinkSync(python, join(folder, 'python3'));
  return folder;
}

async function check(repository: GitRepository, ...args: string[]) {
  const cache = temporaryFolder();
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, PATH: bareToolbox() };
  const { stdout, code } = await joinery(['check', '--json', ...args], { cwd: repository.dir, env });
  return { code, report: CheckReport.strict().parse(JSON.parse(stdout)), cache };
}

test('Python and the configured checker run on the union, outside the repository', async () => {
  const repository = repositoryWithTypes();
  repository.write({ '.venv/bin/mypy': mypy });
  chmodSync(join(repository.dir, '.venv/bin/mypy'), 0o755);
  const { code, report, cache } = await check(repository);
  expect(code).toBe(1);
  expect(report.findings.map(({ rule, branches, confidence }) => [rule, ...branches, confidence])).toEqual([
    ['S07', 'a', 'b', 'proven'],
    ['V02', 'a', 'b', 'proven'],
  ]);
  const [result, broken] = report.findings.map(({ witness }) => witness.output);
  expect(result).toContain('app/shout.py:5:12: mypy:union-attr: Item "None"');
  expect(broken).toBe("app/flow.py:6:5: SyntaxError: 'yield from' inside async function");
  expect(report.checkers).toEqual([
    {
      name: 'mypy',
      version: '1.18.2',
      origin: 'project',
      project: 'pyproject.toml',
      runs: 4,
      unresolvedImports: 0,
    },
  ]);
  const seen = readFileSync(join(repository.dir, '.venv/bin/seen'), 'utf8').trim().split('\n');
  for (const { cwd, config } of seen.map((line) => JSON.parse(line))) {
    expect(cwd.includes(join(cache, 'objects').replace(/^\/private/, ''))).toBe(true);
    expect(config).toContain('strict = true');
    expect(config).not.toContain('evil');
  }
});

test('a checker that is configured and not installed is named, and inconclusive if it was demanded', async () => {
  const repository = repositoryWithTypes();
  const missing = { check: 'mypy', reason: 'pyproject.toml sets it up, and it is not installed' };
  const restricted = await check(repository);
  expect(restricted.report.degraded).toEqual([missing]);
  const demanded = await check(repository, '--confirm', 'types');
  expect(demanded.report.inconclusive).toEqual([missing]);
});

/** Caches its answers and trusts file sizes, as mypy does within one second. */
const forgetful = `#!${process.execPath}
const fs = require('node:fs');
const { join } = require('node:path');
if (process.argv.includes('--version')) { console.log('mypy 1.18.2 (compiled: yes)'); process.exit(0); }
const size = (path) => fs.existsSync(path) ? fs.statSync(path).size : 0;
const read = (path) => fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
const memory = join(process.argv[process.argv.indexOf('--cache-dir') + 1], [size('app/user.py'), size('app/shout.py')].join('-'));
let said = read('app/user.py').includes('-> int') && read('app/shout.py').includes('.upper()')
  ? 'app/shout.py:5:12: error: "int" has no attribute "upper"  [attr-defined]' : '';
try { said = fs.readFileSync(memory, 'utf8'); } catch {
  try { fs.mkdirSync(join(memory, '..'), { recursive: true }); fs.writeFileSync(memory, said); } catch {}
}
console.log(said);
process.exit(said ? 1 : 0);
`;

test("no tree gets a checker's cached answer for another one", async () => {
  const repository = new GitRepository();
  const user = 'def find(key: str) -> str:\n    return eval(key)\n';
  repository.commit({
    '.gitignore': '.venv\n',
    'mypy.ini': '[mypy]\nstrict = True\n',
    'app/__init__.py': '',
    'app/user.py': user,
  });
  repository.branch('a', { 'app/user.py': user.replace('-> str', '-> int') });
  repository.branch('b', {
    'app/shout.py':
      'from app.user import find\n\n\ndef shout(key: str) -> str:\n    return find(key).upper()\n',
  });
  repository.write({ '.venv/bin/mypy': forgetful });
  chmodSync(join(repository.dir, '.venv/bin/mypy'), 0o755);
  const { code, report } = await check(repository);
  expect(report.findings.map(({ branches, severity }) => [...branches, severity])).toEqual([
    ['a', 'b', 'blocking'],
  ]);
  expect(code).toBe(1);
});
