import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { GitTree } from '#git/trees/tree.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { CodeTree } from './code-tree.ts';
import { ResolutionDocuments } from './documents.ts';

const idOf = (text: string) => createHash('sha1').update(text).digest('hex');

const files = {
  'src/user.ts': 'export class User { save() {} }\n',
  'src/index.ts': "export * from './user.ts';\n",
  'src/mail.ts': 'export const send = (to: string) => to;\n',
  'src/app.ts':
    "import { User } from './index.ts';\nimport { send } from './mail.ts';\nconst user = new User();\nuser.save();\nsend('a');\n",
};
const changed = 'export class User { save(now: boolean) { return now; } }\n';

async function openTrees(other: Record<string, string | null>) {
  const contents = new Map(
    [...Object.values(files), ...Object.values(other)].map((text) => [idOf(text ?? ''), text]),
  );
  const content = async (id: string) => Buffer.from(contents.get(id) ?? '');
  const source = { content, blob: async (id: string) => ({ size: 1, content: await content(id) }) };
  const reader = new FactsReader(source, new FactsStore(join(temporaryFolder(), 'facts.db'), 1 << 24), 1);
  const listing = Object.entries(files).map(([path, text]) => `100644 blob ${idOf(text)}\t${path}\0`);
  const base = GitTree.of('base', listing.join(''));
  const changes = Object.entries(other).map(([path, text]) => ({
    status: text === null ? ('deleted' as const) : ('modified' as const),
    path,
    oldPath: null,
    before: null,
    after: text === null ? null : { id: idOf(text), kind: 'file' as const, mode: '100644' },
  }));
  const documents = new ResolutionDocuments(source);
  const [one, two] = [base, base.withChanges('other', changes)].map(
    (git) => new CodeTree(git, reader, documents, { pythonRoots: [] }),
  );
  if (!one || !two) throw new Error('two trees');
  await one.link(Object.keys(files));
  return { one, two };
}

/** Uses of `src/app.ts` that can lead elsewhere: `User.save`. */
async function reaching(other: Record<string, string | null>) {
  const { one, two } = await openTrees(other);
  const isReaching = one.usesReaching('src/app.ts', one.differencesTo(two));
  const uses = one.facts('src/app.ts')?.uses ?? [];
  return isReaching && uses.filter(isReaching).map(({ root, path }) => [root, ...path].join('.'));
}

test('only uses that look up a changed file can lead elsewhere', async () => {
  expect(await reaching({ 'src/user.ts': changed })).toEqual(['User', 'user.save', 'User.save']);
  expect(await reaching({ 'src/mail.ts': null })).toEqual(['send']);
  expect(await reaching({ 'src/index.ts': '' })).toEqual(['User', 'user.save', 'User.save']);
});

test('a change that no use looks up leads none elsewhere', async () => {
  expect(await reaching({ 'src/new.ts': changed })).toBeNull();
  expect(await reaching({})).toBeNull();
});

test('a default export without a name is called what its importer calls it', async () => {
  const { two } = await openTrees({
    'src/mail.ts': 'export default (to: string, body: string) => to + body;\n',
    'src/app.ts': "import post from './mail.ts';\npost('a');\n",
  });
  await two.link(['src/app.ts']);
  expect(two.linked('src/app.ts')?.problems).toMatchObject([
    { provider: 'src/mail.ts#default', statement: 'post needs body' },
  ]);
});
