import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

/** A place where code leaves a mark when anybody runs it. */
class Trap {
  readonly mark = join(temporaryFolder(), 'mark');
  readonly javaScript = `require('node:fs').writeFileSync(${JSON.stringify(this.mark)}, 'x');\n`;
  readonly python = `open(${JSON.stringify(this.mark)}, 'w').write('x')\n`;
  readonly shell = `#!/bin/sh\ntouch '${this.mark}'\n`;

  get isSprung(): boolean {
    return existsSync(this.mark);
  }
}

async function check(
  repository: GitRepository,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const cache = temporaryFolder();
  const outcome = await joinery(['check', '--json', ...args], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, ...env },
  });
  expect(outcome.stderr).toBe('');
  return { ...outcome, report: JSON.parse(outcome.stdout) };
}

const tsconfig = '{"compilerOptions":{"types":[],"strict":true},"include":["*.ts"]}';

/** A project with two branches that type checkers are asked about. */
function typeScriptProject(): GitRepository {
  const repository = new GitRepository();
  repository.commit({ 'tsconfig.json': tsconfig, 'a.ts': 'export const a: number = 1;\n' });
  repository.branch('one', { 'b.ts': 'export const b = 1;\n' });
  repository.branch('two', { 'c.ts': 'export const c = 1;\n' });
  return repository;
}

function compiler({ javaScript }: Trap): Files {
  return {
    'node_modules/typescript/package.json': '{"name":"typescript","version":"5.0.0"}',
    'node_modules/typescript/lib/typescript.js': javaScript,
  };
}

describe('a TypeScript compiler that the repository holds is not run', () => {
  test('when the branch that holds it is checked out and left out of the union', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.branch('evil', { ...compiler(trap), 'a.ts': 'export const a: number = 2;\n' });
    repository.commit({ 'a.ts': 'export const a: number = 3;\n' });
    repository.git('checkout', '-q', 'evil');
    const { report } = await check(repository, []);
    expect(report.union.excluded).not.toEqual([]);
    expect(report.checkers).toEqual([expect.objectContaining({ origin: 'joinery' })]);
    expect(trap.isSprung).toBe(false);
  });

  test('when the branch that holds it is checked out and not part of the check', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.branch('evil', compiler(trap));
    repository.git('checkout', '-q', 'evil');
    await check(repository, ['main', 'one', 'two']);
    expect(trap.isSprung).toBe(false);
  });

  test('when it is in the index alone', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.write(compiler(trap));
    repository.git('add', '--force', 'node_modules');
    await check(repository, ['main', 'one', 'two']);
    expect(trap.isSprung).toBe(false);
  });

  test('when a branch holds it and its files were left on disk', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.branch('evil', { ...compiler(trap), 'a.ts': 'export const a: number = 2;\n' });
    repository.commit({ 'a.ts': 'export const a: number = 3;\n' });
    repository.write(compiler(trap));
    await check(repository, ['main', 'one', 'evil']);
    expect(trap.isSprung).toBe(false);
  });

  test('when a link of the user leads to it', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    const { 'node_modules/typescript/lib/typescript.js': code = '' } = compiler(trap);
    repository.branch('evil', {
      'vendor/package.json': '{"name":"typescript","version":"5.0.0"}',
      'vendor/lib/typescript.js': code,
    });
    repository.git('checkout', '-q', 'evil');
    mkdirSync(join(repository.dir, 'node_modules'));
    symlinkSync('../vendor', join(repository.dir, 'node_modules/typescript'));
    await check(repository, ['main', 'one', 'two']);
    expect(trap.isSprung).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'when it holds only the program that the compiler starts',
    async () => {
      const trap = new Trap();
      const repository = typeScriptProject();
      const installed = dirname(fileURLToPath(import.meta.resolve('typescript/package.json')));
      const platform = `node_modules/@typescript/typescript-linux-${process.arch}`;
      repository.branch('evil', {
        '.gitignore': 'node_modules/typescript\n',
        [`${platform}/package.json`]: '{"name":"x","version":"7.0.2"}',
        [`${platform}/lib/tsc`]: trap.shell,
      });
      repository.git('checkout', '-q', 'evil');
      chmodSync(join(repository.dir, platform, 'lib/tsc'), 0o755);
      cpSync(installed, join(repository.dir, 'node_modules/typescript'), { recursive: true });
      await check(repository, ['main', 'one', 'two']);
      expect(trap.isSprung).toBe(false);
    },
  );
});

