import { expect, test } from 'vitest';
import type { ReadMember } from '#check/members/member.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { ImportEdge } from '#code/link/import-edges.ts';
import { importCycle } from './s19-import-cycle.ts';

function edge(from: string, to: string): ImportEdge {
  return { from, to, key: to, line: 1, name: 'x', isUsedAtLoad: false };
}

/** A tree with these imports that counts how often the imports of a file are read. */
function treeOf(edges: readonly ImportEdge[]) {
  const counted = { asked: 0 };
  const imports = Map.groupBy(edges, ({ from }) => from);
  const tree = {
    link: async () => {},
    loadFacts: async () => {},
    importEdges: (path: string) => {
      counted.asked++;
      return imports.get(path) ?? [];
    },
    facts: () => undefined,
  };
  return { counted, tree: tree as unknown as CodeTree };
}

function member(ref: string, newImports: readonly ImportEdge[], tree: CodeTree): ReadMember {
  const changed = new Map(newImports.map(({ from }) => [from, {}]));
  return { ref, newImports, changed, tree } as unknown as ReadMember;
}

/** a: a0 → b0, a1 → b1 …; b: b0 → c → a0, b1 → c → a1 … */
function grown(size: number) {
  const numbers = Array.from({ length: size }, (_, at) => at);
  const ofA = numbers.map((at) => edge(`a${at}.ts`, `b${at}.ts`));
  const ofB = numbers.map((at) => edge(`b${at}.ts`, 'c.ts'));
  const known = numbers.map((at) => edge('c.ts', `a${at}.ts`));
  const alone = { a: treeOf([...ofA, ...known]), b: treeOf([...ofB, ...known]) };
  const union = treeOf([...ofA, ...ofB, ...known]);
  const pair = { a: member('a', ofA, alone.a.tree), b: member('b', ofB, alone.b.tree), union: union.tree };
  return { pair, asked: () => union.counted.asked + alone.a.counted.asked + alone.b.counted.asked };
}

test('the imports of a file are read once in each tree, however many imports two branches add', async () => {
  const { pair, asked } = grown(80);
  const found = await importCycle.detect.code(pair);
  expect(found.length).toBeGreaterThan(0);
  const files = 2 * 80 + 1;
  expect(asked()).toBeLessThanOrEqual(3 * files);
});
