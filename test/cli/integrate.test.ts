import { describe, expect, test } from 'vitest';
import { IntegrationReport, ReceiptReport } from '#schema/integration.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';

const user = 'export function name(): string {\n  return "a";\n}\n';

/** Two branches that fit, and what is needed to run commands on them. */
function repositoryWith(options: { readonly bare?: boolean; readonly gates?: string } = {}) {
  const repository = new GitRepository();
  repository.commit({
    'user.ts': user,
    ...(options.gates ? { 'AGENTS.md': `## Quality Gates\n\n- test: \`${options.gates}\`\n` } : {}),
  });
  repository.branch('a', { 'a.ts': 'export const a = 1;\n' });
  repository.branch('b', { 'b.ts': 'export const b = 2;\n' });
  const env = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
  const run = (...args: string[]) => joinery(args, { cwd: repository.dir, env });
  const integrate = async (...args: string[]) => {
    const { code, stdout } = await run('integrate', ...args, '--json');
    return { code, report: IntegrationReport.parse(JSON.parse(stdout)) };
  };
  return { repository, run, integrate };
}

describe('integrate', () => {
  test('without --land nothing moves, and the next command is printed', async () => {
    const { repository, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    const { code, report } = await integrate('a', 'b');
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'ready' });
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(report.next).toBe('joinery integrate a b --into main --land');
    expect(repository.git('ls-tree', '-r', '--name-only', report.integration?.branch ?? '')).toBe(
      'a.ts\nb.ts\nuser.ts',
    );
  });

  test('a clean checkout is brought along when it is allowed, and the receipt is true', async () => {
    const { repository, run, integrate } = repositoryWith({ gates: 'echo 1 passed' });
    const { code, report } = await integrate('a', 'b', '--land', '--update-checkout');
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'landed' });
    expect(repository.git('rev-parse', 'main')).toBe(report.target.after);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(repository.git('log', '-1', '--format=%B')).toContain(`Joinery-Receipt: ${report.receipt}`);
    const verified = await run('receipt', 'verify', report.id, '--json');
    const receipt = ReceiptReport.parse(JSON.parse(verified.stdout));
    expect({ code: verified.code, isDone: receipt.isDone }).toEqual({ code: 0, isDone: true });
    expect(receipt.receipt.branches.map(({ ref, entities }) => [ref, entities])).toEqual([
      ['a', ['a.ts#a', 'a.ts#export a']],
      ['b', ['b.ts#b', 'b.ts#export b']],
    ]);
    expect(receipt.receipt.evidence).toMatchObject([{ gate: 'test', status: 'pass' }]);
  });

  test('a checkout with changes is never touched', async () => {
    const { repository, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    repository.write({ 'user.ts': 'my work\n' });
    const { code, report } = await integrate('a', '--land', '--update-checkout');
    expect({ code, status: report.status }).toEqual({ code: 2, status: 'ready' });
    expect(report.next).toContain('merge --ff-only');
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(repository.git('diff', '--name-only')).toBe('user.ts');
  });

  test('a checkout is not moved without being asked', async () => {
    const { repository, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    const { code } = await integrate('a', '--land');
    expect(code).toBe(2);
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  test('a target that is checked out nowhere moves by compare-and-swap', async () => {
    const { repository, integrate } = repositoryWith();
    repository.git('checkout', '-q', '--detach');
    const { code, report } = await integrate('a', 'b', '--into', 'main', '--land');
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'landed' });
    expect(repository.git('rev-parse', 'main')).toBe(report.target.after);
  });

  test('a protected branch never moves', async () => {
    const { repository, integrate } = repositoryWith();
    repository.commit({ 'joinery.json': '{ "run": { "protected": ["main"] } }\n' });
    const before = repository.git('rev-parse', 'main');
    const { code, report } = await integrate('a', '--land', '--update-checkout');
    expect({ code, status: report.status }).toEqual({ code: 2, status: 'ready' });
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  test('branches that do not fit do not land; with --partial the rest does', async () => {
    const { repository, integrate } = repositoryWith();
    repository.branch('rename', { 'user.ts': user.replace('name', 'fullName') });
    repository.branch('use', { 'use.ts': "import { name } from './user.ts';\nname();\n" });
    const { code, report } = await integrate('a', 'rename', 'use');
    expect({ code, status: report.status }).toEqual({ code: 1, status: 'blocked' });
    const partial = await integrate('a', 'rename', 'use', '--partial');
    expect(partial.report.status).toBe('ready');
    expect(partial.report.merged.map(({ ref }) => ref)).toContain('a');
    expect(partial.report.left.length).toBeGreaterThan(0);
  });

  test('a failing gate keeps everything out', async () => {
    const { repository, integrate } = repositoryWith({ gates: 'test ! -e a.ts' });
    const before = repository.git('rev-parse', 'main');
    const { code, report } = await integrate('a', '--land', '--update-checkout');
    expect({ code, status: report.status }).toEqual({ code: 1, status: 'blocked' });
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  test('what is no branch, or not there, is refused', async () => {
    const { run } = repositoryWith();
    expect((await run('integrate')).code).toBe(3);
    expect((await run('integrate', 'nowhere')).code).toBe(3);
    expect((await run('integrate', 'a', '--into', 'HEAD~0')).code).toBe(3);
    expect((await run('receipt', 'show', 'nothing')).code).toBe(3);
  });
});

describe('undo', () => {
  test('takes back a landing, and refuses once something landed since', async () => {
    const { repository, run, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    const { report } = await integrate('a', '--land', '--update-checkout');
    const undone = await run('undo', report.id, '--yes', '--update-checkout');
    expect(undone.code).toBe(0);
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(repository.git('ls-files')).toBe('user.ts');
    const again = await integrate('a', '--land', '--update-checkout');
    repository.commit({ 'later.ts': 'export {};\n' });
    const refused = await run('undo', again.report.id, '--yes', '--update-checkout');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('git revert -m 1');
  });
});
