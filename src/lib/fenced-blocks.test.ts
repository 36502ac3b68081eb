import { expect, test } from 'vitest';
import { fencedBlocks } from './fenced-blocks.ts';

test('a block is the text between two equal fences, each alone on its line', () => {
  const text = 'a\n```json\n{}\n```\n  ~~~~ handoff x\n```\n~~~\n ~~~~ \nb\n````\nopen';
  expect(fencedBlocks(text)).toEqual([
    { info: 'json', body: '{}\n' },
    { info: 'handoff x', body: '```\n~~~\n' },
  ]);
});

test('unclosed fences take time in proportion to their number', () => {
  const took = (lines: number) => {
    const text = Array.from({ length: lines }, (_, at) => `${'~'.repeat(200 + (at % 50))}x`).join('\n');
    const began = performance.now();
    expect(fencedBlocks(text)).toEqual([]);
    return performance.now() - began;
  };
  took(1000);
  expect(took(40_000)).toBeLessThan(Math.max(2000, 200 * took(1000)));
});
