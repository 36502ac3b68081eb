import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IntegrationReport, ReceiptReport } from '#schema/integration.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { passingTests } from '#test/support/passing-tests.ts';

const user = 'export function name(): string {\n  return "a";\n}\n';

/** Two branches that fit, and functions that run commands on them. */
function repositoryWith(options: { readonly bare?: boolean; readonly gates?: string } = {}) {
  const repository = new GitRepository();
  repository.commit({
    'user.ts': user,
    'AGENTS.md': `## Quality Gates\n\n- test: \`${options.gates ?? passingTests}\`\n`,
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
  test('without a name and without runs asks for branches', async () => {
    const { run } = repositoryWith();
    const { code, stderr } = await run('integrate');
    expect(code).toBe(3);
    expect(stderr).toContain('Next: name branches: joinery integrate <branch>');
  });

  test('without --land nothing moves, and the next command is printed', async () => {
    const { repository, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    const { code, report } = await integrate('a', 'b');
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'ready' });
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(report.next).toBe('joinery integrate a b --into main --land --update-checkout');
    expect(repository.git('ls-tree', '-r', '--name-only', report.integration?.branch ?? '')).toBe(
      'AGENTS.md\na.ts\nb.ts\nuser.ts',
    );
    // Pasted unchanged, it lands on the checked-out branch.
    const [, , ...words] = report.next?.split(' ') ?? [];
    expect((await integrate(...words)).code).toBe(0);
    expect(repository.git('rev-parse', 'main')).not.toBe(before);
  });

  test('what it leaves is reported, is one branch however often it runs, and is removed by joinery prune', async () => {
    const { repository, run, integrate } = repositoryWith();
    const branches = () =>
      repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/joinery', 'refs/joinery');
    const { report } = await integrate('a');
    await integrate('a');
    const shown = await run('integrate', 'a');
    expect(shown.stdout).toContain(
      `the result is on joinery/${report.id}/integration; joinery prune removes it`,
    );
    expect(branches().split('\n')).toEqual([
      `refs/heads/joinery/${report.id}/integration`,
      `refs/joinery/receipts/${report.id}`,
    ]);
    const asked = await run('prune', '--dry-run');
    expect(asked.stdout).toContain(`Would remove joinery/${report.id}/integration (proven, not landed)`);
    expect((await run('prune', '--yes')).code).toBe(0);
    expect(branches()).toBe('');
    const landed = await integrate('a', '--land', '--update-checkout');
    expect((await run('prune', landed.report.id, '--yes')).stdout).toContain('landed; its receipt stays');
    expect(branches()).toBe(`refs/joinery/receipts/${landed.report.id}`);
    expect((await run('receipt', 'verify', landed.report.id)).code).toBe(0);
    expect((await run('undo', 'nix')).code).toBe(3);
    const asks = await run('undo', landed.report.id);
    expect({ code: asks.code, stderr: asks.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`joinery undo ${landed.report.id} --update-checkout --yes`),
    });
    expect((await run('undo', landed.report.id, '--yes', '--update-checkout')).code).toBe(0);
    // It stays while it is checked out.
    const again = await integrate('a');
    repository.git('checkout', '-q', `joinery/${again.report.id}/integration`);
    const kept = await run('prune', again.report.id, '--force', '--yes');
    expect({ code: kept.code, stdout: kept.stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('it is checked out'),
    });
  });

  test('a contract that the result would break stops it before the target moves', async () => {
    const { repository, integrate } = repositoryWith();
    repository.branch('changes-name', { 'user.ts': user.replace('name()', 'name(id: string)') });
    const contract = join(temporaryFolder(), 'contract.json');
    const entity = { name: 'name', type: 'function', path: 'user.ts', function: 'name(): string' };
    writeFileSync(
      contract,
      JSON.stringify({ coreQuestion: '?', entities: [{ ...entity, createdByTask: null }] }),
    );
    const before = repository.git('rev-parse', 'main');
    const land = (branch: string) =>
      integrate(branch, '--contract', contract, '--land', '--update-checkout').then(({ code, report }) => ({
        code,
        step: report.steps.find(({ name }) => name === 'contract'),
      }));
    expect(await land('changes-name')).toMatchObject({
      code: 1,
      step: { status: 'fail', detail: expect.stringContaining('(broken by changes-name)') },
    });
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(await land('a')).toMatchObject({ code: 0, step: { status: 'pass', detail: '1 item satisfied' } });
    expect(repository.git('rev-parse', 'main')).not.toBe(before);
  });

  test('two at once for the same commits do not share a result: the receipt of what landed stays valid', async () => {
    const folder = temporaryFolder();
    // On a result, each gate reports that it runs and waits for permission: first, second.
    const gate = `test -e a.ts || { ${passingTests}; exit 0; }; n=first; mkdir ${folder}/first 2>/dev/null || { n=second; mkdir ${folder}/second; }; until test -e ${folder}/go-$n; do sleep 0.1; done; ${passingTests}`;
    const { repository, run, integrate } = repositoryWith({ gates: gate });
    repository.git('checkout', '-q', '--detach');
    const isThere = (name: string) => expect.poll(() => existsSync(join(folder, name)), { timeout: 60_000 });
    const landing = integrate('a', '--into', 'main', '--land');
    await isThere('first').toBe(true);
    const asking = integrate('a', '--into', 'main');
    await isThere('second').toBe(true);
    const pruned = run('prune', '--yes');
    writeFileSync(join(folder, 'go-first'), '');
    const landed = await landing;
    expect(landed).toMatchObject({ code: 0, report: { status: 'landed' } });
    expect((await pruned).code).toBe(0);
    writeFileSync(join(folder, 'go-second'), '');
    const asked = await asking;
    expect(asked).toMatchObject({ code: 0, report: { status: 'ready' } });
    expect(asked.report.id).not.toBe(landed.report.id);
    expect((await run('receipt', 'verify', landed.report.id)).code).toBe(0);
    expect((await run('undo', landed.report.id, '--yes')).code).toBe(0);
  });

  test('prune keeps what a person committed on top of a result, and works without the target', async () => {
    const { repository, run, integrate } = repositoryWith();
    const { report } = await integrate('a');
    const branch = `joinery/${report.id}/integration`;
    repository.git('checkout', '-q', branch);
    repository.commit({ 'mine.ts': 'export const mine = 1;\n' });
    const mine = repository.git('rev-parse', 'HEAD');
    repository.git('checkout', '-q', 'main');
    const kept = await run('prune', '--yes');
    expect(kept.stdout).toContain(`Kept ${branch}: it holds commits that were made after the proof`);
    expect(repository.git('rev-parse', branch)).toBe(mine);
    // Integrating the same commits again: it is still there.
    const again = await integrate('a');
    expect(again.code).toBe(0);
    expect(repository.git('branch', '--contains', mine).trim()).not.toBe('');
    repository.git('checkout', '-q', '--detach');
    repository.git('branch', '-q', '-D', 'main');
    // An unreadable receipt says nothing about its branch.
    repository.git('update-ref', 'refs/joinery/receipts/damaged1', repository.git('rev-parse', 'a:a.ts'));
    repository.git('branch', '-q', 'joinery/damaged1/integration', 'a');
    const without = await run('prune', '--dry-run', '--force');
    expect({ code: without.code, stdout: without.stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Would remove ${branch} (proven, not landed)`),
    });
  });

  test('a clean checkout is updated if that is allowed, and the receipt is valid', async () => {
    const { repository, run, integrate } = repositoryWith();
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

  test('a checkout is not updated without permission', async () => {
    const { repository, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    const { code } = await integrate('a', '--land');
    expect(code).toBe(2);
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  test('a target that is not checked out moves by compare-and-swap', async () => {
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

  describe('text that git cannot merge', () => {
    const lines = (...added: string[]) =>
      ['one', ...added, 'two'].map((name) => `export const ${name} = '${name}';\n`).join('');

    function conflicting(answer: string) {
      const bench = repositoryWith();
      const { repository } = bench;
      repository.commit({ 'list.ts': lines() });
      repository.branch('left', { 'list.ts': lines('left') });
      repository.branch('right', { 'list.ts': lines('right') });
      const scenario = join(temporaryFolder(), 'scenario.json');
      const write = [
        { write: { path: 'list.ts', content: answer } },
        { write: { path: 'user.ts', content: 'not asked for\n' } },
      ];
      writeFileSync(
        scenario,
        JSON.stringify({ schema: 'joinery/scenario@1', attempts: [{ role: 'integrator', do: write }] }),
      );
      const asked = ['a', '--agent', 'scripted', '--scenario', scenario];
      return { ...bench, ask: (...more: string[]) => bench.integrate(...more, 'left', 'right', ...asked) };
    }

    test('is a conflict if no integrator was named', async () => {
      const { integrate } = conflicting('');
      const { code, report } = await integrate('left', 'right');
      expect({ code, status: report.status }).toEqual({ code: 4, status: 'conflict' });
    });

    test('is resolved by an integrator on the integration branch, only in the conflicted files', async () => {
      const { repository, ask } = conflicting(lines('left', 'right'));
      const before = repository.git('rev-parse', 'main');
      const { code, report } = await ask();
      expect({ code, status: report.status }).toEqual({ code: 0, status: 'ready' });
      expect(report.steps.find(({ name }) => name === 'merge')?.detail).toContain('an integrator resolved');
      const branch = report.integration?.branch ?? '';
      expect(`${repository.git('show', `${branch}:list.ts`)}\n`).toBe(lines('left', 'right'));
      expect(`${repository.git('show', `${branch}:user.ts`)}\n`).toBe(user);
      expect(repository.git('rev-parse', 'main')).toBe(before);
      expect(repository.git('status', '--porcelain')).toBe('');
    });

    test('does not land if the resolution drops what a sibling added, unless a person accepts that', async () => {
      const { ask, run } = conflicting(lines('right'));
      const { code, report } = await ask('--land', '--update-checkout');
      expect({ code, status: report.status }).toEqual({ code: 1, status: 'lost' });
      expect(report.lost).toMatchObject([{ branch: 'left', path: 'list.ts', entity: 'left' }]);
      const file = join(temporaryFolder(), 'decisions.json');
      const decisions = report.lost.map((loss) => ({ ...loss, reason: 'right replaces it' }));
      writeFileSync(file, JSON.stringify({ schema: 'joinery/decisions@1', decisions }));
      const decided = await ask('--decisions', file);
      expect(decided.report.status).toBe('ready');
      const shown = await run('receipt', 'verify', decided.report.id, '--json');
      const { receipt, status } = ReceiptReport.parse(JSON.parse(shown.stdout));
      expect(status).toBe('pass');
      expect(receipt.decisions).toMatchObject([{ entity: 'left', reason: 'right replaces it' }]);
    });

    test('does not land if the resolution does not fit a third branch', async () => {
      const { repository, ask } = conflicting(
        `import { name } from './user.ts';\n${lines('left', 'right')}export const who = name();\n`,
      );
      repository.branch('rename', { 'user.ts': user.replace('name', 'title') });
      const { code, report } = await ask('rename');
      expect({ code, status: report.status }).toEqual({ code: 1, status: 'blocked' });
      expect(JSON.stringify(report.steps)).toContain('the resolution');
    });

    test('stays a conflict if markers are left, and --partial lands the rest', async () => {
      const { ask } = conflicting('<<<<<<< left\n');
      const whole = await ask();
      expect({ code: whole.code, status: whole.report.status }).toEqual({ code: 4, status: 'conflict' });
      const part = await ask('--partial');
      expect(part.report.status).toBe('ready');
      expect(part.report.merged.map(({ ref }) => ref).toSorted()).toEqual(['a', 'left']);
      expect(part.report.left).toMatchObject([{ ref: 'right' }]);
    });
  });

  test('--partial lands the largest set that fits, not the first branches', async () => {
    const { repository, integrate } = repositoryWith();
    repository.branch('rename', { 'user.ts': user.replace('name', 'title') });
    for (const name of ['use1', 'use2', 'use3'])
      repository.branch(name, {
        [`${name}.ts`]: `import { name } from './user.ts';\nexport const ${name} = name();\n`,
      });
    const { report } = await integrate('rename', 'use1', 'use2', 'use3', '--partial');
    expect(report.merged.map(({ ref }) => ref).toSorted()).toEqual(['use1', 'use2', 'use3']);
    expect(report.left).toMatchObject([{ ref: 'rename' }]);
    expect(report.left[0]?.reason).toContain('name');
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

  test('a failing gate prevents landing', async () => {
    const { repository, integrate } = repositoryWith({ gates: 'test ! -e a.ts' });
    const before = repository.git('rev-parse', 'main');
    const { code, report } = await integrate('a', '--land', '--update-checkout');
    expect({ code, status: report.status }).toEqual({ code: 1, status: 'blocked' });
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  test('what is not a branch, or does not exist, is refused', async () => {
    const { run } = repositoryWith();
    expect((await run('integrate')).code).toBe(3);
    expect((await run('integrate', 'nowhere')).code).toBe(3);
    expect((await run('integrate', 'a', '--into', 'HEAD~0')).code).toBe(3);
    expect((await run('receipt', 'show', 'nothing')).code).toBe(3);
  });
});

describe('where the target is', () => {
  test('in another worktree that is clean: that worktree is updated', async () => {
    const { repository, integrate } = repositoryWith();
    repository.git('checkout', '-q', '-b', 'dev');
    const elsewhere = join(temporaryFolder(), 'main');
    repository.git('worktree', 'add', '-q', elsewhere, 'main');
    const kept = await integrate('a', '--into', 'main', '--land');
    expect({ code: kept.code, status: kept.report.status }).toEqual({ code: 2, status: 'ready' });
    expect(kept.report.next).toContain(elsewhere);
    const { code, report } = await integrate('a', '--into', 'main', '--land', '--update-checkout');
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'landed' });
    expect(existsSync(join(elsewhere, 'a.ts'))).toBe(true);
    expect(repository.git('-C', elsewhere, 'status', '--porcelain')).toBe('');
    expect(repository.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('dev');
  });

  test('in a bare repository: it moves by compare-and-swap', async () => {
    const { repository } = repositoryWith();
    const bare = join(temporaryFolder(), 'bare.git');
    repository.git('clone', '-q', '--bare', repository.dir, bare);
    const env = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
    const { code, stdout } = await joinery(['integrate', 'a', 'b', '--into', 'main', '--land', '--json'], {
      cwd: bare,
      env,
    });
    const report = IntegrationReport.parse(JSON.parse(stdout));
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'landed' });
    expect(repository.git('-C', bare, 'rev-parse', 'main')).toBe(report.target.after);
  });

  test('moved meanwhile: everything is proven again for the new target, which is kept', async () => {
    const { repository, run } = repositoryWith();
    const moved = join(temporaryFolder(), 'moved');
    // The gate simulates a push to main while the gates run.
    const gate = `test -e ${moved} || { touch ${moved}; git --git-dir=${repository.dir}/.git update-ref refs/heads/main $(git --git-dir=${repository.dir}/.git rev-parse later2); }; ${passingTests}`;
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'AGENTS.md': `## Quality Gates\n\n- test: \`${gate}\`\n` });
    repository.git('checkout', '-q', '-b', 'later2', 'main');
    repository.commit({ 'later.ts': 'export const later = 3;\n' });
    repository.git('checkout', '-q', '--detach');
    const { code, stdout, stderr } = await run('integrate', 'a', '--into', 'main', '--land', '--json');
    const report = IntegrationReport.parse(JSON.parse(stdout));
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'landed' });
    expect(stderr).toContain('moved in the meantime');
    expect(report.target.before).toBe(repository.git('rev-parse', 'later2'));
    expect(repository.git('ls-tree', '--name-only', 'main', 'a.ts', 'later.ts')).toBe('a.ts\nlater.ts');
  });
});

