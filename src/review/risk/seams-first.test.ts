import { expect, test } from 'vitest';
import type { SeamRisk } from '#schema/check-report.ts';
import { seamsFirst } from './seams-first.ts';

const risk: SeamRisk = {
  clusters: [],
  overlaps: [],
  boundaries: [
    { defines: 'feat/a', consumes: 'feat/b', symbols: ['src/api.ts#send'] },
    { defines: 'feat/c', consumes: 'feat/d', symbols: ['src/other.ts#open'] },
  ],
  highImpact: [
    {
      symbol: 'src/core.ts#run',
      changedBy: ['feat/a', 'feat/b'],
      isBridge: true,
      blastRadius: 12,
      consumers: [],
    },
    { symbol: 'src/big.ts#only', changedBy: ['feat/a'], isBridge: false, blastRadius: 40, consumers: [] },
  ],
  order: [],
  resolution: { files: 0, symbols: 0, uses: 0 },
  notes: [],
};

test('files at a seam come first, in their previous order', () => {
  const order = ['src/big.ts', 'src/core.ts', 'src/other.ts', 'src/api.ts'];
  expect(seamsFirst(order, risk, 'feat/a')).toEqual([
    'src/core.ts',
    'src/api.ts',
    'src/big.ts',
    'src/other.ts',
  ]);
  expect(seamsFirst(order, risk, 'feat/x')).toEqual(order);
});
