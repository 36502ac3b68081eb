import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkClaim } from '#gates/claims/check-claim.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { forgeIndex, replaceObject } from '../support/forgery.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

const path = fc.constantFrom(
  'a.txt',
  'src/b.txt',
  'src/deep/c.txt',
  'd.sh',
  'new.txt',
  'src/new/e.txt',
  'ignored/f.txt',
  'x.log',
  'id.txt',
);
const content = fc.constantFrom(
  'one\n',
  'two\n',
  'two\r\n',
  '',
  'one',
  '$Id$\n',
  '/*$Id: */ y(); /* $*/\n',
  '$Id: x $\n',
);
type Edit =
  | { readonly do: 'write'; readonly path: string; readonly content: string; readonly keepsTime: boolean }
  | { readonly do: 'delete' | 'touch' | 'chmod' | 'link'; readonly path: string };
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, content, keepsTime: fc.boolean() }),
  fc.record({
    do: fc.constantFrom('delete' as const, 'touch' as const, 'chmod' as const, 'link' as const),
    path,
  }),
);

const longAgo = new Date('2020-01-01T00:00:00Z');

function apply(root: string, change: Edit): void {
  const file = join(root, change.path);
  switch (change.do) {
    case 'write':
      rmSync(file, { recursive: true, force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, change.content);
      if (change.keepsTime) utimesSync(file, longAgo, longAgo);
      break;
    case 'delete':
      rmSync(file, { recursive: true, force: true });
      break;
    case 'touch':
      if (existsSync(file)) utimesSync(file, new Date(), new Date());
      break;
    case 'chmod':
      if (existsSync(file)) chmodSync(file, 0o755);
      break;
    case 'link':
      rmSync(file, { recursive: true, force: true });
      mkdirSync(dirname(file), { recursive: true });
      symlinkSync('one\n', file);
  }
}

/** What evidence covers: content, mode and links of every file that is not ignored. Git ignores empty folders. */
function visibleFiles(root: string): string[] {
  return fingerprint(root)
    .map((line) => line.slice(root.length))
    .filter(
      (line) =>
        !/^\/(\.git|ignored)(\/| )/.test(line) && !/\.log \d+ /.test(line) && !/^[^ ]* 40\d+ /.test(line),
    );
}

test('evidence is valid for exactly the tree it was recorded on', async () => {
  const repository = new GitRepository();
  repository.commit({
    'a.txt': 'one\n',
    'src/b.txt': 'one\n',
    'src/deep/c.txt': 'two\n',
    'd.sh': 'one\n',
    'id.txt': '$Id$\n',
    '.gitattributes': '*.txt ident\n',
    '.gitignore': 'ignored/\n*.log\n',
  });
  for (const file of ['a.txt', 'src/b.txt', 'src/deep/c.txt', 'd.sh'])
    utimesSync(join(repository.dir, file), longAgo, longAgo);
  repository.git('add', '--all');
  const opened = await openRepository(repository.dir);
  const outside = temporaryFolder();
  const store = openEvidenceStore(outside);
  const scratch = await createScratch(opened, join(outside, 'scratch'));
  const reader = () => openWorktreeReader(opened, scratch, repository.dir, []);
  const env = { PATH: process.env.PATH ?? '' };
  const evidence = await recordEvidence(
    {
      claim: 'test',
      gate: null,
      command: { kind: 'argv', argv: ['echo', '1 passed'], text: 'echo 1 passed' },
      timeoutMs: 30_000,
    },
    { store, worktree: await reader(), env, maxLogBytes: 10_000, run: null, task: null, attempt: null },
  );
  const before = visibleFiles(repository.dir);
  const original = join(outside, 'original');
  cpSync(repository.dir, original, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => source !== join(repository.dir, '.git'),
  });
  const outcomes = new Set<string | null>();
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      for (const name of readdirSync(repository.dir)) {
        if (name !== '.git') rmSync(join(repository.dir, name), { recursive: true, force: true });
      }
      cpSync(original, repository.dir, { recursive: true, preserveTimestamps: true });
      for (const change of edits) apply(repository.dir, change);
      const isSame = JSON.stringify(visibleFiles(repository.dir)) === JSON.stringify(before);
      const tree = await (await reader()).tree();
      const ground = { tree, evidence: [evidence], gates: [], isIntact: () => true };
      const { reason } = checkClaim({ claim: 'test', text: null }, ground);
      expect({ reason, edits }).toEqual({ reason: isSame ? null : 'stale', edits });
      outcomes.add(reason);
    }),
    sample('evidence of another tree is never accepted', { normal: 20, soak: 500 }),
  );
  expect(outcomes).toEqual(new Set([null, 'stale']));
}, 1_800_000);