test('commit.gpgSign is honoured: the landing commit is signed', async () => {
  const { repository, integrate } = repositoryWith();
  const program = join(temporaryFolder(), 'gpg');
  const signature = '-----BEGIN PGP SIGNATURE-----\\n\\nsigned\\n-----END PGP SIGNATURE-----\\n';
  writeFileSync(
    program,
    `#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED D" >&2\nprintf -- '${signature}'\n`,
    { mode: 0o755 },
  );
  repository.git('config', 'gpg.program', program);
  repository.git('config', 'commit.gpgSign', 'true');
  const { code, report } = await integrate('a', '--land', '--update-checkout');
  expect({ code, status: report.status }).toEqual({ code: 0, status: 'landed' });
  expect(repository.git('cat-file', 'commit', 'main')).toContain('gpgsig -----BEGIN PGP SIGNATURE-----');
});

test('a target that a checkout is rebasing does not move', async () => {
  const { repository, integrate } = repositoryWith();
  repository.branch('later', { 'user.ts': 'export const later = 1;\n' });
  repository.commit({ 'user.ts': 'export const now = 1;\n' });
  expect(() => repository.git('rebase', 'later')).toThrow();
  const before = repository.git('rev-parse', 'main');
  const { code, report } = await integrate('b', '--into', 'main', '--land', '--update-checkout');
  expect({ code, status: report.status }).toEqual({ code: 2, status: 'ready' });
  expect(report.steps.at(-1)?.detail).toContain('rebase');
  expect(repository.git('rev-parse', 'main')).toBe(before);
});

