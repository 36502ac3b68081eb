import { describe, expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import type { Loss } from '#schema/integration.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { conserve } from './conserve.ts';

interface Case {
  readonly base: Files;
  readonly a: Files;
  readonly b: Files;
  /** How a person resolved the merge of `a` and `b`. */
  readonly resolution: Files;
}

const cases: Case[] = [];
let comparison: Promise<readonly Loss[]> | undefined;

/** The body of a test. All cases run at once, each in a folder of one repository. */
function loses(expected: readonly string[], base: Files, a: Files, b: Files, resolution = b) {
  const folder = `case${cases.push({ base, a, b, resolution })}/`;
  return async () => {
    comparison ??= compare();
    const lost = (await comparison).filter(({ path }) => path.startsWith(folder));
    const told = lost.map(
      ({ branch, path, entity, what }) =>
        `${branch} ${what} ${path.slice(folder.length)}${entity === null ? '' : `#${entity}`}`,
    );
    expect(told).toEqual(expected);
  };
}

async function compare(): Promise<readonly Loss[]> {
  const all = (side: keyof Case): Files =>
    Object.fromEntries(
      cases.flatMap((each, index) =>
        Object.entries(each[side]).map(([path, text]) => [`case${index + 1}/${path}`, text]),
      ),
    );
  const repository = new GitRepository();
  const from = repository.commit(all('base'), 'base');
  const tips = [
    { ref: 'a', commit: repository.branch('a', all('a')) },
    { ref: 'b', commit: repository.branch('b', all('b')) },
  ];
  const result = repository.branch('result', all('resolution'));
  return (await conserve(new Git({ cwd: repository.dir }), from, tips, result)).lost;
}

const one = 'export function one() {\n  return 1;\n}\n';
const two = 'export function two() {\n  return 2;\n}\n';
const three = 'export function three() {\n  return 3;\n}\n';
const body = (...lines: string[]) =>
  `export function run() {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
const file = (path: string, text: string | null): Files => ({ [path]: text });

describe('a result that contains everything loses nothing', () => {
  test(
    'both added at the same place, and the resolution keeps both',
    loses(
      [],
      file('a.ts', one),
      file('a.ts', one + two),
      file('a.ts', one + three),
      file('a.ts', one + three + two),
    ),
  );

  const imports = (...names: string[]) =>
    `import { ${names.join(', ')} } from './x.ts';\n${names.map((name) => `${name}();\n`).join('')}`;
  test(
    'imports of both, joined in one line',
    loses(
      [],
      file('a.ts', imports('x')),
      file('a.ts', imports('x', 'y')),
      file('a.ts', imports('x', 'z')),
      file('a.ts', imports('x', 'y', 'z')),
    ),
  );

  test(
    'JSON entries where a comma had to be added',
    loses(
      [],
      file('p.json', '{\n  "a": 1\n}\n'),
      file('p.json', '{\n  "a": 1,\n  "b": 2\n}\n'),
      file('p.json', '{\n  "a": 1,\n  "c": 3\n}\n'),
      file('p.json', '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n'),
    ),
  );

  test(
    'a function that both changed, with the lines of both',
    loses(
      [],
      file('a.ts', body('start();')),
      file('a.ts', body('start();', 'first();')),
      file('a.ts', body('start();', 'second();')),
      file('a.ts', body('start();', 'first();', 'second();')),
    ),
  );

  test(
    'a data file with another formatting',
    loses(
      [],
      file('ci.yml', 'jobs:\n  a:\n    run: x\n'),
      file('ci.yml', 'jobs:\n  a:\n    run: x\n  b:\n    run: y\n'),
      file('ci.yml', 'jobs:\n  a:\n    run: x\n  c:\n    needs: [a, b]\n'),
      file('ci.yml', 'jobs:\n  a: { run: x }\n  b: { run: y }\n  c:\n    needs:\n      - b\n      - a\n'),
    ),
  );
});

describe("a resolution that drops a sibling's work", () => {
  test(
    'a definition in TypeScript',
    loses(
      ['b added a.ts#three'],
      file('a.ts', one),
      file('a.ts', one + two),
      file('a.ts', one + three),
      file('a.ts', one + two),
    ),
  );

  const user = 'class User:\n    def name(self):\n        return "a"\n';
  test(
    'a method in Python',
    loses(
      ['a added u.py#User.email'],
      file('u.py', user),
      file('u.py', `${user}\n    def email(self):\n        return "b"\n`),
      file('u.py', `${user}\n    def phone(self):\n        return "c"\n`),
    ),
  );

  test(
    'a change of a function that was reverted',
    loses(
      ['a changed a.ts#one'],
      file('a.ts', one),
      file('a.ts', one.replace('1', '10')),
      file('a.ts', one.replace('1', '100')),
    ),
  );

  test(
    'lines that a branch only removed, in a function that both changed',
    loses(
      ['a changed a.ts#run'],
      file('a.ts', body('start();', 'print(secret);', 'end();')),
      file('a.ts', body('start();', 'end();')),
      file('a.ts', body('start();', 'print(secret);', 'finish();')),
    ),
  );

  test(
    'a removed definition that came back',
    loses(
      ['a removed a.ts#two', 'b changed a.ts#two'],
      file('a.ts', one + two),
      file('a.ts', one),
      file('a.ts', one + two.replace('2', '22')),
      file('a.ts', one + two),
    ),
  );

  test(
    'a registration at the top level',
    loses(
      ["a added app.ts#app.use('/a');"],
      file('app.ts', "app.use('/');\n"),
      file('app.ts', "app.use('/');\napp.use('/a');\n"),
      file('app.ts', "app.use('/');\napp.use('/b');\n"),
    ),
  );

  const route = (path: string, end = 'return 1') => `@app.get('${path}')\ndef one():\n    ${end}\n`;
  test(
    'the path of a route in a decorator',
    loses(
      [`a added r.py#@app.get('/v2/one') one`, `a removed r.py#@app.get('/one') one`],
      file('r.py', route('/one')),
      file('r.py', route('/v2/one')),
      file('r.py', route('/one', 'return 2')),
    ),
  );

  const suite = (...titles: string[]) =>
    `describe('users', () => {\n${titles.map((title) => `  test('${title}', () => {\n    expect(1).toBe(1);\n  });\n`).join('')}});\n`;
  test(
    'a test, by its id',
    loses(
      ['a added u.test.ts#test users > two'],
      file('u.test.ts', suite('one')),
      file('u.test.ts', suite('one', 'two')),
      file('u.test.ts', suite('one', 'three')),
    ),
  );

  for (const [language, path, base, a, b] of [
    ['JSON', 'c.json', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "c": 3\n}\n'],
    ['YAML', 'c.yaml', 'a: 1\n', 'a: 1\nb: 2\n', 'a: 1\nc: 3\n'],
    ['TOML', 'c.toml', 'a = 1\n', 'a = 1\nb = 2\n', 'a = 1\nc = 3\n'],
  ] as const)
    test(
      `an entry in ${language}`,
      loses([`a added ${path}#b`], file(path, base), file(path, a), file(path, b)),
    );

  const settings = {
    'c.json': (one: string, two: string) =>
      `{\n  "one": {\n    "on": ${one}\n  },\n  "two": {\n    "on": ${two}\n  }\n}\n`,
    'c.yaml': (one: string, two: string) => `one:\n  on: ${one}\ntwo:\n  on: ${two}\n`,
    'c.toml': (one: string, two: string) => `[one]\non = ${one}\n[two]\non = ${two}\n`,
  };
  for (const [path, text] of Object.entries(settings))
    test(
      `a value in ${path} whose line also occurs elsewhere`,
      loses(
        [`a changed ${path}#two.on`],
        file(path, text('true', 'false')),
        file(path, text('true', 'true')),
        file(path, text('true', '1')),
      ),
    );

  const steps = (...names: string[]) => `steps:\n${names.map((name) => `  - run: ${name}\n`).join('')}`;
  test(
    'an element of a list in YAML',
    loses(
      ['a added ci.yml#steps[].run'],
      file('ci.yml', steps('build')),
      file('ci.yml', steps('build', 'lint')),
      file('ci.yml', steps('build', 'test')),
    ),
  );

  test(
    'a line of plain text',
    loses(['a added c.txt'], file('c.txt', 'a\n'), file('c.txt', 'a\nb\n'), file('c.txt', 'a\nc\n')),
  );

  const list = (end: string) => `# one\non\n# two\non\n${end}`;
  test(
    'a line of plain text that also occurs elsewhere',
    loses(
      ['a added c.txt'],
      file('c.txt', list('')),
      file('c.txt', list('on\n')),
      file('c.txt', list('off\n')),
    ),
  );

  test(
    'a whole file',
    loses(['a file only-a.ts'], file('x.txt', 'x\n'), file('only-a.ts', one), file('only-b.ts', two)),
  );

  test(
    'a binary file, also without a letter in it',
    loses(['a file x.bin'], file('x.bin', '\0\u0001'), file('x.bin', '\0\u0002'), file('x.bin', '\0\u0003')),
  );

  test(
    'a deleted file that still exists',
    loses(
      ['a removed gone.ts'],
      { 'gone.ts': body('gone();'), 'b.ts': two },
      file('gone.ts', null),
      file('b.ts', three),
    ),
  );

  test(
    'a deleted file that the resolution keeps with the edits of the other branch',
    loses(
      ['a removed gone.ts'],
      file('gone.ts', body('gone();')),
      file('gone.ts', null),
      file('gone.ts', body('gone();', 'more();')),
    ),
  );

  test(
    'edits of a file that the resolution deletes, as the other branch did',
    loses(
      ['b file gone.ts'],
      file('gone.ts', body('gone();')),
      file('gone.ts', null),
      file('gone.ts', body('gone();', 'more();')),
      file('gone.ts', null),
    ),
  );
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

