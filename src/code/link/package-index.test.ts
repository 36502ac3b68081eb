import { expect, test } from 'vitest';
import { languageWithId } from '#code/languages/index.ts';
import { ModuleGraph } from './module-graph.ts';
import { Trace } from './trace.ts';

const language = languageWithId('go') ?? expect.fail();
await language.prepare();

const texts = {
  'store/user.go': 'package store\ntype User struct { Name string }\n',
  'store/save.go': 'package store\nfunc (u *User) Save() {}\nfunc Open() {}\n',
  'store/user_test.go': 'package store\nfunc (u *User) Check() {}\nfunc Open() {}\n',
};

function graphOf(unread: Set<string>, noted: string[]): ModuleGraph {
  const facts = new Map(Object.entries(texts).map(([path, text]) => [path, language.extract(text)]));
  return new ModuleGraph({
    facts: (path) => {
      noted.push(path);
      return unread.has(path) ? undefined : facts.get(path);
    },
    resolve: () => ({ status: 'unknown', reason: '' }),
    submodule: () => ({ path: undefined, tried: [] }),
    files: () => Object.keys(texts),
    isElsewhere: () => false,
    noteAll: (paths) => noted.push(...paths),
  });
}

test('a package knows the files of a name and of the members of a type; only tests see tests', () => {
  const graph = graphOf(new Set(), []);
  const ask = (container: string | null, name: string, from: string) =>
    graph.inPackage('store/*.go', container, name, from, new Trace())?.map(({ path }) => path);
  const [code, tests] = ['store/user.go', 'store/user_test.go'];
  expect(ask(null, 'User', code)).toEqual(['store/user.go']);
  expect(ask('User', 'Save', code)).toEqual(['store/save.go']);
  expect(ask('User', 'Check', code)).toEqual([]);
  expect(ask('User', 'Check', tests)).toEqual(['store/user_test.go']);
  expect(ask(null, 'Open', 'store/*.go')).toEqual(['store/save.go']);
  expect(ask(null, 'Open', tests)).toEqual(['store/save.go', 'store/user_test.go']);
});

test('an answer from the index depends on every file of the package', () => {
  const noted: string[] = [];
  const graph = graphOf(new Set(), noted);
  const ask = () => graph.inPackage('store/*.go', null, 'User', 'store/user.go', new Trace());
  ask();
  const first = noted.splice(0);
  ask();
  expect(new Set(noted)).toEqual(new Set(first));
  expect(noted).not.toContain('store/user_test.go');
});

test('nothing is known until all files are read', () => {
  const unread = new Set(['store/save.go']);
  const graph = graphOf(unread, []);
  const ask = () => graph.inPackage('store/*.go', null, 'User', 'store/user.go', new Trace());
  expect(ask()).toBeNull();
  unread.clear();
  expect(ask()).toHaveLength(1);
});
