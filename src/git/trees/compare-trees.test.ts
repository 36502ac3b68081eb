import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { sample } from '#test/support/sampling.ts';
import { compareTrees } from './compare-trees.ts';
import { diffTrees } from './tree.ts';

const segment = fc.constantFrom('a', 'a-b', 'a.b', 'A', 'b', 'é', '日本', '🎉', '\uffee', ' x', 'a\nb');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const mode = fc.constantFrom('100644', '100755', '120000', '160000');
const files = fc.uniqueArray(fc.tuple(path, mode, fc.nat({ max: 4 })), {
  maxLength: 12,
  selector: ([name]) => name,
});

/** A file cannot have the name of a folder: the later one stays out. */
function possible(rows: readonly (readonly [string, string, number])[]) {
  const taken = new Set<string>();
  return rows.filter(([name]) => {
    const above = name.split('/').flatMap((_, at, parts) => (at === 0 ? [] : parts.slice(0, at).join('/')));
    const isFree =
      !above.some((folder) => taken.has(folder)) && ![...taken].some((other) => other.startsWith(`${name}/`));
    if (isFree) taken.add(name);
    return isFree;
  });
}

test('reads the changes that git reads, in the same order', async () => {
  const repo = new GitRepository();
  const blobs = [0, 1, 2, 3, 4].map((n) => repo.pipe(`text ${n}\n`, ['hash-object', '-w', '--stdin']));
  const submodule = 'a'.repeat(40);
  const { git, objectFormat } = await openRepository(repo.dir, []);
  const objects = new ObjectReader(git);
  const treeOf = (rows: readonly (readonly [string, string, number])[]) => {
    repo.git('read-tree', '--empty');
    const lines = possible(rows).map(
      ([name, kind, n]) => `${kind} ${kind === '160000' ? submodule : blobs[n]}\t${name}\0`,
    );
    repo.pipe(lines.join(''), ['update-index', '-z', '--index-info']);
    return repo.git('write-tree');
  };
  try {
    await fc.assert(
      fc.asyncProperty(files, files, fc.boolean(), async (one, other, renames) => {
        const pairs = [[treeOf(one), treeOf([...one.slice(2), ...other])]] as const;
        const read = await compareTrees({ scratch: { git, objectFormat }, objects }, pairs, { renames });
        expect(read).toEqual(await diffTrees(git, pairs, { renames }));
      }),
      sample('pairs of trees', { normal: 60, soak: 2000 }),
    );
  } finally {
    objects.close();
  }
});
