import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { installChecker, type PythonChecker } from '../support/python-checkers.ts';
import { sameVerdict } from '../support/repeated-checks.ts';
import { sample } from '../support/sampling.ts';

const { numRuns } = sample('the same commits get the same verdict of Python checkers', {
  normal: 1,
  wide: 2,
  soak: 50,
});

/** All versions of a file have the same size and are written within a second. */
function project(name: PythonChecker, settings: Readonly<Record<string, string>>): GitRepository {
  const repository = new GitRepository();
  const user = 'def find(key: str) -> str:\n    return eval(key)\n';
  repository.commit({
    ...settings,
    '.gitignore': '.venv\n',
    'app/__init__.py': '',
    'app/user.py': user,
    'app/debt.py': 'import not_installed\n\n\ndef debt() -> str:\n    return 1\n',
    'app/old/one.py': 'one = 1\n',
  });
  repository.branch('a', { 'app/user.py': user.replace('-> str', '-> int') });
  repository.branch('b', {
    'app/shout.py':
      'from app.user import find\n\n\ndef shout(key: str) -> str:\n    return find(key).upper()\n',
  });
  repository.branch('c', { 'app/old/one.py': null, 'app/new.py': 'new: str = 1\n' });
  installChecker(repository, name);
  return repository;
}

const found = ({ code, findings }: Awaited<ReturnType<typeof sameVerdict>>) => ({
  code,
  found: findings.map(({ branches, severity }) => [...branches, severity]),
});

test.each([
  ['mypy', { 'mypy.ini': '[mypy]\nstrict = True\n' }],
  ['pyright', { 'pyrightconfig.json': '{"typeCheckingMode":"strict"}' }],
] as const)(
  '%s gives the same verdict on the same commits: cold, warm and two at once',
  { timeout: 120_000 * numRuns },
  async (name, settings) => {
    const verdict = await sameVerdict(project(name, settings), numRuns);
    expect(verdict.checkers?.map((checker) => checker.name)).toEqual([name]);
    expect(found(verdict)).toEqual({ code: 1, found: [['a', 'b', 'blocking']] });
  },
);
