import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { sameVerdict } from '../support/repeated-checks.ts';
import { note, sample } from '../support/sampling.ts';

const { numRuns } = sample('the same commits get the same verdict of Python checkers', {
  normal: 1,
  wide: 2,
  soak: 50,
});

/** All versions of a file have the same size, and all are written within a second. */
function project(settings: Readonly<Record<string, string>>): GitRepository {
  const repository = new GitRepository();
  const user = 'def find(key: str) -> str:\n    return eval(key)\n';
  repository.commit({
    ...settings,
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
  return repository;
}

const isInstalled = (name: string) => spawnSync(name, ['--version']).status === 0;
const found = ({ code, findings }: Awaited<ReturnType<typeof sameVerdict>>) => ({
  code,
  found: findings.map(({ branches, severity }) => [...branches, severity]),
});

test.each([
  ['mypy', { 'mypy.ini': '[mypy]\nstrict = True\n' }],
  ['pyright', { 'pyrightconfig.json': '{"typeCheckingMode":"strict"}' }],
])(
  '%s says the same of the same commits: cold, warm and two at once',
  { timeout: 120_000 * numRuns },
  async (name, settings) => {
    // Its absence is a verdict too, and must be the same one.
    const isThere = isInstalled(name);
    if (!isThere) note(`${name} is not installed: the verdict without it was repeated`);
    const verdict = await sameVerdict(project(settings), numRuns);
    if (isThere) {
      expect(verdict.checkers?.map((checker) => checker.name)).toEqual([name]);
      expect(found(verdict)).toEqual({ code: 1, found: [['a', 'b', 'blocking']] });
    } else expect(verdict).toMatchObject({ code: 2, inconclusive: [{ check: name }] });
  },
);
