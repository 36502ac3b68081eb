import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files, GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import type { HostileRepository } from './hostile-repository.ts';

const size = 60_000;
const many = (text: string, bytes = size) => text.repeat(Math.ceil(bytes / text.length));

/** Branch `b` also has these files. */
const files = (name: string, more: Files, args?: readonly string[]): HostileRepository => ({
  name,
  build: (repository) => {
    repository.git('branch', '-q', '-D', 'b');
    repository.branch('b', { 'c.ts': 'export const c = 1;\n', ...more });
  },
  ...(args ? { args } : {}),
});

/** Branch `b` is a tree of entries that git itself would refuse to add. */
function entries(
  name: string,
  rows: (repository: GitRepository) => readonly (readonly [string, string, string])[],
): HostileRepository {
  return {
    name,
    build: (repository) => {
      const own = repository
        .git('ls-tree', 'main')
        .split('\n')
        .map((row) => {
          const [mode = '', , id = '', ...path] = row.split(/[ \t]/);
          return [mode, path.join(' '), id] as const;
        });
      const content = [...own, ...rows(repository)].map(([mode, path, id]) =>
        Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(id, 'hex')]),
      );
      const tree = repository.pipe(Buffer.concat(content), [
        'hash-object',
        '-t',
        'tree',
        '-w',
        '--literally',
        '--stdin',
      ]);
      commitTree(repository, tree);
    },
  };
}

function commitTree(repository: GitRepository, tree: string): void {
  const commit = repository.git('commit-tree', tree, '-p', 'main', '-m', 'b');
  repository.git('update-ref', 'refs/heads/b', commit);
}

const blob = (repository: GitRepository, text = 'x = 1\n') =>
  repository.pipe(text, ['hash-object', '-w', '--stdin']);
const own = (
  name: string,
  build: HostileRepository['build'],
  args?: readonly string[],
): HostileRepository => ({
  name,
  build,
  ...(args ? { args } : {}),
});

function put(folder: string, path: string, text: string | Buffer): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function config(repository: GitRepository, settings: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(settings)) repository.git('config', key, value);
}

function objectFile({ dir }: GitRepository, id: string): string {
  return join(dir, '.git/objects', id.slice(0, 2), id.slice(2));
}

const speaking = '\u001b]0;owned\u0007\u001b[31m';
const bidi = '\u202eevil\u2066';

const names: readonly HostileRepository[] = [
  files('a file whose name speaks to the terminal', { [`${speaking}.ts`]: 'export const x = y;\n' }),
  files('a file whose name turns the direction of text', { [`${bidi}.ts`]: 'export const x = 1;\n' }),
  files('a file whose name has a line separator', { 'a\u2028b.py': 'x = 1\n' }),
  files('a file whose name is a workflow command', { '::error file=x::y.ts': 'export const x = 1;\n' }),
  files('a path of three thousand letters', { [`${many('deep/', 3000)}x.ts`]: 'export const x = 1;\n' }),
  files('files that differ in case alone', {
    'X.ts': 'export const x = 1;\n',
    'x.ts': 'export const x = 2;\n',
  }),
  files('a file that is called like an option', {
    '--upload-pack=touch': 'x',
    '-rf.ts': 'export const x = 1;\n',
  }),
  own(
    'a branch whose name turns the direction of text',
    (repository) => {
      repository.git('update-ref', `refs/heads/${bidi}`, 'b');
    },
    ['main', 'a', bidi],
  ),
  own(
    'a branch that is called like an option',
    (repository) => {
      repository.git('update-ref', 'refs/heads/--help', 'b');
    },
    ['--base', 'main', '--', 'a', '--help'],
  ),
  own('a tag, a branch and a file of one name', (repository) => {
    repository.git('tag', 'a', 'main');
    repository.git('update-ref', 'refs/heads/a.ts', 'b');
    repository.git('update-ref', 'refs/heads/refs/heads/a', 'b');
  }),
  own('three hundred branches nobody named', (repository) => {
    const id = repository.git('rev-parse', 'b');
    repository.pipe(Array.from({ length: 300 }, (_, at) => `create refs/heads/n${at} ${id}\n`).join(''), [
      'update-ref',
      '--stdin',
    ]);
  }),
];