test('a mode that the result does not have is lost', async () => {
  const repository = new GitRepository();
  const from = repository.commit({ 'run.sh': 'echo one\n' }, 'base');
  const result = repository.branch('result', { 'run.sh': 'echo two\n' });
  repository.git('checkout', '-q', '-b', 'a', from);
  repository.git('update-index', '--chmod=+x', 'run.sh');
  repository.git('commit', '-q', '-m', 'a');
  const tips = [{ ref: 'a', commit: repository.git('rev-parse', 'a').trim() }];
  const { lost } = await conserve(new Git({ cwd: repository.dir }), from, tips, result);
  expect(lost).toMatchObject([{ path: 'run.sh', what: 'file', detail: expect.stringContaining('100755') }]);
});

test('a file that is too large to be read is lost where the result has another one', async () => {
  const large = 'x'.repeat(9 * 1024 * 1024);
  const repository = new GitRepository();
  const from = repository.commit({ 'a.txt': 'a\n' }, 'base');
  const tips = [{ ref: 'a', commit: repository.branch('a', { 'film.mp4': large }) }];
  const git = new Git({ cwd: repository.dir });
  const kept = await conserve(git, from, tips, repository.branch('kept', { 'film.mp4': large }));
  expect(kept.lost).toEqual([]);
  expect(kept.conserved.get('a')).toEqual({ files: 1, entities: ['film.mp4#'], inherited: [] });
  const other = await conserve(git, from, tips, repository.branch('other', { 'film.mp4': `${large}y` }));
  expect(other.lost).toMatchObject([{ path: 'film.mp4', what: 'file' }]);
});

