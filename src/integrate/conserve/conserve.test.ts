import { describe, expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { conserve } from './conserve.ts';

/** `a` and `b` are merged; `resolution` is what somebody made of it. */
async function lostIn(base: Files, a: Files, b: Files, resolution: Files): Promise<string[]> {
  const repository = new GitRepository();
  const from = repository.commit(base, 'base');
  const tips = [
    { ref: 'a', commit: repository.branch('a', a) },
    { ref: 'b', commit: repository.branch('b', b) },
  ];
  const result = repository.branch('result', resolution);
  const { lost } = await conserve(new Git({ cwd: repository.dir }), from, tips, result);
  return lost.map(
    ({ branch, path, entity, what }) => `${branch} ${what} ${path}${entity === null ? '' : `#${entity}`}`,
  );
}

const one = 'export function one() {\n  return 1;\n}\n';
const two = 'export function two() {\n  return 2;\n}\n';
const three = 'export function three() {\n  return 3;\n}\n';

describe('a result that holds everything loses nothing', () => {
  test('both added to the same place, and the resolution keeps both', async () => {
    const lost = await lostIn(
      { 'a.ts': one },
      { 'a.ts': one + two },
      { 'a.ts': one + three },
      { 'a.ts': one + three + two },
    );
    expect(lost).toEqual([]);
  });

  test('imports of both, written as one line', async () => {
    const lost = await lostIn(
      { 'a.ts': "import { x } from './x.ts';\nx();\n" },
      { 'a.ts': "import { x, y } from './x.ts';\nx();\ny();\n" },
      { 'a.ts': "import { x, z } from './x.ts';\nx();\nz();\n" },
      { 'a.ts': "import { x, y, z } from './x.ts';\nx();\ny();\nz();\n" },
    );
    expect(lost).toEqual([]);
  });

  test('entries of JSON where a comma had to be added', async () => {
    const lost = await lostIn(
      { 'p.json': '{\n  "a": 1\n}\n' },
      { 'p.json': '{\n  "a": 1,\n  "b": 2\n}\n' },
      { 'p.json': '{\n  "a": 1,\n  "c": 3\n}\n' },
      { 'p.json': '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n' },
    );
    expect(lost).toEqual([]);
  });

  test('a function that both changed, with the lines of both', async () => {
    const body = (...lines: string[]) =>
      `export function run() {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
    const lost = await lostIn(
      { 'a.ts': body('start();') },
      { 'a.ts': body('start();', 'first();') },
      { 'a.ts': body('start();', 'second();') },
      { 'a.ts': body('start();', 'first();', 'second();') },
    );
    expect(lost).toEqual([]);
  });
});

describe('a resolution that drops the work of a sibling', () => {
  test('a definition in TypeScript', async () => {
    const lost = await lostIn(
      { 'a.ts': one },
      { 'a.ts': one + two },
      { 'a.ts': one + three },
      { 'a.ts': one + two },
    );
    expect(lost).toEqual(['b added a.ts#three']);
  });

  test('a method in Python', async () => {
    const user = 'class User:\n    def name(self):\n        return "a"\n';
    const lost = await lostIn(
      { 'u.py': user },
      { 'u.py': `${user}\n    def email(self):\n        return "b"\n` },
      { 'u.py': `${user}\n    def phone(self):\n        return "c"\n` },
      { 'u.py': `${user}\n    def phone(self):\n        return "c"\n` },
    );
    expect(lost).toEqual(['a added u.py#User.email']);
  });

  test('a change of a function that went back to what it was', async () => {
    const lost = await lostIn(
      { 'a.ts': one },
      { 'a.ts': one.replace('1', '10') },
      { 'a.ts': one.replace('1', '100') },
      { 'a.ts': one.replace('1', '100') },
    );
    expect(lost).toEqual(['a changed a.ts#one']);
  });

  test('a removed definition that came back', async () => {
    const lost = await lostIn(
      { 'a.ts': one + two },
      { 'a.ts': one },
      { 'a.ts': one + two.replace('2', '22') },
      { 'a.ts': one + two },
    );
    expect(lost).toEqual(['a removed a.ts#two', 'b changed a.ts#two']);
  });

  test('a registration at the top level', async () => {
    const lost = await lostIn(
      { 'app.ts': "app.use('/');\n" },
      { 'app.ts': "app.use('/');\napp.use('/a');\n" },
      { 'app.ts': "app.use('/');\napp.use('/b');\n" },
      { 'app.ts': "app.use('/');\napp.use('/b');\n" },
    );
    expect(lost).toEqual(['a added app.ts']);
  });

  test.each([
    ['JSON', 'c.json', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "c": 3\n}\n'],
    ['YAML', 'c.yaml', 'a: 1\n', 'a: 1\nb: 2\n', 'a: 1\nc: 3\n'],
    ['TOML', 'c.toml', 'a = 1\n', 'a = 1\nb = 2\n', 'a = 1\nc = 3\n'],
    ['plain text', 'c.txt', 'a\n', 'a\nb\n', 'a\nc\n'],
  ])('an entry in %s', async (_, path, base, a, b) => {
    expect(await lostIn({ [path]: base }, { [path]: a }, { [path]: b }, { [path]: b })).toEqual([
      `a added ${path}`,
    ]);
  });

  test('a whole file', async () => {
    const lost = await lostIn({ 'x.txt': 'x\n' }, { 'a.ts': one }, { 'b.ts': two }, { 'b.ts': two });
    expect(lost).toEqual(['a file a.ts']);
  });

  test('a deleted file that is still there', async () => {
    const lost = await lostIn(
      { 'a.ts': one, 'b.ts': two },
      { 'a.ts': null },
      { 'b.ts': three },
      { 'b.ts': three },
    );
    expect(lost).toEqual(['a removed a.ts']);
  });
});

test('a recorded decision explains a loss', async () => {
  const repository = new GitRepository();
  const from = repository.commit({ 'a.ts': one }, 'base');
  const commit = repository.branch('a', { 'a.ts': one + two });
  const decision = { branch: 'a', path: 'a.ts', entity: 'two', reason: 'three replaces it' };
  const { lost, superseded } = await conserve(
    new Git({ cwd: repository.dir }),
    from,
    [{ ref: 'a', commit }],
    repository.branch('result', { 'a.ts': one + three }),
    [decision],
  );
  expect(lost.filter(({ entity }) => entity === 'two')).toEqual([]);
  expect(superseded).toMatchObject([{ entity: 'two', reason: 'three replaces it' }]);
});
