import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { checkOutPlain } from './plain-checkout.ts';

test('one tree is checked out many times at once', async () => {
  const repo = new GitRepository();
  repo.commit(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}.txt`, `${n}\n`])));
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const folder = temporaryFolder();
  const scratch = await createScratch(await openRepository(repo.dir), join(folder, 'objects'));
  const places = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => join(folder, name));
  const checkouts = await Promise.all(places.map((path) => checkOutPlain(scratch, tree, path)));
  for (const { path, isUntouched } of checkouts) {
    expect(readdirSync(path)).toHaveLength(200);
    expect(await isUntouched()).toBe(true);
  }
});
