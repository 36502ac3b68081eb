import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

function project(files: Readonly<Record<string, string>> = {}): GitRepository {
  const made = new GitRepository();
  made.commit({ 'a.ts': 'export const a = 1;\n', ...files });
  return made;
}

test.each([
  ['a device', '/dev/zero', 'it is not a regular file'],
  ['a task that reads as an option', 'dash.json', 'does not begin with a letter'],
])('%s is no plan: exit 3, one line', async (_, plan, why) => {
  const { dir } = project();
  const tasks = [{ id: '-dash', title: 'x' }];
  writeFileSync(join(dir, 'dash.json'), JSON.stringify({ schema: 'joinery/plan@1', tasks }));
  writeFileSync(join(dir, 's.json'), '{"schema":"joinery/scenario@1","attempts":[]}');
  const { code, stderr } = await joinery(
    ['run', '--plan', plan, '--agent', 'scripted', '--scenario', 's.json'],
    { cwd: dir },
  );
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(why) });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a range is not a valid base: exit 3', async () => {
  const { dir } = project();
  writeFileSync(join(dir, 'p.json'), '{"schema":"joinery/plan@1","tasks":[{"id":"a","title":"x"}]}');
  writeFileSync(join(dir, 's.json'), '{"schema":"joinery/scenario@1","attempts":[]}');
  const args = ['run', '--plan', 'p.json', '--base', '^main', '--agent', 'scripted', '--scenario', 's.json'];
  const { code, stderr } = await joinery(args, { cwd: dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('there is no commit named') });
});

test('endlessly nested settings are reported in one line', async () => {
  const { dir } = project();
  writeFileSync(join(dir, 'joinery.json'), '['.repeat(30_000) + ']'.repeat(30_000));
  const { code, stderr } = await joinery(['check'], { cwd: dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('levels deep') });
});

test.runIf(process.platform === 'linux').each(['JOINERY_CACHE_DIR', 'JOINERY_STATE_DIR'])(
  '%s below /proc, where Node would never return from making a folder: exit 5',
  async (name) => {
    const repository = project();
    repository.branch('work', { 'b.ts': 'export const b = 1;\n' });
    const { code, stderr } = await joinery(['check'], { cwd: repository.dir, env: { [name]: '/proc/x/y' } });
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining(`set ${name} to`) });
  },
);

test('what a terminal would obey is shown as text, in warnings and errors', async () => {
  const { dir } = project({ 'joinery.json': '{"\\u001b[31mevil\\u202e":1}' });
  const { stderr } = await joinery(['check', 'ma\u202ein'], { cwd: dir });
  expect(stderr).toContain('\\u{202e}');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(stderr).not.toMatch(/[\u001b\u202e]/);
});

test('settings that are a link to a device are not read', async () => {
  const { dir } = project();
  symlinkSync('/dev/zero', join(dir, 'joinery.json'));
  const { code, stderr } = await joinery(['check'], { cwd: dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('it is not a regular file') });
});