const trees: readonly HostileRepository[] = [
  entries('a folder called .git with a hook', (repository) => {
    const inner = repository.pipe(
      Buffer.concat([
        Buffer.from('100755 post-checkout\0'),
        Buffer.from(blob(repository, '#!/bin/sh\n'), 'hex'),
      ]),
      ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'],
    );
    return [['40000', '.git', inner]];
  }),
  entries('a folder called ..', (repository) => [
    ['40000', '..', repository.git('rev-parse', 'main^{tree}')],
  ]),
  entries('a name with a slash', (repository) => [['100644', '../../evil.ts', blob(repository)]]),
  entries('an entry without a name', (repository) => [['100644', '', blob(repository)]]),
  entries('the same name twice', (repository) => [
    ['100644', 'z.ts', blob(repository, 'export const z = 1;\n')],
    ['100644', 'z.ts', blob(repository, 'export const z = 2;\n')],
  ]),
  entries('a file and a folder of one name', (repository) => [
    ['100644', 'z', blob(repository)],
    ['40000', 'z', repository.git('rev-parse', 'main^{tree}')],
  ]),
  entries('a mode that does not exist', (repository) => [['107777', 'z.ts', blob(repository)]]),
  entries('a file that is a tree', (repository) => [
    ['100644', 'z.ts', repository.git('rev-parse', 'main^{tree}')],
  ]),
  entries('a folder that is a file', (repository) => [['40000', 'z', blob(repository)]]),
  entries('a file that is not there', () => [['100644', 'z.ts', 'ab'.repeat(20)]]),
  entries('a submodule that is not there', () => [['160000', 'z', 'ab'.repeat(20)]]),
  entries('a name of five thousand bytes', (repository) => [
    ['100644', `${'z'.repeat(5000)}.ts`, blob(repository, 'export const z = 1;\n')],
  ]),
  entries('a link to the whole machine', (repository) => [['120000', 'z', blob(repository, '/')]]),
  entries('a link to itself', (repository) => [['120000', 'z.ts', blob(repository, 'z.ts')]]),
  entries('settings of a compiler that are a link to a device', (repository) => [
    ['120000', 'tsconfig.build.json', blob(repository, '/dev/zero')],
  ]),
  entries('names that only git on Windows takes for .git', (repository) => [
    ['100644', '.git::$INDEX_ALLOCATION', blob(repository)],
    ['100644', 'GIT~1', blob(repository)],
  ]),
];

