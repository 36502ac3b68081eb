import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OutcomeStore } from '#check/cache/outcome-store.ts';
import { CodeTrees } from '#check/unions/unions.ts';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import { openRepository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GitTree, listTree } from '#git/trees/tree.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { LinkMemory } from './link-memory.ts';

const base: Files = {
  'src/user.ts':
    'export interface User { name: string }\nexport const load = (id: number): User => ({ name: String(id) });\n',
  'src/index.ts': "export * from './user.ts';\n",
  'src/shout.ts': "import { load } from './index.ts';\nexport const shout = () => load(1).name;\n",
  'src/apart.ts': 'export const apart = 1;\n',
  'src/uses-apart.ts': "import { apart } from './apart.ts';\nexport const twice = apart * 2;\n",
};

/** A branch as it moves on: each step is checked with the cache of the previous steps. */
const steps: readonly Files[] = [
  { 'src/own.ts': "import { load } from './index.ts';\nexport const own = load(1);\n" },
  // An unrelated file: links of all other files hold.
  { 'src/apart.ts': 'export const apart = 2;\nexport const more = 3;\n' },
  // The meaning of a name changes: files that use it have to be linked again.
  {
    'src/user.ts':
      'export interface User { title: string }\nexport const load = (): User => ({ title: "" });\n',
  },
  // A name disappears, behind a barrel.
  { 'src/user.ts': 'export interface User { title: string }\n' },
  // A file disappears, and comes back with a document that controls imports.
  { 'src/apart.ts': null },
  {
    'src/apart.ts': 'export const apart = 2;\n',
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n',
  },
];

/** The links of every file of a tree as a check with this cache finds them, and how many files it parsed. */
async function linksOf(repository: GitRepository, tree: string, cache: string) {
  const opened = await openRepository(repository.dir);
  const scratch = await createScratch(opened, join(cache, 'objects'));
  const [names, objects] = [new ObjectReader(opened.git), new ObjectReader(scratch.git)];
  const outcomes = new OutcomeStore(join(cache, 'outcomes.db'), { surroundings: 'test', maxBytes: 1 << 24 });
  const facts = new FactsStore(join(temporaryFolder(), 'facts.db'), 1 << 24);
  try {
    const baseTree = repository.git('rev-parse', 'main^{tree}').trim();
    const git = GitTree.of(baseTree, await listTree(scratch.git, baseTree));
    const reader = new FactsReader(objects, facts, 1);
    const workspace = { repository: opened, scratch, names, objects };
    const trees = new CodeTrees(workspace, git, reader, new ResolutionDocuments(objects), []);
    const memory = new LinkMemory(outcomes, trees, git, reader, []);
    const linked = await memory.get(tree, 'branch');
    const paths = linked.git.matching((path) => path.endsWith('.ts'));
    await linked.link(paths);
    const links = paths.map((path) => ({
      path,
      keys: linked.problemKeys(path),
      problems: linked.linked(path)?.problems,
    }));
    const parsed = reader.counts.extracted;
    memory.release(tree);
    memory.save();
    outcomes.keep();
    const reopened = await memory.get(tree, 'branch');
    await reopened.link(paths);
    expect(paths.map((path) => reopened.problemKeys(path))).toEqual(links.map(({ keys }) => keys));
    expect(reader.counts.extracted).toBe(parsed);
    return { links, parsed };
  } finally {
    facts.close();
    outcomes.close();
    names.close();
    objects.close();
    await scratch.remove();
  }
}

test('cached links equal those that linking finds, whatever the branch did in between', async () => {
  const repository = new GitRepository();
  repository.commit(base);
  repository.git('checkout', '-q', '-b', 'feat');
  const cache = temporaryFolder();
  const parsed: { first: number; remembered: number; fresh: number }[] = [];
  for (const step of steps) {
    repository.commit(step);
    const tree = repository.git('rev-parse', 'feat^{tree}').trim();
    const fresh = await linksOf(repository, tree, temporaryFolder());
    const first = await linksOf(repository, tree, cache);
    const again = await linksOf(repository, tree, cache);
    expect(first.links).toEqual(fresh.links);
    expect(again.links).toEqual(fresh.links);
    parsed.push({ first: first.parsed, remembered: again.parsed, fresh: fresh.parsed });
  }
  // And they do come from the cache: a known tree is not parsed at all, and an unrelated change parses little.
  expect(parsed.map(({ remembered }) => remembered)).toEqual(steps.map(() => 0));
  expect(parsed[1]?.first).toBeLessThan(parsed[1]?.fresh ?? 0);
  expect(parsed[2]?.fresh).toBeGreaterThan(0);
});
