import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { historySince } from '#git/history/history.ts';
import { type Merge, mergePairs } from '#git/merges/unions.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { note, sample } from '#test/support/sampling.ts';
import { entangledSides } from './entangled.ts';
import { diffTrees, GitTree } from './tree.ts';
import { writeChanged } from './write-tree.ts';

interface Entry {
  readonly mode: string;
  readonly text: string;
}

type Tree = ReadonlyMap<string, Entry>;

const names = ['a', 'b', 'c', 'a.d', 'a-b', 'é'];
const path = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));
/** Long enough for git to detect renames of changed files. */
const text = fc
  .nat(5)
  .map((kind) => Array.from({ length: 12 }, (_, line) => `line ${line} of ${kind}\n`).join(''));
const entry = fc.record({ mode: fc.constantFrom('100644', '100644', '100755', '120000'), text });

type Edit =
  | { readonly kind: 'put'; readonly path: string; readonly entry: Entry }
  | { readonly kind: 'change'; readonly at: number }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: string; readonly whole: boolean };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), path, entry }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(50) }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(50) }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(50), to: path, whole: fc.boolean() }),
);

/** A path cannot be a file and a directory: the last entry wins. */
function put(tree: Map<string, Entry>, path: string, entry: Entry): void {
  for (const known of [...tree.keys()])
    if (known.startsWith(`${path}/`) || path.startsWith(`${known}/`)) tree.delete(known);
  tree.set(path, entry);
}

function apply(before: Tree, edits: readonly Edit[]): Tree {
  const tree = new Map(before);
  for (const edit of edits) {
    if (edit.kind === 'put') {
      put(tree, edit.path, edit.entry);
      continue;
    }
    const [path, entry] = [...tree][edit.at % Math.max(tree.size, 1)] ?? [];
    if (path === undefined || entry === undefined) continue;
    if (edit.kind === 'delete') tree.delete(path);
    else if (edit.kind === 'change') tree.set(path, { ...entry, text: `${entry.text}changed\n` });
    else {
      const folder = edit.whole && path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path;
      for (const [from, moved] of [...tree])
        if (from === folder || from.startsWith(`${folder}/`)) {
          tree.delete(from);
          put(tree, edit.to + from.slice(folder.length), moved);
        }
    }
  }
  return tree;
}

class Builder {
  readonly repository = new GitRepository();
  readonly #blobs = new Map<string, string>();

  commit(tree: Tree, ...parents: string[]): string {
    const index = join(temporaryFolder(), 'index');
    const rows = [...tree].map(([path, { mode, text }]) => `${mode} ${this.#blob(text)}\t${path}\n`);
    this.repository.pipe(rows.join(''), ['update-index', '--add', '--index-info'], { GIT_INDEX_FILE: index });
    const id = this.repository.pipe('', ['write-tree'], { GIT_INDEX_FILE: index });
    return this.repository.git('commit-tree', '-m', 'c', ...parents.flatMap((parent) => ['-p', parent]), id);
  }

  #blob(text: string): string {
    const known = this.#blobs.get(text) ?? this.repository.pipe(text, ['hash-object', '-w', '--stdin']);
    this.#blobs.set(text, known);
    return known;
  }
}

interface Pair {
  readonly isEntangled: boolean;
  readonly merge: Merge | undefined;
  /** The tree with the changes of both. */
  readonly sum: string | null;
}

/** Merges every pair of commits, once by our own rule and once with git. */
async function comparePairs(dir: string, fork: string, commits: readonly string[]): Promise<Pair[]> {
  const scratch = await createScratch(await openRepository(dir), temporaryFolder());
  const objects = new ObjectReader(scratch.git);
  try {
    const [root = '', ...trees] = await Promise.all(
      [fork, ...commits].map((commit) => scratch.git.text(['rev-parse', `${commit}^{tree}`])),
    );
    const changes = await diffTrees(
      scratch.git,
      trees.map((tree) => [root, tree] as const),
      { renames: true },
    );
    const forks = await historySince(scratch.git, fork, commits);
    const entangled = entangledSides(
      commits.map((commit, at) => ({
        changes: changes[at] ?? [],
        first: forks.fork(commit)?.first ?? [],
        isUnsure: false,
      })),
      await GitTree.read(scratch.git, root),
    );
    const pairs = commits.flatMap((_, a) => commits.slice(a + 1).map((__, at) => ({ a, b: a + 1 + at })));
    const merges = await mergePairs(
      scratch.git,
      pairs.map(({ a, b }) => [commits[a] ?? '', commits[b] ?? ''] as const),
    );
    return await Promise.all(
      pairs.map(async ({ a, b }, index) => ({
        isEntangled: entangled[a]?.has(b) ?? false,
        merge: merges[index],
        sum: await writeChanged({ scratch, objects }, root, [...(changes[a] ?? []), ...(changes[b] ?? [])]),
      })),
    );
  } finally {
    objects.close();
    await scratch.remove();
  }
}