test('evidence of a command that saw other files is valid for none', async () => {
  const repository = new GitRepository();
  repository.commit({ 'a.txt': 'good\n' });
  repository.commit({ 'a.txt': 'bad\n' });
  const opened = await openRepository(repository.dir);
  const outside = temporaryFolder();
  const scratch = await createScratch(opened, join(outside, 'scratch'));
  const worktree = await openWorktreeReader(opened, scratch, repository.dir, []);
  const line = 'git checkout -q HEAD~1 -- a.txt && grep good a.txt && echo 1 passed';
  const evidence = await recordEvidence(
    { claim: 'test', gate: null, command: { kind: 'line', line }, timeoutMs: 30_000 },
    {
      store: openEvidenceStore(outside),
      worktree,
      env: { PATH: process.env.PATH ?? '' },
      maxLogBytes: 10_000,
      run: null,
      task: null,
      attempt: null,
    },
  );
  repository.git('checkout', '-q', 'HEAD', '--', 'a.txt');
  const ground = { tree: await worktree.tree(), evidence: [evidence], gates: [], isIntact: () => true };
  expect(ground.tree).toBe(evidence.tree);
  expect(checkClaim({ claim: 'test', text: null }, ground).reason).toBe('changed-tree');
});

test('a checkout with keywords in it has the tree of its commit', async () => {
  const repository = new GitRepository();
  repository.commit({ '.gitattributes': '*.txt ident\n', 'a.txt': 'x $Id$ y\n' });
  repository.write({ 'a.txt': null });
  repository.git('checkout', '-q', '--', 'a.txt');
  expect(readFileSync(join(repository.dir, 'a.txt'), 'utf8')).toMatch(/\$Id: [0-9a-f]{40} \$/);
  const opened = await openRepository(repository.dir);
  const scratch = await createScratch(opened, join(temporaryFolder(), 'scratch'));
  const worktree = await openWorktreeReader(opened, scratch, repository.dir, []);
  expect(await worktree.tree()).toBe(repository.git('rev-parse', 'HEAD^{tree}'));
  repository.write({ 'a.txt': '/*$Id: */ y(); /* $*/\n' });
  const changed = await worktree.tree();
  repository.write({ 'a.txt': '/*$Id: */ z(); /* $*/\n' });
  expect(await worktree.tree()).not.toBe(changed);
});

test('a checkout is what is on disk, not what its index says', async () => {
  const repository = new GitRepository();
  const commit = repository.commit({ 'a.txt': 'good\n', 'b.txt': 'b\n' });
  const opened = await openRepository(repository.dir);
  const scratch = await createScratch(opened, join(temporaryFolder(), 'scratch'));
  repository.write({ 'a.txt': 'evil\n' });
  forgeIndex(repository.dir, 'a.txt', commit);
  expect(repository.git('status', '--porcelain')).toBe('');
  const worktree = await openWorktreeReader(opened, scratch, repository.dir, []);
  expect(await worktree.tree()).not.toBe(repository.git('rev-parse', 'HEAD^{tree}'));
});

test('evidence covers the files of submodules too, and nothing of theirs runs', async () => {
  const repository = new GitRepository();
  repository.commit({ 'AGENTS.md': '## Quality Gates\n- test: `cat sub/f`\n', 'a.txt': 'a\n' });
  mkdirSync(join(repository.dir, 'sub'));
  const inner = new GitRepository({ dir: join(repository.dir, 'sub') });
  inner.git('init', '-q', '-b', 'main', '.');
  const link = inner.commit({ f: '1 passed\n' });
  repository.git('update-index', '--add', '--cacheinfo', `160000,${link},sub`);
  repository.git('commit', '-q', '-m', 'sub');
  const outside = temporaryFolder();
  const trap = join(outside, 'sprung');
  inner.git('config', 'filter.evil.clean', `touch ${trap}; cat`);
  inner.write({ '.git/info/attributes': '* filter=evil\n' });
  const env = { JOINERY_STATE_DIR: outside, JOINERY_CACHE_DIR: outside };
  const call = async (...args: string[]) =>
    (await joinery(['evidence', ...args], { cwd: repository.dir, env })).code;
  expect(await call('run', '--claim', 'test', '--', 'cat', 'sub/f')).toBe(0);
  expect(await call('check', '--claim', 'test')).toBe(0);
  inner.write({ f: '0 passed\n' });
  expect(await call('check', '--claim', 'test')).toBe(1);
  expect(existsSync(trap)).toBe(false);
}, 60_000);

test('gates whose object was replaced are not run', async () => {
  const repository = new GitRepository();
  repository.commit({ 'AGENTS.md': '## Quality Gates\n- test: `exit 1`\n' });
  replaceObject(
    join(repository.dir, '.git'),
    repository.git('rev-parse', 'HEAD:AGENTS.md'),
    '## Quality Gates\n- test: `echo 1 passed`\n',
  );
  const outside = temporaryFolder();
  const env = { JOINERY_STATE_DIR: outside, JOINERY_CACHE_DIR: outside };
  const { code, stderr } = await joinery(['gates'], { cwd: repository.dir, env });
  expect(stderr).toContain('is not what its name says');
  expect(code).toBe(5);
}, 60_000);
