import { expect, test } from 'vitest';
import { cycles, findCycle, inOrder, reachable, reachableInRounds } from './graph.ts';

/** 'a>b a>c b>d' */
function graph(text: string): (node: string) => string[] {
  const edges = text.split(' ').map((edge) => edge.split('>'));
  return (node) => edges.flatMap(([from, to = '']) => (from === node ? [to] : []));
}

test.each([
  ['a>b b>c d>a', 'a', 'b c'],
  ['a>b a>c b>d c>d', 'a', 'b c d'],
  ['a>b b>a', 'a', 'a b'],
  ['a>a', 'a', 'a'],
  ['b>a', 'a', ''],
])('reachable: in %s, %s leads to %s', (edges, start, expected) => {
  expect([...reachable([start], graph(edges))].sort().join(' ')).toBe(expected);
});

test('reachable stops soon after its limit, even in an infinite graph', () => {
  expect(reachable([0], (n) => [n + 1], 10).size).toBe(11);
});

test('reachable in rounds asks once per distance and keeps the first edge to a node', async () => {
  const asked: string[] = [];
  const next = graph('a>b a>c b>d c>d d>a');
  const found = await reachableInRounds(
    ['a'],
    async (nodes) => {
      asked.push(nodes.join(''));
      return nodes.flatMap((node) => next(node).map((to) => [to, `${node}>${to}`] as const));
    },
    100,
  );
  expect(asked).toEqual(['a', 'bc', 'd']);
  expect(Object.fromEntries(found)).toEqual({ a: null, b: 'a>b', c: 'a>c', d: 'b>d' });
});

test('reachable in rounds starts no round once it has enough', async () => {
  const found = await reachableInRounds([0], async ([n = 0]) => [[n + 1, n]] as const, 5);
  expect([...found.keys()]).toEqual([0, 1, 2, 3, 4]);
});

test.each([
  ['a>b b>c', null],
  ['a>b a>c b>d c>d', null],
  ['a>a', 'a a'],
  ['a>b b>c c>b', 'b c b'],
  ['a>b c>d d>c', 'c d c'],
  ['a>b a>c b>d c>a', 'a c a'],
])('the cycle of %s: %s', (edges, expected) => {
  const nodes = ['a', 'b', 'c', 'd'];
  expect(findCycle(nodes, graph(edges))?.join(' ') ?? null).toBe(expected);
});

test('a chain of a hundred thousand nodes has no cycle and does not overflow the stack', () => {
  expect(findCycle([0], (n) => (n < 100_000 ? [n + 1] : []))).toBeNull();
});

test('groups of nodes that lead to each other', () => {
  const edges = new Map([
    ['a', ['b']],
    ['b', ['a', 'c']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['d']],
    ['f', ['f']],
  ]);
  expect(cycles(edges)).toEqual([['a', 'b'], ['d', 'e'], ['f']]);
});

test('in order: dependencies come first, the rest keeps its order', () => {
  const needs = graph('a>c b>a');
  expect(inOrder(['d', 'a', 'b', 'c'], (node) => node, needs)).toEqual(['d', 'c', 'a', 'b']);
});

test('in order: a cycle and everything that depends on it are left out', () => {
  const needs = graph('a>b b>a c>a');
  expect(inOrder(['a', 'b', 'c', 'd'], (node) => node, needs)).toEqual(['d']);
});
