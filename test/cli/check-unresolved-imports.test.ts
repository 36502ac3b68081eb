import { describe, expect, test } from 'vitest';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Finding } from '#schema/check-report.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { temporaryFolder } from '../support/joinery.ts';

/** The S21 findings for these changes of base. */
async function unresolved(base: Files, ...branches: readonly Files[]): Promise<Finding[]> {
  const repository = new GitRepository();
  repository.commit(base);
  for (const [at, files] of branches.entries()) repository.branch(`b${at}`, files);
  const { report } = await checkBranches({
    repository: await openRepository(repository.dir),
    base: 'main',
    branches: branches.map((_, at) => `b${at}`),
    cacheDir: temporaryFolder(),
    today: '2026-01-01',
  });
  return report.findings.filter(({ rule }) => rule === 'S21');
}

const app = { 'package.json': '{ "name": "app" }', 'src/a.ts': 'export const a = 1;\n' };
const workspace = {
  'package.json': '{ "workspaces": ["packages/*"] }',
  'packages/create/package.json': '{ "name": "create" }',
  'packages/create/src.ts': 'export const a = 1;\n',
};
const template = { 'packages/create/template/package.json': '{ "dependencies": { "ui": "workspace:*" } }' };

describe('an import that resolves to no file', () => {
  test('is reported', async () => {
    const [finding] = await unresolved(app, {
      'src/b.ts': "import { x } from './x';\n\nexport const b = x;\n",
    });
    expect(finding).toMatchObject({ severity: 'important', owner: 'b0' });
    expect(finding?.message).toContain('"./x" leads to no file');
  });

  test.each<[string, Files, Files]>([
    [
      'base misses the same module elsewhere, under another specifier',
      { ...app, 'src/old.ts': "import { query } from './made/client.js';\n\nexport const old = query;\n" },
      { 'src/pages/home.ts': "import { query } from '../made/client.js';\n\nexport const home = query;\n" },
    ],
    [
      'base tries to import the same module',
      {
        'app/__init__.py':
          'try:\n    from app._version import version\nexcept ImportError:\n    version = "0"\n',
      },
      { 'app/about.py': 'from app._version import version\n\nprint(version)\n' },
    ],
    [
      'base misses several modules of the same folder, which a build makes',
      {
        ...app,
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@ui/icons/*": ["./icons/made/*"] } } }',
        'src/menu.ts':
          "import Add from '@ui/icons/Add';\nimport Close from '@ui/icons/Close';\n\nexport const menu = [Add, Close];\n",
      },
      { 'src/bar.ts': "import Search from '@ui/icons/Search';\n\nexport const bar = Search;\n" },
    ],
    [
      'its path leads to a declared module',
      {
        ...app,
        'tsconfig.json': '{ "compilerOptions": { "paths": { "docgen": ["./docgen.d.ts"] } } }',
        'docgen.d.ts': "declare module 'docgen' {\n  export function parse(text: string): string;\n}\n",
      },
      { 'src/bar.ts': "import { parse } from 'docgen';\n\nexport const bar = parse('x');\n" },
    ],
    [
      'base cannot be parsed',
      { 'app/__init__.py': '', 'app/old.py': 'from app.lost import thing\nprint "2"\n' },
      { 'app/old.py': 'from app.lost import thing\nprint("3")\n' },
    ],
    [
      'its folder has a package.json of its own inside a package of a workspace',
      { ...workspace, ...template },
      { 'packages/create/template/page.ts': "import { Button } from 'ui';\n\nexport const page = Button;\n" },
    ],
    [
      'its file has the name of an installed package',
      { 'tools/readme.txt': '' },
      { 'tools/redis.py': 'import redis\nimport redis.client\n\nredis.client.Redis(redis.Url)\n' },
    ],
    [
      'its folder has the name of an installed package',
      { 'checks/docker/__init__.py': '' },
      { 'checks/docker/run.py': 'from docker.errors import NotFound\n\nprint(NotFound)\n' },
    ],
    [
      'it stands in a folder of a tool',
      app,
      { '.storybook/preview.ts': "import { theme } from './made';\n\nexport const preview = theme;\n" },
    ],
  ])('is not reported if %s', async (_, base, files) => {
    expect(await unresolved(base, files, { 'notes.txt': 'hello\n' })).toEqual([]);
  });

  test('is not reported if another branch adds the module', async () => {
    const uses = { 'src/b.ts': "import { x } from './x';\n\nexport const b = x;\n" };
    expect(await unresolved(app, uses, { 'src/x.ts': 'export const x = 1;\n' })).toEqual([]);
  });

  test('is still reported in a package of a workspace and in a package of a project', async () => {
    const inPackage = await unresolved(workspace, {
      'packages/create/page.ts': "import { x } from './x';\n\nexport const b = x;\n",
    });
    const inProject = await unresolved(
      { 'pyproject.toml': '', 'app/__init__.py': '' },
      { 'app/use.py': 'from app.gone import a\n\nprint(a)\n' },
    );
    expect([inPackage.length, inProject.length]).toEqual([1, 1]);
  });
});

describe('one cause is one finding', () => {
  test('when a whole folder is missing', async () => {
    const found = await unresolved(app, {
      'src/b.ts': "import { x } from './api/x';\nimport { y } from './api/y';\n\nexport const b = [x, y];\n",
      'src/deep/c.ts': "import { x } from '../api/x.js';\n\nexport const c = x;\n",
    });
    expect(found.map(({ sites }) => sites.map(({ file, line }) => `${file}:${line}`))).toEqual([
      ['src/b.ts:1', 'src/b.ts:2', 'src/deep/c.ts:1'],
    ]);
  });

  test('when a second branch builds on the first', async () => {
    const lower = { 'src/b.ts': "import { x } from './x';\n\nexport const b = x;\n" };
    const found = await unresolved(app, { ...lower, 'src/c.ts': 'export const c = 1;\n' }, lower);
    expect(found.map(({ branches }) => branches)).toEqual([['b1']]);
  });

  test('and two modules that one package lacks are two', async () => {
    const found = await unresolved(
      { 'app/__init__.py': '' },
      { 'app/use.py': 'from app.gone import a\nfrom app.lost import b\n\nprint(a, b)\n' },
    );
    const named = found.map(({ message }) => /"[\w.]+"/.exec(message)?.[0]);
    expect(named.sort()).toEqual(['"app.gone"', '"app.lost"']);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
  });
});