test('a receipt is found without its branch, and a modified one is refused', async () => {
  const { repository, run, integrate } = repositoryWith();
  const { report } = await integrate('a', '--land', '--update-checkout');
  repository.git('branch', '-q', '-D', report.integration?.branch ?? '');
  const verified = await run('receipt', 'verify', report.id, '--json');
  const { status, receipt, checks } = ReceiptReport.parse(JSON.parse(verified.stdout));
  expect({ status, isTrue: checks.every(({ isTrue }) => isTrue) }).toEqual({ status: 'pass', isTrue: true });
  const names = checks.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['first parent', 'steps and evidence', 'entities of a']));
  const ref = `refs/joinery/receipts/${report.id}`;
  const text = repository.git('cat-file', 'blob', ref);
  const forgeries = {
    'another value': JSON.stringify({ ...receipt, evidence: [] }),
    'a key that nobody knows': text.replace(/^\{/, '{"approvedBy":"nobody",'),
    'white space': `${text}\n`,
    'another id': text.replaceAll(report.id, `${report.id}x`),
    'no receipt': '{}',
    'no JSON': 'garbage',
  };
  for (const [name, forged] of Object.entries(forgeries)) {
    repository.git('update-ref', ref, repository.pipe(forged, ['hash-object', '-w', '--stdin']));
    const { code, stdout, stderr } = await run('receipt', 'verify', report.id);
    expect({ name, code, stdout }).toEqual({ name, code: 1, stdout: '' });
    expect(stderr).toMatch(/was changed/);
  }
});

describe('undo', () => {
  test('never moves a protected branch', async () => {
    const { repository, run, integrate } = repositoryWith();
    const { report } = await integrate('a', '--land', '--update-checkout');
    const landed = repository.git('rev-parse', 'main');
    repository.write({ 'joinery.json': '{ "run": { "protected": ["main"] } }\n' });
    const { code, stdout } = await run('undo', report.id, '--yes', '--update-checkout');
    expect(code).toBe(2);
    expect(stdout).toContain('main is protected');
    expect(repository.git('rev-parse', 'main')).toBe(landed);
  });

  test('reverts a landing, and refuses once something has landed since', async () => {
    const { repository, run, integrate } = repositoryWith();
    const before = repository.git('rev-parse', 'main');
    const { report } = await integrate('a', '--land', '--update-checkout');
    const undone = await run('undo', report.id, '--yes', '--update-checkout');
    expect(undone.code).toBe(0);
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(repository.git('ls-files')).toBe('AGENTS.md\nuser.ts');
    const again = await integrate('a', '--land', '--update-checkout');
    repository.commit({ 'later.ts': 'export {};\n' });
    const refused = await run('undo', again.report.id, '--yes', '--update-checkout');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('git revert -m 1');
  });
});
