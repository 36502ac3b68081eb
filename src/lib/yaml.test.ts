import { expect, test } from 'vitest';
import { parseYaml, parseYamlDocuments } from './yaml.ts';

test('values are read, with aliases and several documents', () => {
  expect(parseYaml('a: &a\n  b: 1\nc: *a\n')).toEqual({ a: { b: 1 }, c: { b: 1 } });
  expect(parseYamlDocuments('a: 1\n---\nb: 2\n')).toEqual([
    { value: { a: 1 }, line: 1 },
    { value: { b: 2 }, line: 2 },
  ]);
  expect(() => parseYaml('a: ]')).toThrow();
});

const numbers = (count: number) => [...Array(count).keys()];

test.each([
  ['keys of one map', (size: number) => numbers(size).map((at) => `k${at}: 1\n`)],
  ['anchors and aliases', (size: number) => numbers(size).map((at) => `- &a${at} x\n- *a${at}\n`)],
  ['items of an ordered map', (size: number) => ['!!omap\n', ...numbers(size).map((at) => `- k${at}: 1\n`)]],
  ['maps as keys', (size: number) => ['{'.repeat(size / 100), 'a: 1', '}: 1'.repeat(size / 100 - 1), '}']],
])('twice as many %s take about twice as long', (_what, lines) => {
  const cpuMs = (size: number) => {
    const before = process.cpuUsage();
    try {
      parseYaml(lines(size).join(''));
    } catch {
      // An error is an answer.
    }
    return process.cpuUsage(before).user / 1000;
  };
  cpuMs(500);
  const once = Math.max(cpuMs(10_000), 100);
  expect(cpuMs(40_000) / once).toBeLessThan(10);
});
