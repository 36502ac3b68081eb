import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { check, Trap } from '../support/trap.ts';

const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout.trim();

/** Reads its settings and loads plugins like mypy. */
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

/** A folder of programs, including mypy. */
function programs(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'mypy'), mypy);
  chmodSync(join(folder, 'mypy'), 0o755);
  return `${folder}:${process.env.PATH}`;
}

describe('Python code of the repository is not run', () => {
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

  test.each(['', 'src'])('because the environment of the project loads the checkout: /%s', async (folder) => {
    const trap = new Trap();
    const repository = pythonProject({ 'mypy.ini': '[mypy]\n', '.gitignore': '.venv\n' });
    spawnSync(python, ['-m', 'venv', '--without-pip', join(repository.dir, '.venv')]);
    const [library = ''] = readdirSync(join(repository.dir, '.venv/lib'));
    const packages = `.venv/lib/${library}/site-packages`;
    repository.write({
      '.venv/bin/mypy': mypy.replace(python, join(repository.dir, '.venv/bin/python3')),
      [`${packages}/project.pth`]: `${join(repository.dir, folder)}\n`,
      [`${packages}/other.pth`]: '# nothing\n',
    });
    chmodSync(join(repository.dir, '.venv/bin/mypy'), 0o755);
    repository.branch('evil', { [join(folder, 'sitecustomize.py')]: trap.python });
    repository.git('checkout', '-q', 'evil');
    const { report } = await check(repository, ['main', 'one', 'two']);
    expect(report.checkers).toEqual([expect.objectContaining({ name: 'mypy', origin: 'project' })]);
    expect(trap.isSprung).toBe(false);
  });

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

test('a module of Go in a folder outside the repository is not read', async () => {
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'go.mod'), 'module outside\n');
  writeFileSync(join(outside, 'o.go'), 'package outside\n\nconst Token = "sk-outside-1234"\n');
  const repository = new GitRepository();
  repository.commit({
    'go.mod': `module p\n\ngo 1.19\n\nrequire outside v0.0.0\n\nreplace outside => ${outside}\n`,
    't.go': 'package p\n\nconst T = 1\n',
  });
  repository.branch('one', { 't.go': 'package p\n\nimport "outside"\n\nconst T = outside.Token\n' });
  repository.branch('two', { 'n.go': 'package p\n\nvar N int = T\n' });
  const cache = temporaryFolder();
  const { stdout } = await joinery(['check', '--json', '--confirm', 'types', 'main', 'one', 'two'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
  });
  expect(JSON.parse(stdout).checkers).toContainEqual(expect.objectContaining({ name: 'go vet' }));
  expect(stdout).not.toContain('sk-outside-1234');
});
