import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FactsStore } from '#code/facts/facts-store.ts';
import { openRepository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitTree } from '#git/trees/tree.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { readCode } from './read-code.ts';

async function read(repo: GitRepository, declared: string[]) {
  const { git } = await openRepository(repo.dir);
  const objects = new ObjectReader(git);
  const facts = new FactsStore(join(temporaryFolder(), 'facts.db'), 1e8);
  try {
    const commit = repo.git('rev-parse', 'HEAD');
    const tree = await GitTree.read(git, commit);
    return await readCode({ git, objects, facts, commit, tree, pythonRoots: [] }, declared);
  } finally {
    objects.close();
    facts.close();
  }
}

test('follows uses through barrels to the file that defines the name, in TypeScript and Python', async () => {
  const repo = new GitRepository();
  repo.commit({
    'src/user.ts': 'export interface User { name: string }\nexport const other = 1;\n',
    'src/index.ts': "export * from './user.ts';\n",
    'src/api.ts': "import { User } from './index.ts';\nexport const show = (user: User) => user.name;\n",
    'app/models.py': 'class Team:\n    name = ""\n',
    'app/views.py': 'from app.models import Team\n\ndef view(team: Team):\n    return team.name\n',
    'app/__init__.py': '',
    'README.md': 'one\ntwo',
  });
  const reading = await read(repo, ['src/user.ts', 'src/api.ts', 'app/', 'README.md', 'src/new.ts']);
  expect(reading.existing).toMatchObject({
    'app/': ['app/__init__.py', 'app/models.py', 'app/views.py'],
    'src/new.ts': [],
  });
  expect(reading.lines).toMatchObject({ 'src/user.ts': 2, 'README.md': 2, 'app/__init__.py': 0 });
  expect(reading.offers['src/user.ts']).toEqual(['User', 'other']);
  const use = (from: string, to: string) => reading.uses.find((each) => each.from === from && each.to === to);
  expect(use('src/api.ts', 'src/user.ts')?.names).toContain('User');
  expect(use('src/api.ts', 'src/user.ts')?.names).not.toContain('other');
  expect(use('app/views.py', 'app/models.py')?.names).toContain('Team');
  expect(use('src/user.ts', 'src/api.ts')).toBeUndefined();
});

test('counts files that changed together, without merges and huge commits', async () => {
  const repo = new GitRepository();
  repo.commit({ 'a.ts': '1', 'b.ts': '1' });
  repo.commit({ 'a.ts': '2', 'b.ts': '2' });
  repo.commit({ 'a.ts': '3', 'ü c.ts': '1' });
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`many/${n}.ts`, '']));
  repo.commit({ ...many, 'a.ts': '4', 'b.ts': '4' });
  const { coChanges } = await read(repo, ['a.ts', 'b.ts', 'ü c.ts']);
  expect(coChanges).toEqual([
    { a: 'a.ts', b: 'b.ts', together: 2, atLeast: 2 },
    { a: 'a.ts', b: 'ü c.ts', together: 1, atLeast: 1 },
  ]);
});

test('names a file that cannot be read as code', async () => {
  const repo = new GitRepository();
  repo.commit({ 'a.ts': 'export const = ;\n' });
  const { unread } = await read(repo, ['a.ts']);
  expect(unread).toMatchObject([{ path: 'a.ts', reason: expect.stringContaining('line 1') }]);
});
