import { expect, test } from 'vitest';
import { languageWithId } from '#code/languages/index.ts';
import { linkFile } from './link.ts';
import { ModuleGraph } from './module-graph.ts';

const text = "import { load } from './b';\nexport function run() { load(1); load(2); }\n";
const language = languageWithId('ts') ?? expect.fail();
await language.prepare();
const facts = language.extract(text);

/** A tree in which `b.ts` exists, and its facts are missing until it is read. */
function graphOf(asked: string[]): ModuleGraph {
  return new ModuleGraph({
    facts: (path) => {
      asked.push(path);
      return path === 'a.ts' ? facts : undefined;
    },
    resolve: () => ({ status: 'found', path: 'b.ts', tried: [], exact: true }),
    submodule: () => ({ path: undefined, tried: [] }),
    files: () => [],
    isElsewhere: () => false,
    noteAll: () => {},
  });
}

test('a file whose imports lead to missing facts is not followed further: it will be linked again', () => {
  const asked: string[] = [];
  const isInVain = () => asked.includes('b.ts');
  expect(linkFile(graphOf(asked), 'a.ts', 'all', isInVain).references).toBe(1);
  expect(asked.filter((path) => path === 'b.ts')).toHaveLength(1);
  expect(linkFile(graphOf([]), 'a.ts', 'all').references).toBeGreaterThan(1);
});