const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout.trim();

/** Reads its settings and loads plugins as mypy does. */
const mypy = `#!${python}
import configparser, sys
if '--version' in sys.argv:
    print('mypy 2.4.0')
    sys.exit()
settings = configparser.RawConfigParser()
settings.read(sys.argv[sys.argv.index('--config-file') + 1])
for plugin in settings.get('mypy', 'plugins', fallback='').split(','):
    if plugin.strip():
        exec(open(plugin.strip()).read())
`;

function pythonProject(files: Files): GitRepository {
  const repository = new GitRepository();
  repository.commit({ 'a.py': 'a = 1\n', ...files });
  repository.branch('one', { 'b.py': 'b = 1\n' });
  repository.branch('two', { 'c.py': 'c = 1\n' });
  return repository;
}

/** A folder of programs, with mypy in it. */
function programs(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'mypy'), mypy);
  chmodSync(join(folder, 'mypy'), 0o755);
  return `${folder}:${process.env.PATH}`;
}

describe.skipIf(python === '')('Python code that the repository holds is not run', () => {
  test.each([
    'strict_optional = True\rplugins = ./evil.py',
    '\u001cplugins = ./evil.py',
    '\u0085plugins: ./evil.py',
  ])('as a plugin of mypy: %j', async (settings) => {
    const trap = new Trap();
    const repository = pythonProject({ 'mypy.ini': `[mypy]\n${settings}\n`, 'evil.py': trap.python });
    const { report } = await check(repository, ['main', 'one', 'two'], { PATH: programs() });
    expect(report.checkers).toEqual([expect.objectContaining({ name: 'mypy', project: 'mypy.ini' })]);
    expect(trap.isSprung).toBe(false);
  });

  test('because a variable of the user names a relative folder', async () => {
    const trap = new Trap();
    const repository = pythonProject({ 'mypy.ini': '[mypy]\n', 'sitecustomize.py': trap.python });
    const { report } = await check(repository, ['main', 'one', 'two'], { PATH: programs(), PYTHONPATH: '.' });
    expect(report.checkers).toEqual([expect.objectContaining({ name: 'mypy' })]);
    expect(trap.isSprung).toBe(false);
  });

  test.each(['bin/python3', 'bin/mypy', 'lib/python3.11/site-packages/sitecustomize.py'])(
    'as part of a virtual environment: %s',
    async (path) => {
      const trap = new Trap();
      const repository = pythonProject({ 'mypy.ini': '[mypy]\n' });
      const content = path.endsWith('.py') ? trap.python : trap.shell;
      repository.branch('evil', { [`.venv/${path}`]: content });
      repository.git('checkout', '-q', 'evil');
      for (const name of ['python3', 'mypy']) {
        const program = join(repository.dir, '.venv/bin', name);
        // The rest of the environment is the user's, and would load what the repository adds to it.
        if (!existsSync(program)) repository.write({ [`.venv/bin/${name}`]: trap.shell });
        chmodSync(program, 0o755);
      }
      await check(repository, ['main', 'one', 'two']);
      expect(trap.isSprung).toBe(false);
    },
  );

  test('because a folder of the repository is on PATH', async () => {
    const trap = new Trap();
    const repository = pythonProject({ 'mypy.ini': '[mypy]\n' });
    repository.branch('evil', { 'tools/mypy': trap.shell, 'tools/python3': trap.shell });
    repository.git('checkout', '-q', 'evil');
    for (const name of ['mypy', 'python3']) chmodSync(join(repository.dir, 'tools', name), 0o755);
    const path = `${join(repository.dir, 'tools')}:${programs()}`;
    const { report } = await check(repository, ['main', 'one', 'two'], { PATH: path });
    expect(report.checkers).toEqual([expect.objectContaining({ name: 'mypy', origin: 'path' })]);
    expect(trap.isSprung).toBe(false);
  });
});
