import { expect, test } from 'vitest';
import { columnsOf } from '#report/text/columns.ts';
import { plainPaint } from '#report/text/paint.ts';
import type { SeamRisk } from '#schema/check-report.ts';
import { renderRisk } from './risk.ts';

const symbols = (count: number) =>
  Array.from({ length: count }, (_, n) => `packages/server/src/handlers/orders-${n}.ts#OrderHandler.place`);

const risk: SeamRisk = {
  clusters: [{ id: 'packages/server/src/handlers', files: 12, branches: ['feat/orders', 'feat/users'] }],
  overlaps: [
    {
      cluster: 'packages/server/src/handlers',
      branches: ['feat/orders', 'feat/users'],
      sharedSymbols: symbols(7),
      coordinationEdges: 9,
      risk: 'high',
    },
  ],
  boundaries: [{ defines: 'feat/orders', consumes: 'feat/users', symbols: symbols(2) }],
  highImpact: [
    {
      symbol: symbols(1)[0] ?? '',
      changedBy: ['feat/orders', 'feat/users'],
      isBridge: true,
      blastRadius: 41,
      consumers: symbols(3),
    },
  ],
  order: ['feat/orders', 'feat/users'],
  resolution: { files: 12, symbols: 80, uses: 300 },
  notes: ['3 files were left out: '.concat('generated code '.repeat(10))],
};

test('every line fits a narrow terminal, and nothing is cut off', () => {
  for (const width of [80, 60]) {
    const lines = renderRisk(risk, { width, paint: plainPaint, unicode: true });
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    const text = lines.join('').replace(/\s+/g, '');
    for (const name of symbols(5)) expect(text).toContain(name);
    expect(text).toContain('41dependents,abridge');
    expect(lines).toContain('Least rework in this order: feat/orders, feat/users');
  }
});