test('a command that is shown to be copied runs nothing else, whatever the name of a branch or folder', async () => {
  const made = project();
  made.branch('a;touch${IFS}pwn', { 'b.ts': 'export const b = 1;\n' });
  const env = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
  const { stdout } = await joinery(['integrate', 'a;touch${IFS}pwn', '--json'], { cwd: made.dir, env });
  expect(JSON.parse(stdout).next).toBe(
    "joinery integrate 'a;touch${IFS}pwn' --into main --land --update-checkout --unproven",
  );

  const folder = join(temporaryFolder(), ';touch pwn');
  const bin = temporaryFolder();
  mkdirSync(folder);
  const refusal = 'fatal: detected dubious ownership in repository';
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "${refusal}" >&2\nexit 128\n`, { mode: 0o755 });
  const foreign = await joinery(['check'], {
    cwd: folder,
    env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  expect(foreign).toMatchObject({ code: 3, stderr: expect.stringContaining(`safe.directory '${folder}'`) });
});

test.each([
  ['a pattern of a thousand characters', { ignore: [{ path: 'x'.repeat(1001), reason: 'r' }] }],
  ['a pattern with a hundred alternatives', { ignore: [{ path: '{a,b}'.repeat(7), reason: 'r' }] }],
])('settings with %s are a one-line error', async (_, settings) => {
  const made = project({ 'joinery.json': JSON.stringify(settings) });
  made.branch('b', { 'b.ts': 'export const b = 1;\n' });
  const { code, stderr } = await joinery(['check', 'main', 'b'], { cwd: made.dir });
  expect(stderr).not.toMatch(/defect of joinery|^\s+at /m);
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 3, lines: 1 });
});

test.each(['null', '[]', '{', '{"dependencies":7}'])(
  'doctor examines a project whose manifest is %s',
  async (text) => {
    const { dir } = project({ 'package.json': text, 'tsconfig.json': text });
    mkdirSync(join(dir, 'node_modules/typescript'), { recursive: true });
    writeFileSync(join(dir, 'node_modules/typescript/package.json'), text);
    const { code, stderr } = await joinery(['doctor'], { cwd: dir });
    expect(stderr).not.toMatch(/defect of joinery|^\s+at /m);
    expect([0, 1, 2, 3]).toContain(code);
  },
);

test('doctor shows a version with control characters as text', async () => {
  const { dir } = project({ 'tsconfig.json': '{}' });
  mkdirSync(join(dir, 'node_modules/typescript/lib'), { recursive: true });
  const manifest = '{"name":"typescript","version":"5.9.3\\u001b]0;evil\\u0007\\u202e"}';
  writeFileSync(join(dir, 'node_modules/typescript/package.json'), manifest);
  writeFileSync(join(dir, 'node_modules/typescript/lib/typescript.js'), '');
  const { stdout, stderr } = await joinery(['doctor'], { cwd: dir });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
});

test('the error for a plan that is not JSON contains no control characters', async () => {
  const { dir } = project();
  writeFileSync(join(dir, 'p.json'), '{"a": \u001b[31m\u202e}');
  const { code, stderr } = await joinery(['run', '--plan', 'p.json', '--agent', 'scripted'], { cwd: dir });
  expect(code).toBe(3);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(stderr).not.toMatch(/[\u001b\u202e]/);
});

test('names of thousands of bytes and missing content cause no stack trace', async () => {
  const made = project({ 'mypy.ini': '[mypy]\n', 'a.py': 'a = 1\n' });
  const long = 'x'.repeat(5000);
  const id = made.pipe('b = 1\n', ['hash-object', '-w', '--stdin']);
  const rows = `${made.git('ls-tree', 'main')}\n100644 blob ${id}\t${long}.py\n`;
  const tree = made.pipe(rows, ['mktree']);
  made.git('update-ref', 'refs/heads/long', made.git('commit-tree', tree, '-p', 'main', '-m', 'long'));
  const gone = `100644 blob ${'1'.repeat(40)}\tgone.py`;
  const holed = made.pipe(`${made.git('ls-tree', 'main')}\n${gone}\n`, ['mktree', '--missing']);
  made.git('update-ref', 'refs/heads/holed', made.git('commit-tree', holed, '-p', 'main', '-m', 'holed'));
  made.branch('fine', { 'c.py': 'c = 1\n' });
  for (const branch of ['long', 'holed']) {
    const cache = temporaryFolder();
    const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
    const { code, stderr } = await joinery(['check', 'main', branch, 'fine'], { cwd: made.dir, env });
    expect(stderr, branch).not.toMatch(/defect of joinery|^\s+at /m);
    expect([0, 1, 2, 5], branch).toContain(code);
  }
});

test.each([
  ['artifact', 'list', 'x'],
  ['questions', 'list', 'x'],
  ['contract', 'draft', 'main', 'x'],
  ['workflow', 'list', 'x'],
  ['workflow', 'runs', 'x'],
])('a word that joinery %s %s would ignore is refused', async (...args) => {
  const { code, stderr } = await joinery(args, { cwd: project().dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('what to do with "x"') });
});

test('a machine without an agent is an environment error: exit 5', async () => {
  const { dir } = project({ 'specs/x.md': '# X\n' });
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: temporaryFolder(),
  };
  const { code, stdout } = await joinery(['challenge', 'specs/x.md', '--json'], { cwd: dir, env });
  expect([code, JSON.parse(stdout).error.code]).toEqual([5, 'no-agent']);
});

test('a branch without a commit is reported as such', async () => {
  const repository = project();
  repository.git('checkout', '-q', '--orphan', 'fresh');
  const { code, stderr } = await joinery(['secrets'], { cwd: repository.dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('has no commit yet') });
});

test('a branch named like the id of a commit is checked as the branch', async () => {
  const repository = project({ 'b.ts': "import { a } from './a.ts';\nexport const b = a;\n" });
  const base = repository.git('rev-parse', 'main');
  repository.branch('renames', { 'a.ts': 'export const renamed = 1;\n', 'b.ts': 'export const b = 1;\n' });
  repository.branch('uses', { 'c.ts': "import { a } from './a.ts';\nexport const c = a;\n" });
  // Git refuses to make one, and a push can bring one.
  repository.git('update-ref', `refs/heads/${base}`, 'uses');
  repository.git('branch', '-D', 'uses');
  const { code, stdout } = await joinery(['check', '--json', '--confirm', 'none'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).branches.find(({ ref }: { ref: string }) => ref === base)).toMatchObject({
    state: 'checked',
    files: 1,
  });
});
