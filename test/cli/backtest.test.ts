import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BacktestReport } from '#schema/backtest.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const api = { 'app/__init__.py': '', 'app/api.py': 'def get(id):\n    return id\n' };
const renamed = 'def fetch(id):\n    return id\n';
const uses = 'from app.api import get\n\nprint(get(1))\n';

async function backtest(repository: GitRepository, ...args: string[]) {
  const cache = temporaryFolder();
  const run = (...more: string[]) =>
    joinery(['backtest', ...args, ...more], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
    });
  const { code, stdout } = await run('--json');
  return { code, report: BacktestReport.strict().parse(JSON.parse(stdout)), text: (await run()).stdout };
}

/** Main renames a function while a branch that uses it waits; then the branch is merged. */
function mergedTooLate(): GitRepository {
  const repository = new GitRepository();
  repository.commit(api);
  repository.branch('late', { 'app/use.py': uses });
  repository.commit({ 'app/api.py': renamed }, 'rename');
  repository.git('merge', '-q', '--no-ff', '-m', 'merge late', 'late');
  return repository;
}

test('a merge that broke main is found, and the commit that repaired it is named', async () => {
  const repository = mergedTooLate();
  repository.commit({ 'readme.md': 'x\n' });
  const repair = repository.commit({ 'app/use.py': uses.replaceAll('get', 'fetch') }, 'repair');
  const { code, report, text } = await backtest(repository);
  expect(code).toBe(0);
  expect(report.totals).toMatchObject({ merges: 1, findings: 1, blocked: 1, repaired: 1, edited: 0 });
  expect(report.merges[0]).toMatchObject({
    outcome: 'findings',
    subject: 'merge late',
    findings: [{ rule: 'S02', severity: 'blocking', repairedBy: repair, after: 2 }],
  });
  expect(text).toContain('1 merge into main');
  expect(text).toContain(`${repair.slice(0, 12)} changed this line 2 commits later`);
  // The command that the report ends with shows the same finding.
  const [, ...command] = /joinery (check) (\S+) (\S+)/.exec(text) ?? [];
  const { code: checked, stdout } = await joinery(command, {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  expect({ checked, stdout }).toEqual({ checked: 1, stdout: expect.stringContaining('S02') });
});

test('a conflict repaired in the merge itself is distinguished from one that was never repaired', async () => {
  const repository = mergedTooLate();
  const never = await backtest(repository);
  expect(never.report.merges[0]?.findings).toMatchObject([{ repairedBy: null, after: null }]);
  repository.write({ 'app/use.py': uses.replaceAll('get', 'fetch') });
  repository.git('add', '--all');
  repository.git('commit', '-q', '--amend', '--no-edit');
  const { report } = await backtest(repository);
  expect(report.merges[0]).toMatchObject({
    isEdited: true,
    findings: [{ repairedBy: repository.git('rev-parse', 'HEAD'), after: 0 }],
  });
});

test('merges that fit, had nothing to clash with or conflict as text are counted separately', async () => {
  const repository = new GitRepository();
  repository.commit(api);
  repository.branch('alone', { 'a.txt': 'a\n' });
  repository.git('merge', '-q', '--no-ff', '-m', 'alone', 'alone');
  repository.branch('fits', { 'b.txt': 'b\n' });
  repository.branch('clashes', { 'readme.md': 'theirs\n' });
  repository.commit({ 'readme.md': 'ours\n' });
  repository.git('merge', '-q', '--no-ff', '-m', 'fits', 'fits');
  repository.git('merge', '-q', '--no-ff', '-X', 'ours', '-m', 'clashes', 'clashes');
  const { report } = await backtest(repository, '--last', '9');
  expect(report.merges.map(({ subject, outcome }) => [subject, outcome])).toEqual([
    ['clashes', 'conflict'],
    ['fits', 'fits'],
    ['alone', 'alone'],
  ]);
  expect((await backtest(repository, '--last', '1')).report.merges).toHaveLength(1);
});

test('a history without merges, a bad number and an unknown branch get a clear message', async () => {
  const repository = new GitRepository();
  repository.commit(api);
  expect((await backtest(repository)).text.trim()).toMatch(/has no merge commits: .* leaves none\.$/);
  const cwd = repository.dir;
  expect(await joinery(['backtest', '--last', 'many'], { cwd })).toMatchObject({ code: 3 });
  expect(await joinery(['backtest', 'nowhere'], { cwd })).toMatchObject({ code: 3 });
});

test('a shallow clone says that older merges are missing', async () => {
  const source = mergedTooLate();
  const dir = join(temporaryFolder(), 'clone');
  source.git('clone', '-q', '--depth', '1', `file://${source.dir}`, dir);
  const { code, stderr } = await joinery(['backtest', 'HEAD'], { cwd: dir });
  expect([code, stderr]).toEqual([0, expect.stringContaining('git fetch --unshallow')]);
});