test('git merges sides that are not entangled without conflicts, into exactly the tree with the changes of both', async () => {
  let untangled = 0;
  let conflicts = 0;
  let faults = 0;
  const sides = fc.array(
    fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4 }), onTopOf: fc.option(fc.nat(3)) }),
    { minLength: 4, maxLength: 4 },
  );
  const base = fc.array(fc.tuple(path, entry), { minLength: 8, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(base, sides, async (files, drawn) => {
      const builder = new Builder();
      const baseTree = new Map<string, Entry>();
      for (const [path, entry] of files) put(baseTree, path, entry);
      const fork = builder.commit(baseTree);
      const commits: string[] = [];
      const trees: Tree[] = [];
      for (const { edits, onTopOf } of drawn) {
        const below = onTopOf === null ? undefined : commits[onTopOf];
        // Stacked on a sibling, with all changes but one reverted: only history shows that they have met.
        const from = [...(below === undefined ? [] : (trees[onTopOf ?? 0] ?? []))].slice(0, 1);
        const tree = apply(new Map([...baseTree, ...from]), edits);
        trees.push(tree);
        commits.push(builder.commit(tree, below ?? fork));
      }
      for (const { isEntangled, merge, sum } of await comparePairs(builder.repository.dir, fork, commits)) {
        // Some histories make git abort; its answer is then unknown.
        if (merge?.status === 'failed') faults++;
        else if (isEntangled) conflicts += merge?.status === 'conflict' ? 1 : 0;
        else {
          untangled++;
          expect(merge).toEqual({ status: 'clean', tree: sum });
        }
      }
    }),
    sample('merges without git against git', { normal: 12, soak: 500 }),
  );
  expect(untangled).toBeGreaterThan(0);
  expect(conflicts).toBeGreaterThan(0);
  expect(faults).toBeLessThan(untangled / 10);
  if (faults > 0) note(`merges without git against git: git itself failed in ${faults} merges`);
}, 600_000);

const file = (name: string): Entry => ({
  mode: '100644',
  text: Array.from({ length: 12 }, (_, line) => `line ${line} of ${name}\n`).join(''),
});
const treeOf = (...paths: string[]): Tree => new Map(paths.map((path) => [path, file(path.slice(-1))]));

test.each<[string, Tree, Tree, Tree]>([
  ['a file where the other needs a directory', treeOf('x'), treeOf('x', 'd'), treeOf('x', 'd/a')],
  [
    'a file in a directory that the other has moved',
    treeOf('x', 'old/a', 'old/b'),
    treeOf('x', 'new/a', 'new/b'),
    treeOf('x', 'old/a', 'old/b', 'old/c'),
  ],
  [
    'a file above one that was moved with all of its directory',
    treeOf('x', 'old/in/a', 'old/in/b'),
    treeOf('x', 'new/in/a', 'new/in/b'),
    treeOf('x', 'old/in/a', 'old/in/b', 'old/c'),
  ],
])('git has to merge %s', async (_, base, one, other) => {
  const builder = new Builder();
  const fork = builder.commit(base);
  const commits = [builder.commit(one, fork), builder.commit(other, fork)];
  const [pair] = await comparePairs(builder.repository.dir, fork, commits);
  expect(pair).toMatchObject({ isEntangled: true, merge: { status: 'conflict' } });
});

test('git has to merge a change that one side reverted and the other kept', async () => {
  const builder = new Builder();
  const fork = builder.commit(treeOf('x', 'y'));
  const changed = new Map([...treeOf('x', 'y'), ['x', file('changed')] as const]);
  const shared = builder.commit(changed, fork);
  const took = builder.commit(treeOf('x', 'y', 'a'), shared);
  const kept = builder.commit(new Map([...changed, ...treeOf('b')]), shared);
  const [pair] = await comparePairs(builder.repository.dir, fork, [took, kept]);
  expect(pair).toMatchObject({ isEntangled: true, merge: { status: 'clean' } });
  expect(pair?.sum).not.toBe(pair?.merge?.status === 'clean' && pair.merge.tree);
});

test('writes old modes as git does, and keeps all files beside a change', async () => {
  const { repository } = new Builder();
  const blob = repository.pipe('text\n', ['hash-object', '-w', '--stdin']);
  const bytes = Buffer.from(blob, 'hex').toString('latin1');
  const write = (content: string) =>
    repository.pipe(Buffer.from(content, 'latin1'), [
      'hash-object',
      '-w',
      '-t',
      'tree',
      '--literally',
      '--stdin',
    ]);
  const inner = write(`100664 one\0${bytes}100644 two\0${bytes}`);
  const root = write(`040000 d\0${Buffer.from(inner, 'hex').toString('latin1')}100644 x\0${bytes}`);
  const fork = repository.git('commit-tree', '-m', 'base', root);
  const commit = (path: string) => {
    const index = { GIT_INDEX_FILE: join(temporaryFolder(), 'index') };
    repository.pipe('', ['read-tree', fork], index);
    repository.pipe(`100644 ${blob}\t${path}\n`, ['update-index', '--add', '--index-info'], index);
    return repository.git('commit-tree', '-m', path, '-p', fork, repository.pipe('', ['write-tree'], index));
  };
  const [pair] = await comparePairs(repository.dir, fork, [commit('d/new'), commit('y')]);
  expect(pair).toMatchObject({ isEntangled: false });
  expect(pair?.merge).toEqual({ status: 'clean', tree: pair?.sum });
});
