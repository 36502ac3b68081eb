import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

function branches(): GitRepository {
  const repository = new GitRepository();
  repository.commit({
    'app/__init__.py': '',
    'app/store.py': 'from library import Table\n\n\nclass Store(Table):\n    pass\n',
    'cmd/main.swift': 'import Foundation\n',
    'tools/old.py': 'print 1\n',
    'package.json': '{ "dependencies": { "left": "1" } }\n',
  });
  repository.branch('a', {
    'cmd/main.swift': 'import Foundation\n\nfunc main() {}\n',
    'cmd/flags.swift': 'import Foundation\n',
    'web/page.kt': 'fun page() {}\n',
    'docs/notes.md': '# Notes\n',
    'tools/old.py': 'print 2\n',
    'web/start.ts':
      "import { pad } from 'left';\nimport { join } from 'node:path';\n\nexport const start = pad(join('a'));\n",
  });
  repository.branch('b', {
    'cmd/main.swift': 'import Foundation\n\nfunc main() {}\n',
    'web/icons.ts': "import { icon } from '~icons/home';\n\nexport const home = icon;\n",
    'app/use.py':
      'import os\n\nfrom app.store import Store\n\n\ndef rows(store: Store):\n    return store.rows(os.sep)\n',
  });
  return repository;
}

async function check(...args: string[]) {
  return joinery(['check', ...args, 'main', 'a', 'b'], {
    cwd: branches().dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
}

describe('a check that finds nothing', () => {
  test('lists what it did not check', async () => {
    const { code, stdout } = await check('--json');
    expect(code).toBe(0);
    expect(CheckReport.strict().parse(JSON.parse(stdout)).coverage).toEqual({
      textOnly: [
        { ending: '.swift', files: 2 },
        { ending: '.kt', files: 1 },
      ],
      unchecked: [
        { ending: '.py', files: 2 },
        { ending: '.ts', files: 2 },
      ],
      unparsed: ['tools/old.py'],
      packages: ['left'],
      imports: ['~icons/home'],
      classes: ['app/store.py#Store'],
    });
  });

  const line =
    '2 .swift and 1 .kt files compared as text only; 1 .py file does not parse and was compared as text only; not followed: 1 package (left), 1 import (~icons/home) and 1 class (Store); no type checker or compiler read 2 .py and 2 .ts files';

  test.each(['terminal', 'markdown', 'github', 'sarif', 'junit'])(
    'does so in the format %s',
    async (format) => {
      const { stdout } = await check(...(format === 'terminal' ? [] : ['--format', format]));
      const text = stdout.replaceAll('\\~', '~').replaceAll(/\s+/g, ' ');
      expect(text).toContain(line);
    },
  );

  test('does so with a warm cache too', async () => {
    const repository = branches();
    const env = { JOINERY_CACHE_DIR: temporaryFolder() };
    const run = (...args: string[]) => joinery(['check', '--json', ...args], { cwd: repository.dir, env });
    const cold = await run('main', 'a', 'b');
    repository.commit({ 'docs/more.md': '# More\n' });
    const moved = await run('main', 'a', 'b');
    expect(JSON.parse(moved.stdout).coverage).toEqual(JSON.parse(cold.stdout).coverage);
  });

  test('names files that are known by their name, submodules, and only the most frequent endings', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.ts': 'export const a = 1;\n' });
    repository.branch('a', {
      Makefile: 'all:\n',
      'web/Dockerfile': 'FROM scratch\n',
      'a.kt': '',
      'b.kt': '',
      'a.gleam': '',
      'a.lua': '',
      'a.mdx': '',
      'a.njk': '',
      'logo.png': '',
    });
    repository.git('switch', '-q', 'a');
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/theme`);
    repository.git('commit', '-qm', 'theme');
    repository.git('switch', '-qf', 'main');
    const env = { JOINERY_CACHE_DIR: temporaryFolder() };
    const { code, stdout } = await joinery(['check', 'a'], { cwd: repository.dir, env });
    expect({ code, stdout: stdout.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        '2 .kt, 1 .gleam, 1 .lua, 1 .mdx, 1 .njk and 2 other files compared as text only; not followed: 1 submodule (vendor/theme)',
      ),
    });
  });
});
