import { describe, expect, test } from 'vitest';
import { emptyFiles, external, found, missing, pythonIn, unknown } from '#test/support/resolution.ts';

describe('an absolute import', () => {
  const { resolve } = pythonIn(
    emptyFiles(
      'app/__init__.py',
      'app/teams.py',
      'app/users/__init__.py',
      'app/users/model.py',
      'app/both.py',
      'app/both/__init__.py',
      'app/native.pyi',
      'app/stubs/__init__.pyi',
      'tool.py',
    ),
  );

  test.each([
    ['app', 'app/__init__.py'],
    ['app.teams', 'app/teams.py'],
    ['app.users', 'app/users/__init__.py'],
    ['app.users.model', 'app/users/model.py'],
    ['app.both', 'app/both/__init__.py'],
    ['app.native', 'app/native.pyi'],
    ['app.stubs', 'app/stubs/__init__.pyi'],
    ['tool', 'tool.py'],
  ])('%s leads to %s', (specifier, path) => {
    expect(resolve(specifier, 'app/users/model.py')).toEqual(found(path));
  });

  test('of a submodule that a package of the tree lacks is missing, and says where it would be', () => {
    expect(resolve('app.gone', 'app/teams.py')).toMatchObject({
      status: 'missing',
      tried: expect.arrayContaining(['app/gone.py', 'app/gone/__init__.py', 'app/gone.pyi', 'app/gone/']),
    });
    expect(resolve('app.teams.deeper', 'app/teams.py')).toEqual(missing);
    expect(resolve('tool.part', 'app/teams.py')).toEqual(missing);
  });

  test('whose first name is not in the tree is external', () => {
    expect(resolve('requests.adapters', 'app/teams.py')).toEqual(external('requests'));
    expect(resolve('os.path', 'app/teams.py')).toEqual(external('os'));
  });

  test('lists the candidates that would have come first, and the path itself, in tried', () => {
    expect(resolve('app.teams', 'x.py')).toMatchObject({
      tried: ['app/__init__.py', 'app/teams/__init__.py', 'app/teams.py'],
    });
  });
});

describe('the standard library', () => {
  test('is external while nothing in the tree has its name', () => {
    const { resolve } = pythonIn(emptyFiles('app/__init__.py', 'app/logging.py', 'email/welcome.html'));
    for (const name of [
      'logging',
      'json',
      'email.mime.text',
      '__future__',
      'tomllib',
      'distutils.core',
      '_thread',
    ]) {
      expect(resolve(name, 'app/x.py')).toEqual(external(name.split('.')[0] ?? ''));
    }
  });

  test('may be hidden by a module of the same name, but not certainly', () => {
    const { resolve } = pythonIn(emptyFiles('queue.py'));
    expect(resolve('queue', 'x.py')).toEqual(found('queue.py', false));
    expect(resolve('queue.gone', 'x.py')).toEqual(external('queue'));
  });
});

