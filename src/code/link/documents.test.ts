import { expect, test } from 'vitest';
import { ResolutionDocuments } from './documents.ts';

/** Whether imports can lead elsewhere after a document has changed from one text to the other. */
async function redirects(path: string, before: string, after: string): Promise<boolean> {
  const texts = new Map([
    ['1', before],
    ['2', after],
  ]);
  const content = async (id: string) => Buffer.from(texts.get(id) ?? '');
  const entry = (id: string) => ({ kind: 'file', id, mode: '100644' }) as const;
  return new ResolutionDocuments({ content }).redirects({
    status: 'modified',
    path,
    oldPath: null,
    before: entry('1'),
    after: entry('2'),
  });
}

const manifest = (rest: object) => JSON.stringify({ name: 'app', dependencies: { vue: '^3.4.0' }, ...rest });

test.each([
  [
    'a newer version of a package',
    'package.json',
    manifest({}),
    manifest({ dependencies: { vue: '^3.5.0' } }),
  ],
  [
    'scripts and the own version',
    'package.json',
    manifest({}),
    manifest({ scripts: { a: 'b' }, version: '2' }),
  ],
  ['requirements of Go', 'go.mod', 'module x.com/a\n', 'module x.com/a\n\nrequire x.com/b v1.2.3\n'],
  [
    'settings of a linter and a newer requirement',
    'pyproject.toml',
    '[project]\ndependencies = ["a>=1"]\n',
    '[project]\ndependencies = ["a>=2"]\n[tool.ruff]\nselect = []\n',
  ],
])('%s do not redirect imports', async (_, path, before, after) => {
  expect(await redirects(path, before, after)).toBe(false);
});

test.each([
  ['exports', 'package.json', manifest({}), manifest({ exports: './a.js' })],
  ['another name', 'package.json', manifest({}), manifest({ name: 'other' })],
  [
    'a package from elsewhere',
    'package.json',
    manifest({}),
    manifest({ dependencies: { vue: 'link:../vue' } }),
  ],
  ['a new dependency', 'package.json', manifest({}), manifest({ devDependencies: { b: '1' } })],
  ['a text that cannot be read', 'package.json', manifest({}), '{'],
  ['any edit of a tsconfig', 'tsconfig.json', '{}', '{ }'],
  ['another name of the module', 'go.mod', 'module x.com/a\n', 'module x.com/b\n'],
  ['another root', 'pyproject.toml', '', '[tool.pytest.ini_options]\npythonpath = "lib"\n'],
])('%s may', async (_, path, before, after) => {
  expect(await redirects(path, before, after)).toBe(true);
});
