import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const head = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

/** Branch a makes `load` asynchronous; b calls it in line 3 of `src/label.js` and brings this test. */
function project(call: string, ownTest: string) {
  const repository = new GitRepository();
  repository.commit({
    'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/load.js': "export function load(id) {\n  return { id, name: 'Ada' };\n}\n",
    'test/load.test.js': `${head}import { load } from '../src/load.js';\ntest('loads', async () => assert.equal((await load(1)).name, 'Ada'));\n`,
  });
  repository.branch('a', {
    'src/load.js': "export async function load(id) {\n  return { id, name: 'Ada' };\n}\n",
  });
  repository.branch('b', {
    'src/label.js': `import { load } from './load.js';\nexport function label(id) {\n  ${call}\n}\nexport const kind = 'label';\n`,
    'test/label.test.js': `${head}import { kind, label } from '../src/label.js';\n${ownTest}\n`,
  });
  return async (...args: string[]) => {
    const { code, stdout } = await joinery(['check', 'main', 'a', 'b', ...args, '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: temporaryFolder() },
    });
    const { status, findings } = CheckReport.parse(JSON.parse(stdout));
    const found = findings.find(({ rule }) => rule === 'S08');
    return { code, status, effect: found?.effect, judge: found?.judge, refuted: found?.refuted };
  };
}

describe('what nobody has judged', { timeout: 120_000 }, () => {
  test('is undecided, is true if a test that runs its line turns red on the union', async () => {
    const check = project(
      'return load(id).name.toUpperCase();',
      "test('shouts', () => assert.equal(label(1), 'ADA'));",
    );
    expect(await check()).toMatchObject({ code: 2, status: 'undecided', effect: 'asks', judge: null });
    expect(await check('--confirm', 'tests')).toMatchObject({
      code: 1,
      status: 'fail',
      effect: 'stops',
      judge: expect.stringMatching(/^test:.*shouts$/),
    });
  });

  test('is refuted by green tests that run its line', async () => {
    const check = project(
      'return Promise.resolve(load(id)).then((user) => user.name.toUpperCase());',
      "test('shouts', async () => assert.equal(await label(1), 'ADA'));",
    );
    expect(await check()).toMatchObject({ code: 2, effect: 'asks' });
    expect(await check('--confirm', 'tests')).toMatchObject({
      code: 0,
      status: 'pass',
      effect: 'shown',
      judge: null,
      refuted: 'green tests ran src/label.js:3',
    });
  });

  test('stays a question where green tests do not run its line', async () => {
    const check = project(
      'return load(id).name.toUpperCase();',
      "test('has a kind', () => assert.equal(typeof label + kind, 'functionlabel'));",
    );
    expect(await check('--confirm', 'tests')).toMatchObject({
      code: 2,
      status: 'undecided',
      effect: 'asks',
      judge: null,
    });
  });
});