describe('the roots that absolute imports start from', () => {
  test.each([
    ['src by habit', {}, 'src'],
    ['setuptools package-dir', { 'pyproject.toml': '[tool.setuptools]\npackage-dir = {"" = "lib"}' }, 'lib'],
    ['setuptools find', { 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["lib"]' }, 'lib'],
    [
      'setup.cfg package_dir',
      { 'setup.cfg': '[options]\npackage_dir =\n    = lib\npackages = find:\n' },
      'lib',
    ],
    ['setup.cfg find', { 'setup.cfg': '[metadata]\nname = x\n[options.packages.find]\nwhere=lib\n' }, 'lib'],
    ['poetry', { 'pyproject.toml': '[tool.poetry]\npackages = [{include = "app", from = "lib"}]' }, 'lib'],
    ['hatch sources', { 'pyproject.toml': '[tool.hatch.build.targets.wheel]\nsources = ["lib"]' }, 'lib'],
    [
      'hatch packages',
      { 'pyproject.toml': '[tool.hatch.build.targets.wheel]\npackages = ["lib/app"]' },
      'lib',
    ],
    ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = "lib"' }, 'lib'],
  ])('%s', (_, documents, root) => {
    const { resolve } = pythonIn({
      ...documents,
      ...emptyFiles(`${root}/app/__init__.py`, `${root}/app/a.py`),
    });
    expect(resolve('app.a', 'tests/deep/test_a.py')).toEqual(found(`${root}/app/a.py`));
    expect(resolve('app.gone', 'tests/deep/test_a.py')).toEqual(missing);
  });

  test.each([
    ['setuptools', '[tool.setuptools.package-dir]\napp = "code"'],
    ['hatch', '[tool.hatch.build.targets.wheel.sources]\n"code" = "app"'],
  ])('a package may be in a folder of another name: %s', (_, text) => {
    const { resolve } = pythonIn({ 'pyproject.toml': text, ...emptyFiles('code/__init__.py', 'code/a.py') });
    expect(resolve('app', 'x.py')).toEqual(found('code/__init__.py'));
    expect(resolve('app.a', 'x.py')).toEqual(found('code/a.py'));
    expect(resolve('app.gone', 'x.py')).toEqual(missing);
  });

  test('configured ones come first', () => {
    const tree = emptyFiles('app/__init__.py', 'backend/app/__init__.py');
    expect(pythonIn(tree, ['backend/']).resolve('app', 'x.py')).toEqual(found('backend/app/__init__.py'));
    expect(pythonIn(tree).resolve('app', 'x.py')).toEqual(found('app/__init__.py'));
  });

  test('folders above the file count nearest first, unless they are packages', () => {
    const { resolve } = pythonIn(
      emptyFiles(
        'scripts/near/common.py',
        'scripts/common.py',
        'scripts/pack/__init__.py',
        'scripts/pack/inner.py',
      ),
    );
    expect(resolve('common', 'scripts/near/run.py')).toEqual(found('scripts/near/common.py'));
    expect(resolve('common', 'scripts/run.py')).toEqual(found('scripts/common.py'));
    expect(resolve('inner', 'scripts/pack/x.py')).toEqual(external('inner'));
  });

  test('the nearest project of several decides, and another one may be installed beside it', () => {
    const { resolve } = pythonIn({
      'one/pyproject.toml': '',
      'two/pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["lib"]',
      ...emptyFiles(
        'one/src/app/__init__.py',
        'one/src/app/a.py',
        'two/lib/app/__init__.py',
        'two/lib/app/b.py',
      ),
      ...emptyFiles('one/src/shared/__init__.py', 'one/docker/Dockerfile'),
    });
    expect(resolve('app.a', 'one/tests/x.py')).toEqual(found('one/src/app/a.py'));
    expect(resolve('app.b', 'two/tests/x.py')).toEqual(found('two/lib/app/b.py'));
    expect(resolve('app.b', 'one/tests/x.py')).toEqual(missing);
    expect(resolve('shared', 'two/tests/x.py')).toEqual(found('one/src/shared/__init__.py'));
    expect(resolve('docker.errors', 'two/tests/x.py')).toEqual(external('docker'));
  });

  test('a module hidden by a package of the same first name is found by assumption', () => {
    const { resolve } = pythonIn(emptyFiles('app/__init__.py', 'src/app/__init__.py', 'src/app/a.py'));
    expect(resolve('app.a', 'x.py')).toEqual(found('src/app/a.py', false));
  });

  test('a pyproject.toml that cannot be read makes imports that are not found unknown', () => {
    const { resolve } = pythonIn({ 'pyproject.toml': '[tool', ...emptyFiles('app/__init__.py') });
    expect(resolve('app', 'x.py')).toEqual(found('app/__init__.py'));
    expect(resolve('os', 'x.py')).toEqual(external('os'));
    expect(resolve('other', 'x.py')).toEqual(unknown);
  });
});

describe('a folder without __init__', () => {
  const tree = emptyFiles(
    'app/teams.py',
    'app/api/routes.py',
    'src/app/extra.py',
    'docker/run.py',
    'google/cloud/own.py',
  );

  test('is a namespace package, found as the folder with a slash', () => {
    const { resolve } = pythonIn(tree);
    expect(resolve('app', 'x.py')).toEqual(found('app/'));
    expect(resolve('app.api', 'x.py')).toEqual(found('app/api/'));
    expect(resolve('app.teams', 'x.py')).toEqual(found('app/teams.py'));
    expect(resolve('app.gone', 'x.py')).toEqual(missing);
  });

  test('shares its name with folders of other roots', () => {
    expect(pythonIn(tree).resolve('app.extra', 'x.py')).toEqual(found('src/app/extra.py'));
  });

  test('is hidden by a regular package in a later root', () => {
    const { resolve } = pythonIn({ ...tree, ...emptyFiles('src/docker/__init__.py') });
    expect(resolve('docker', 'x.py')).toEqual(found('src/docker/__init__.py'));
    expect(resolve('docker.run', 'x.py')).toEqual(found('docker/run.py', false));
  });

  test('is hidden by a dependency of its name, and shares a namespace with dependencies', () => {
    const { resolve } = pythonIn({
      'pyproject.toml': '[project]\ndependencies = ["Docker>=7", "google_cloud.storage"]',
      ...tree,
    });
    expect(resolve('docker', 'x.py')).toEqual(external('docker'));
    expect(resolve('google.cloud.own', 'x.py')).toEqual(found('google/cloud/own.py'));
    expect(resolve('google.cloud.storage', 'x.py')).toEqual(external('google'));
  });
});

describe('a relative import', () => {
  const { resolve } = pythonIn(
    emptyFiles(
      'src/app/__init__.py',
      'src/app/models/__init__.py',
      'src/app/models/user.py',
      'src/app/api/routes.py',
      'src/loose.py',
      'src/app/main.py',
    ),
  );

  test.each([
    ['.user', 'src/app/models/__init__.py', 'src/app/models/user.py'],
    ['.', 'src/app/models/user.py', 'src/app/models/__init__.py'],
    ['..', 'src/app/models/user.py', 'src/app/__init__.py'],
    ['..models.user', 'src/app/api/routes.py', 'src/app/models/user.py'],
    ['.models', 'src/app/main.py', 'src/app/models/__init__.py'],
    ['.', 'src/app/api/routes.py', 'src/app/api/'],
  ])('%s in %s leads to %s', (specifier, from, path) => {
    expect(resolve(specifier, from)).toEqual(found(path));
  });

  test('of a module that the package lacks is missing', () => {
    expect(resolve('.gone', 'src/app/main.py')).toMatchObject({
      status: 'missing',
      tried: [
        'src/app/gone/__init__.py',
        'src/app/gone.py',
        'src/app/gone/__init__.pyi',
        'src/app/gone.pyi',
        'src/app/gone/',
      ],
    });
    expect(resolve('..models.user.deeper', 'src/app/api/routes.py')).toEqual(missing);
  });

  test('beyond the top-level package is unknown, or only assumed', () => {
    expect(resolve('....x', 'src/app/main.py')).toEqual(unknown);
    expect(resolve('..gone', 'src/app/main.py')).toEqual(unknown);
    expect(resolve('..loose', 'src/app/main.py')).toEqual(found('src/loose.py', false));
    expect(resolve('.', 'script.py')).toEqual(unknown);
  });

  test('works in a repository that is a package itself, and between folders that are not packages', () => {
    const plugin = pythonIn(emptyFiles('__init__.py', 'nodes/a.py', 'util.py'));
    expect(plugin.resolve('..util', 'nodes/a.py')).toEqual(found('util.py'));
    expect(plugin.resolve('..', 'nodes/a.py')).toEqual(found('__init__.py'));
    const loose = pythonIn(emptyFiles('app/api/routes.py', 'app/models.py'));
    expect(loose.resolve('..models', 'app/api/routes.py')).toEqual(found('app/models.py'));
    expect(loose.resolve('..gone', 'app/api/routes.py')).toEqual(missing);
  });
});

describe('a submodule', () => {
  const { submodule } = pythonIn(
    emptyFiles('app/__init__.py', 'app/teams.py', 'app/api/routes.py', 'lib/tool.py', 'app/teams/x.txt'),
  );

  test.each([
    ['app/__init__.py', 'teams', 'app/teams.py'],
    ['app/__init__.py', 'api', 'app/api/'],
    ['app/api/', 'routes', 'app/api/routes.py'],
    ['app/__init__.py', 'VERSION', undefined],
    ['app/teams.py', 'x', undefined],
    ['app/__init__.py', 'a.b', undefined],
  ])('of %s named %s is %s', (packagePath, name, path) => {
    expect(submodule(packagePath, name).path).toBe(path);
  });

  test('lists the files that could be it', () => {
    expect(submodule('app/__init__.py', 'gone').tried).toEqual([
      'app/gone/__init__.py',
      'app/gone.py',
      'app/gone/__init__.pyi',
      'app/gone.pyi',
      'app/gone/',
    ]);
  });
});

test.each(['', 'a..b', 'a.', 'a/b', 'a b', '.a/b', 'a\nb', '1a', `${'a.'.repeat(5000)}b`, './a'])(
  '%j is not a module name',
  (specifier) => {
    expect(pythonIn(emptyFiles('a.py')).resolve(specifier, 'x.py')).toEqual(unknown);
  },
);
