import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const old = { 'app/use.py': 'from app.api import get\n\nget(1)\n' };
const adapted = { 'app/use.py': 'from app.api import fetch\n\nfetch(1)\n' };

/** `a` renames what `b` uses; `c` is unrelated. */
function clashing() {
  const repository = new GitRepository();
  repository.commit({ 'app/__init__.py': '', 'app/api.py': 'def get(id):\n    return id\n' });
  repository.branch('a', { 'app/api.py': 'def fetch(id):\n    return id\n' });
  repository.branch('b', old);
  repository.branch('c', { 'app/other.py': 'x = 1\n' });
  const commitTo = (ref: string, files: Record<string, string>) => {
    repository.git('checkout', '-q', ref);
    repository.commit(files);
    repository.git('checkout', '-q', 'main');
  };
  const env: Record<string, string> = {
    JOINERY_CACHE_DIR: temporaryFolder(),
    JOINERY_STATE_DIR: temporaryFolder(),
  };
  const run = (...args: string[]) => joinery(['check', ...args], { cwd: repository.dir, env });
  const deltaOf = async (...args: string[]) => {
    const { stdout } = await run('--json', ...args);
    const report = CheckReport.strict().parse(JSON.parse(stdout));
    expect(JSON.stringify(report)).toBe(JSON.stringify(JSON.parse(stdout)));
    const { delta } = report;
    if (!delta) throw new Error('no delta');
    return { ...delta, fixed: delta.fixed.map(({ id }) => id), unverified: delta.unverified.length };
  };
  return { repository, env, run, deltaOf, commitTo };
}

const none = { fixed: [], remaining: [], new: [], regressed: [], unverified: 0 };

test('follows a finding from new to fixed to regressed', async () => {
  const { run, deltaOf, commitTo } = clashing();
  const first = await run('--json', 'main', 'a', 'b');
  const { findings, delta } = CheckReport.parse(JSON.parse(first.stdout));
  const [id = ''] = findings.map((finding) => finding.id);
  expect({ delta, count: findings.length }).toEqual({ delta: undefined, count: 1 });

  expect(await deltaOf('--against', 'last', 'main', 'a', 'b')).toEqual({ ...none, remaining: [id] });
  commitTo('b', adapted);
  expect(await deltaOf('--against', 'last', 'main', 'a', 'b')).toEqual({ ...none, fixed: [id] });
  commitTo('b', old);
  expect(await deltaOf('--against', 'last', 'main', 'a', 'b')).toEqual({ ...none, regressed: [id] });
});

test('a finding that the other check did not look for does not count as fixed', async () => {
  const { run, deltaOf } = clashing();
  const { stdout } = await run('--json', 'main', 'a', 'b');
  const [id = ''] = CheckReport.parse(JSON.parse(stdout)).findings.map((finding) => finding.id);
  expect(await deltaOf('--against', 'last', 'main', 'a', 'c')).toEqual({ ...none, unverified: 1 });
  expect(await deltaOf('--against', 'last', 'main', 'a', 'b')).toEqual({ ...none, new: [id] });
});

test('a stored report works like the last one, and every format shows what changed', async () => {
  const { env, run, deltaOf, commitTo } = clashing();
  const folder = temporaryFolder();
  const [before, after, summary] = ['before.json', 'after.json', 'summary.md'].map((name) =>
    join(folder, name),
  );
  if (!before || !after || !summary) throw new Error('three names');
  writeFileSync(before, (await run('--json', 'main', 'a', 'b')).stdout);
  commitTo('b', adapted);

  const args = ['--against', before, 'main', 'a', 'b'];
  const sum = '1 issue(s) fixed, 0 remaining, 0 new';
  const terminal = (await run(...args)).stdout;
  expect(terminal).toContain(sum);
  expect(terminal).toContain('All previous issues resolved!');
  expect((await run('--format', 'markdown', ...args)).stdout).toContain(sum);
  env.GITHUB_STEP_SUMMARY = summary;
  expect((await run('--format', 'github', ...args)).stdout).toContain(`since the previous check: ${sum}`);
  expect(readFileSync(summary, 'utf8')).toContain(sum);
  const log = JSON.parse((await run('--format', 'sarif', ...args)).stdout);
  expect(sarifErrors(log)).toEqual([]);
  expect(log.runs[0].results.map((result: { baselineState: string }) => result.baselineState)).toEqual([
    'absent',
  ]);
  expect((await run('--format', 'junit', ...args)).stdout).toContain('name="joinery.delta.fixed"');

  writeFileSync(after, (await run('--json', ...args)).stdout);
  commitTo('b', old);
  const again = await deltaOf('--against', after, 'main', 'a', 'b');
  expect(again.regressed, 'a report with a delta remembers what it saw fixed').toHaveLength(1);
});

test('a step summary that cannot be written is a warning, not a failure', async () => {
  const { env, run } = clashing();
  env.GITHUB_STEP_SUMMARY = join(temporaryFolder(), 'nowhere', 'summary.md');
  const { code, stdout, stderr } = await run('--format', 'github', 'main', 'a', 'b');
  expect({ code, annotation: stdout.slice(0, 8) }).toEqual({ code: 1, annotation: '::error ' });
  expect(stderr).toContain('the step summary cannot be written');
});