test('git is asked once for each branch whether another one is built on it, however much is lost', async () => {
  let asked = 0;
  class CountingGit extends Git {
    override run(...given: Parameters<Git['run']>) {
      if (given[0].includes('--is-ancestor')) asked += 1;
      return super.run(...given);
    }
  }
  const repository = new GitRepository();
  const from = repository.commit({ 'a.txt': 'a\n' }, 'base');
  const files = (text: string): Files =>
    Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`${number}.txt`, text]));
  const tips = ['a', 'b', 'c'].map((ref) => ({ ref, commit: repository.branch(ref, files(`${ref}\n`)) }));
  const result = repository.branch('result', files('result\n'));
  const { lost } = await conserve(new CountingGit({ cwd: repository.dir }), from, tips, result);
  expect(lost.length).toBe(60);
  expect(asked).toBe(6);
});

test('an entity is counted for the branch that brought it, also when another one is built on it', async () => {
  const repository = new GitRepository();
  const from = repository.commit({ 'a.ts': one }, 'base');
  const first = repository.branch('first', { 'a.ts': one + two });
  repository.git('checkout', '-q', '-b', 'second', first);
  const second = repository.commit({ 'a.ts': one + two, 'b.ts': three, 'c.ts': one }, 'second');
  const tips = [
    { ref: 'first', commit: first },
    { ref: 'second', commit: second },
  ];
  const { conserved } = await conserve(new Git({ cwd: repository.dir }), from, tips, second);
  const all = [...conserved.values()].flatMap(({ entities }) => entities);
  expect(new Set(all).size).toBe(all.length);
  expect(conserved.get('first')?.entities).toContain('a.ts#two');
  expect(conserved.get('second')).toMatchObject({
    files: 2,
    inherited: expect.arrayContaining(['a.ts#two']),
  });
});
