import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { GapsReport, GuidesReport, IntegrityReport, RiskReport, SecretsReport } from '#schema/proof.ts';
import { TriageReport } from '#schema/triage.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const test1 = "import { one } from './one.ts';\n\ntest('one', () => {\n  expect(one()).toBe(1);\n});\n";
const project = {
  'package.json': '{"name":"p","type":"module"}\n',
  'src/one.ts': 'export function one() {\n  return 1;\n}\n',
  'src/one.test.ts': test1,
  'lib/shape.py': 'def area():\n    return 1\n',
};
// Assembled here so that no scanner reports this file.
const key = `AKIA${'Q3Z7XK2M5N4P6R2T'}`;

function run(repository: GitRepository, ...args: string[]) {
  return joinery(args, {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder(), LC_ALL: 'C.UTF-8' },
  });
}

async function json(repository: GitRepository, ...args: string[]) {
  const { stdout, code } = await run(repository, ...args, '--json');
  return { code, value: JSON.parse(stdout) as unknown };
}

function repositoryWithMain(): GitRepository {
  const repository = new GitRepository();
  repository.commit(project);
  return repository;
}

describe('joinery risk', () => {
  test('ranks, prints JSON and SARIF, and changes nothing', async () => {
    const repository = repositoryWithMain();
    repository.branch('work', {
      'src/auth/token.ts':
        'export function check(a: boolean, b: boolean) {\n  if (a && b) return 1;\n  return 0;\n}\n',
      'src/one.test.ts': test1.replace('toBe(1)', 'toBeDefined()'),
      'package-lock.json': '{}\n',
    });
    const before = fingerprint(repository.dir);
    const { code, value } = await json(repository, 'risk', 'work');
    const report = RiskReport.strict().parse(value);
    expect(code).toBe(0);
    expect(report.files.map(({ path }) => path)).toEqual(['src/auth/token.ts', 'src/one.test.ts']);
    expect(report.files[0]?.signals.map(({ name }) => name)).toEqual([
      'security-path',
      'no-test-change',
      'public-api',
      'complexity',
      'lines-changed',
    ]);
    expect(report.files[1]?.signals.map(({ name }) => name)).toContain('assertion-weakened');
    expect(report.leftOut).toEqual([{ path: 'package-lock.json', why: 'lockfile' }]);
    const sarif = await run(repository, 'risk', 'work', '--format', 'sarif');
    expect(sarifErrors(JSON.parse(sarif.stdout))).toEqual([]);
    expect(fingerprint(repository.dir)).toEqual(before);
    expect((await run(repository, 'risk', 'nowhere')).code).toBe(3);
  });
});

describe('joinery tests', () => {
  test('gaps: what tests reach directly, through others, through re-exports and Python modules', async () => {
    const repository = repositoryWithMain();
    repository.branch('work', {
      'src/two.ts':
        'export function two() {\n  return inner();\n}\nexport function inner() {\n  return 2;\n}\nexport function alone() {\n  return 3;\n}\nexport interface Shape { a: string }\n',
      'src/index.ts': "export * from './three.ts';\n",
      'src/three.ts': 'export function three() {\n  return 3;\n}\nexport const forgotten = () => 4;\n',
      'src/two.test.ts':
        "import { two } from './two.ts';\nimport { three } from './index.ts';\ntest('two', () => {\n  expect(two() + three()).toBe(5);\n});\n",
      'lib/shape.py':
        'def area():\n    return 1\n\n\ndef volume():\n    return 2\n\n\ndef _hidden():\n    return 3\n\n\ndef weight():\n    return 4\n',
      'tests/test_shape.py':
        'from lib import shape\n\n\ndef test_volume():\n    assert shape.volume() == 2\n',
      'src/main.swift': 'print(1)\n',
    });
    const { code, value } = await json(repository, 'tests', 'gaps', 'work');
    const report = GapsReport.strict().parse(value);
    expect(code).toBe(0);
    expect(report.findings.map(({ symbol }) => symbol)).toEqual([
      'lib/shape.py#weight',
      'src/three.ts#forgotten',
      'src/two.ts#alone',
    ]);
    expect(report).toMatchObject({ symbols: 7, notFollowed: [{ ending: '.swift', files: 1 }] });
    expect((await json(repository, 'tests', 'gaps', 'work', '--threshold', '3')).code).toBe(0);
    expect((await json(repository, 'tests', 'gaps', 'work', '--threshold', '2')).code).toBe(1);
    expect((await json(repository, 'tests', 'gaps', 'work', '--threshold', 'x')).code).toBe(3);
    // Gaps without a threshold are no failure, and no success either.
    expect((await run(repository, 'tests', 'gaps', 'work')).stdout).toMatch(
      /^[⚠!] work: no test reaches 3 of/,
    );
    const sarif = await run(repository, 'tests', 'gaps', 'work', '--format', 'sarif');
    expect(sarifErrors(JSON.parse(sarif.stdout))).toEqual([]);
  });

  test('integrity: blocking without a reason, important with a trailer that names the test', async () => {
    const repository = repositoryWithMain();
    repository.git('checkout', '-q', '-b', 'work');
    repository.commit({ 'src/one.test.ts': test1.replace('toBe(1)', 'toBeDefined()') }, 'weaken');
    const silent = await json(repository, 'tests', 'integrity', 'work', '--base', 'main');
    expect(silent.code).toBe(1);
    expect(IntegrityReport.strict().parse(silent.value).findings).toMatchObject([
      { severity: 'blocking', contested: null, file: 'src/one.test.ts' },
    ]);
    repository.git(
      'commit',
      '-q',
      '--amend',
      '-m',
      'weaken\n\nTest-Change: src/other.test.ts - because\nTest-Change: one',
    );
    expect((await json(repository, 'tests', 'integrity', 'work', '--base', 'main')).code).toBe(1);
    repository.git(
      'commit',
      '-q',
      '--amend',
      '-m',
      'weaken\n\nTest-Change: src/one.test.ts - one may be two now',
    );
    const said = await json(repository, 'tests', 'integrity', 'work', '--base', 'main');
    expect(said.code).toBe(0);
    expect(IntegrityReport.strict().parse(said.value)).toMatchObject({
      findings: [{ severity: 'important', contested: 'one may be two now' }],
      trailers: [{ id: 'src/one.test.ts', reason: 'one may be two now', isUsed: true }],
    });
    const sarif = await run(repository, 'tests', 'integrity', 'work', '--base', 'main', '--format', 'sarif');
    expect(sarifErrors(JSON.parse(sarif.stdout))).toEqual([]);
  });
});