const stores: readonly HostileRepository[] = [
  own('a blob that is gone', (repository) =>
    rmSync(objectFile(repository, repository.git('rev-parse', 'a:b.ts')), { force: true }),
  ),
  own('a blob that was cut off', (repository) => {
    const id = blob(repository, 'export const c = 1; // cut\n');
    const row = `100644 blob ${id}\tc.ts\n`;
    commitTree(repository, repository.pipe(`${repository.git('ls-tree', 'main')}\n${row}`, ['mktree']));
    const file = objectFile(repository, id);
    chmodSync(file, 0o644);
    truncateSync(file, 12);
  }),
  own('a blob with other content', (repository) => {
    const id = blob(repository, 'export const c = 1; // own\n');
    const other = blob(repository, 'export const c = 1; // other\n');
    commitTree(
      repository,
      repository.pipe(`${repository.git('ls-tree', 'main')}\n100644 blob ${id}\tc.ts\n`, ['mktree']),
    );
    const file = objectFile(repository, id);
    rmSync(file);
    symlinkSync(objectFile(repository, other), file);
  }),
  own('objects in the place of others', (repository) => {
    repository.git('replace', repository.git('rev-parse', 'b'), repository.git('rev-parse', 'a'));
  }),
  own('grafted ancestors in a circle', (repository) => {
    const [main, a] = [repository.git('rev-parse', 'main'), repository.git('rev-parse', 'a')];
    put(repository.dir, '.git/info/grafts', `${main} ${a}\n`);
  }),
  own('a list of shallow commits that is none', ({ dir }) => void put(dir, '.git/shallow', 'not an id\n')),
  own('packed refs that are none', ({ dir }) => void put(dir, '.git/packed-refs', `${speaking}\n`)),
  own('an index that is none', ({ dir }) => void put(dir, '.git/index', Buffer.alloc(4096, 0xff))),
  own('a HEAD that leads nowhere', ({ dir }) => void put(dir, '.git/HEAD', 'ref: refs/heads/nowhere\n')),
  own(
    'another store of objects that is not there',
    ({ dir }) => void put(dir, '.git/objects/info/alternates', '/nowhere\n/dev/null\n'),
  ),
  own('a commit with a message of eight megabytes', (repository) => {
    const tree = repository.git('rev-parse', 'b^{tree}');
    const commit = repository.pipe(many(`${speaking}\n`, 8e6), ['commit-tree', tree, '-p', 'main']);
    repository.git('update-ref', 'refs/heads/b', commit);
  }),
  own('a commit without author, date and sense', (repository) => {
    const text = `tree ${repository.git('rev-parse', 'b^{tree}')}\nparent ${repository.git('rev-parse', 'main')}\nauthor ${speaking}\ncommitter <> 99999999999999999999 +9999\n\n`;
    const commit = repository.pipe(text, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin']);
    put(repository.dir, '.git/refs/heads/b', `${commit}\n`);
  }),
  own('a merge of forty parents', (repository) => {
    const tree = repository.git('rev-parse', 'b^{tree}');
    const parents = Array.from({ length: 40 }, (_, at) =>
      repository.git('commit-tree', tree, '-p', 'main', '-m', String(at)),
    );
    const commit = repository.git(
      'commit-tree',
      tree,
      ...parents.flatMap((parent) => ['-p', parent]),
      '-m',
      'all',
    );
    repository.git('update-ref', 'refs/heads/b', commit);
  }),
  own('a branch without common history', (repository) => {
    const commit = repository.git('commit-tree', repository.git('rev-parse', 'b^{tree}'), '-m', 'alone');
    repository.git('update-ref', 'refs/heads/b', commit);
  }),
];

const settings: readonly HostileRepository[] = [
  own(
    'programs in the settings of git',
    (repository, trap) => {
      const file = put(temporaryFolder(), 'evil', trap.shell);
      chmodSync(file, 0o755);
      config(repository, {
        'core.fsmonitor': file,
        'core.pager': file,
        'core.editor': file,
        'core.sshCommand': file,
        'core.gitProxy': file,
        'diff.external': file,
        'credential.helper': file,
        'gpg.program': file,
        'uploadpack.packObjectsHook': file,
        'filter..clean': file,
        'filter..smudge': file,
        'merge.x.driver': file,
        'diff.x.textconv': file,
        'alias.cat-file': `!${file}`,
      });
      put(repository.dir, '.git/info/attributes', '* filter= merge=x diff=x\n');
    },
    ['main', 'a', 'b', '.'],
  ),
  own('hooks in a folder of the repository', (repository, trap) => {
    config(repository, { 'core.hooksPath': 'hooks' });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-auto-gc'])
      chmodSync(put(repository.dir, `hooks/${hook}`, trap.shell), 0o755);
  }),
  own('objects that are fetched by a program', (repository, trap) => {
    config(repository, {
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::sh -c "touch% ${trap.mark}"`,
      'protocol.ext.allow': 'always',
    });
    config(repository, { 'core.repositoryFormatVersion': '1' });
    rmSync(objectFile(repository, repository.git('rev-parse', 'a:b.ts')), { force: true });
  }),
  own('a work tree that is the whole machine', (repository) => config(repository, { 'core.worktree': '/' })),
  own('settings that name a device', (repository) =>
    config(repository, {
      'core.attributesFile': '/dev/null',
      'core.excludesFile': '/dev/full',
      'init.templateDir': '/dev',
    }),
  ),
  own(
    'a setting without sense',
    ({ dir }) => void put(dir, '.git/config', '[core]\n\trepositoryformatversion = 0\n\tbare = maybe\n'),
  ),
  own('a format that nobody knows', (repository) =>
    // The version last: git refuses to write settings of an unknown format.
    config(repository, { 'extensions.evil': 'true', 'core.repositoryFormatVersion': '99' }),
  ),
  files('settings of mypy that are several lines in one', {
    'mypy.ini': '[mypy]\nstrict_optional = True\rplugins = ./evil.py\n',
    'evil.py': 'raise SystemExit\n',
  }),
  files('settings of a compiler that name files of the machine', {
    'tsconfig.json':
      '{"compilerOptions":{"types":["/etc/passwd"],"typeRoots":["/"],"plugins":[{"name":"./evil.js"}]},"files":["/etc/passwd","c.ts"]}',
  }),
  files(
    'settings of a compiler that extend each other in a long chain',
    Object.fromEntries([
      ['tsconfig.json', '{"extends":"./t0.json","include":["*.ts"]}'],
      ...Array.from({ length: 400 }, (_, at) => [`t${at}.json`, `{"extends":"./t${at + 1}.json"}`]),
    ]),
  ),
  files('settings of our own that would silence the check', {
    'joinery.json':
      '{"ignore":[{"path":"**","reason":"legacy"}],"rules":{"T01":"off"},"__proto__":{"strict":false}}',
  }),
  own('settings of our own with a pattern without end', (repository) => {
    repository.commit({
      'joinery.json': JSON.stringify({ ignore: [{ path: many('{a,', 5000), reason: 'x' }] }),
    });
  }),
  own('settings of our own that are a link to a device', (repository) => {
    symlinkSync('/dev/zero', join(repository.dir, 'joinery.json'));
    repository.git('add', '--all');
    repository.git('commit', '-q', '-m', 'link');
  }),
];

const texts: readonly HostileRepository[] = [
  files('brackets without end', {
    'z.ts': many('[{(<'),
    'z.py': many('[{('),
    'z.json': many('[{"a":'),
    'z.toml': `a = ${many('[')}`,
    'z.yaml': many('- ', 4000),
  }),
  files('lines that go on', { 'z.py': many('\\\n'), 'z.sh': many('\\\n'), 'y.py': `${many('x=')}1\n` }),
  files('quotes and comments that never end', {
    'z.ts': many('`${'),
    'y.ts': many('/*'),
    'x.ts': many("'\\"),
    'z.py': many('"""'),
  }),
  files('a document that repeats itself', {
    'z.yaml': [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'
        .split('')
        .map((each, at) => `${each}: &${each} [${many(`*${'abcdefghi'[at]},`, 27).slice(0, -1)}]`),
    ].join('\n'),
  }),
  files('keys that are those of every object', {
    'z.json': '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}',
    'package.json':
      '{"name":"x","dependencies":{"__proto__":"1","constructor":"2"},"exports":{"__proto__":"./a.ts"}}',
  }),
  files(
    'a hundred modules that export each other',
    Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [
        `m${at}.ts`,
        `export * from './m${(at + 1) % 100}';\nexport * from './m${(at * 7) % 100}';\nexport const v${at} = 1;\n`,
      ]),
    ),
  ),
  files('a chain of a thousand classes', {
    'z.ts': Array.from({ length: 1000 }, (_, at) => `export class C${at} extends C${at + 1} {}\n`).join(''),
    'z.py': Array.from({ length: 1000 }, (_, at) => `class C${at}(C${at + 1}):\n    pass\n`).join(''),
  }),
  files('types that grow', {
    'z.ts': `type A<T> = T extends [infer H, ...infer R] ? [...A<R>, H, ...A<R>] : [];\nexport type B = A<[${many('1,', 60).slice(0, -1)}]>;\nexport const b: B = [] as never;\n`,
  }),
  files('escapes in messages of a compiler', { 'z.ts': `export const z: '${speaking}${bidi}' = 1;\n` }),
  files('code that is no text', {
    'z.ts': 'export const z = "\0\ufeff\ud800";\n',
    'z.py': `# -*- coding: utf-16 -*-\n${many('\u0000x')}`,
  }),
  files('decorators, generics and options in masses', {
    'z.ts': `export const z = ${many('a?.')}b;\n`,
    'y.ts': `${many('@a ')}export class Y {}\n`,
    'x.ts': `export type X = ${many('A<')};\n`,
  }),
  files('a manifest of packages without sense', {
    'package.json': 'null',
    'package-lock.json': '[]',
    'pnpm-workspace.yaml': 'packages: {{',
    'pyproject.toml': '[project\n',
  }),
];

export const firstRound: readonly HostileRepository[] = [
  ...names,
  ...trees,
  ...stores,
  ...settings,
  ...texts,
];
