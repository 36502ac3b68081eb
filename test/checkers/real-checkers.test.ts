import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { installChecker, type PythonChecker } from '../support/python-checkers.ts';
import { note } from '../support/sampling.ts';

interface Checker {
  readonly settings: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const checkers: Record<PythonChecker, Checker> = {
  mypy: { settings: { 'mypy.ini': '[mypy]\nstrict = True\n' }, says: /mypy:union-attr/ },
  pyright: {
    settings: { 'pyrightconfig.json': '{ "typeCheckingMode": "strict" }\n' },
    says: /reportOptionalMemberAccess/,
  },
};

const find = (result: string) => `def find(key: str) -> ${result}:\n    return key\n`;
const shout = 'from app.user import find\n\n\ndef shout(key: str) -> str:\n    return find(key).upper()\n';

/** `a` makes find return None sometimes, `b` uses its result, `c` is unrelated. */
function projectOf({ settings }: Checker, name: PythonChecker): GitRepository {
  const repository = new GitRepository();
  repository.commit({
    ...settings,
    '.gitignore': '.venv\n',
    'app/__init__.py': '',
    'app/user.py': find('str'),
  });
  repository.branch('a', { 'app/user.py': find('str | None') });
  repository.branch('b', { 'app/shout.py': shout });
  repository.branch('c', { 'app/more.py': 'MORE = 1\n' });
  installChecker(repository, name);
  return repository;
}

async function check(repository: GitRepository, cache: string, ...branches: string[]): Promise<CheckReport> {
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  const args = ['check', '--json', '--confirm', 'types', 'main', ...branches];
  const { stdout } = await joinery(args, { cwd: repository.dir, env });
  return CheckReport.parse(JSON.parse(stdout));
}

describe.each(Object.keys(checkers) as PythonChecker[])('%s itself', (name) => {
  const checker = checkers[name];

  test('proves what the union of two branches breaks, and reports nothing about those that fit', async () => {
    const repository = projectOf(checker, name);
    const report = await check(repository, temporaryFolder(), 'a', 'b', 'c');
    expect(report.inconclusive).toEqual([]);
    expect(report.findings.map(({ rule, branches, tier }) => [rule, tier, ...branches])).toEqual([
      ['S07', 'R3', 'a', 'b'],
    ]);
    expect(report.findings[0]?.witness.output).toMatch(checker.says);
    note(`type checkers: ${report.checkers?.map((each) => `${each.name} ${each.version}`).join(', ')}`);
    const fine = await check(repository, temporaryFolder(), 'b', 'c');
    expect({ status: fine.status, findings: fine.findings }).toEqual({ status: 'pass', findings: [] });
  });

  test('gives the same verdict with a cold cache, a warm one, and two checks at once', async () => {
    const repository = projectOf(checker, name);
    const cache = temporaryFolder();
    const branches = ['a', 'b', 'c'];
    const cold = await check(repository, cache, ...branches);
    const others = [
      await check(repository, cache, ...branches),
      ...(await Promise.all([1, 2].map(() => check(repository, temporaryFolder(), ...branches)))),
      ...(await Promise.all([1, 2].map(() => check(repository, cache, ...branches)))),
    ];
    for (const report of others) expect(report.findings).toEqual(cold.findings);
    expect(cold.findings).toHaveLength(1);
  });
});