describe('joinery secrets', () => {
  test('names a secret by its fingerprint; the base allows it, the branch cannot', async () => {
    const repository = repositoryWithMain();
    const leak = { 'src/key.ts': `export const id = '${key}';\n` };
    repository.branch('work', leak);
    const found = await json(repository, 'secrets', 'work');
    const report = SecretsReport.strict().parse(found.value);
    expect(found.code).toBe(1);
    expect(JSON.stringify(report)).not.toContain(key);
    const allowed = report.findings.map((finding) => finding.fingerprint);
    expect(allowed).toHaveLength(1);
    const config = JSON.stringify({ grounding: { allowedSecrets: allowed } });
    repository.branch('sly', { ...leak, 'joinery.json': config });
    expect((await json(repository, 'secrets', 'sly')).code).toBe(1);
    repository.commit({ 'joinery.json': config });
    const now = await json(repository, 'secrets', 'work');
    expect(now.code).toBe(0);
    expect(SecretsReport.parse(now.value).allowed).toMatchObject([{ file: 'src/key.ts', line: 1 }]);
    const sarif = await run(repository, 'secrets', 'sly', '--format', 'sarif');
    expect(sarifErrors(JSON.parse(sarif.stdout))).toEqual([]);
  });

  test('--staged checks the index, before the first commit too, and leaves it unchanged', async () => {
    const repository = new GitRepository();
    repository.write({ 'a.txt': 'hello\n', 'key.txt': `id = ${key}\n` });
    repository.git('add', 'a.txt');
    expect((await json(repository, 'secrets', '--staged')).code).toBe(0);
    repository.git('add', 'key.txt');
    const before = fingerprint(repository.dir);
    const { code, value } = await json(repository, 'secrets', '--staged');
    expect(code).toBe(1);
    expect(SecretsReport.parse(value)).toMatchObject({ scope: 'staged', base: 'nothing', files: 2 });
    expect(fingerprint(repository.dir)).toEqual(before);
    repository.git('commit', '-q', '-m', 'leak');
    expect((await json(repository, 'secrets', '--staged')).code).toBe(0);
    expect((await json(repository, 'secrets', 'main', '--staged')).code).toBe(3);
  });
});

describe('joinery guides', () => {
  test('the deepest first, at most five, also for a file that does not exist yet', async () => {
    const repository = new GitRepository();
    repository.commit({
      'AGENTS.md': 'a',
      'CLAUDE.md': 'a',
      'src/CLAUDE.md': 'b',
      'src/ios-CLAUDE.md': 'b',
      'src/deep/AGENTS.md': 'c',
      'src/deep/er/CLAUDE.md': 'd',
      'src/deep/notes.md': 'e',
    });
    const { code, value } = await json(repository, 'guides', 'src/deep/er/new.ts', 'x.ts');
    expect(code).toBe(0);
    expect(GuidesReport.strict().parse(value)).toMatchObject({
      files: [
        {
          path: 'src/deep/er/new.ts',
          guides: [
            'src/deep/er/CLAUDE.md',
            'src/deep/AGENTS.md',
            'src/CLAUDE.md',
            'src/ios-CLAUDE.md',
            'AGENTS.md',
          ],
          dropped: ['CLAUDE.md'],
        },
        { path: 'x.ts', guides: ['AGENTS.md', 'CLAUDE.md'], dropped: [] },
      ],
    });
    expect((await run(repository, 'guides', '../x')).code).toBe(3);
  });
});

describe('joinery triage validate', () => {
  test('exits with 0, 1, 2 and 3', async () => {
    const repository = repositoryWithMain();
    const raw = {
      id: 'a',
      fingerprint: 'f',
      severity: 'blocking',
      file: 'src/one.ts',
      issue: 'wrong',
      reviewers: ['x', 'y'],
    };
    const validate = async (name: string, text: string) => {
      writeFileSync(join(repository.dir, name), text);
      const { code, value } = await json(repository, 'triage', 'validate', name);
      return { code, report: TriageReport.strict().parse(value) };
    };
    const file = (triage: object) => JSON.stringify({ schema: 'joinery/triage@1', raw: [raw], triage });
    const accepted = [{ id: 'a', reason: 'real' }];
    const good = await validate('good.json', file({ accepted, deferred: [], rejected: [], approved: true }));
    expect(good).toMatchObject({ code: 0, report: { corrected: true, triage: { approved: false } } });
    expect(await validate('bad.json', '{')).toMatchObject({ code: 1 });
    const over = { accepted: [], deferred: [], rejected: accepted, approved: true };
    expect(await validate('over.json', file(over))).toMatchObject({ code: 2 });
    expect((await run(repository, 'triage', 'validate', 'none.json')).code).toBe(3);
  });
});
