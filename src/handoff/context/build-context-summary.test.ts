import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { buildContextSummary, type SummaryTarget, summaryBytes } from './build-context-summary.ts';

const filled = (count: number, length: number, mark: string) =>
  Array.from({ length: count }, (_, n) => `${mark}${n} ${'é'.repeat(length)}`.slice(0, Math.max(length, 4)));

const crew = (length: number) => [
  {
    kind: 'wr.discovery_handoff',
    version: 1,
    selectedDirection: 'DIRECTION',
    designDocPath: 'd.md',
    confidenceBand: 'high',
    keyInvariants: filled(12, length, 'INVARIANT'),
    rejectedDirections: [{ direction: 'REJECTED', reason: 'slow' }],
    implementationConstraints: filled(8, length, 'CONSTRAINT'),
    keyCodebaseLocations: [{ path: 'LOCATION', relevance: 'x' }],
  },
  {
    kind: 'wr.shaping_handoff',
    version: 1,
    pitchPath: 'p.md',
    selectedShape: 'SHAPE',
    appetite: 'small',
    keyConstraints: filled(8, length, 'KEY'),
    rabbitHoles: filled(6, length, 'RABBIT'),
    outOfScope: filled(6, length, 'SCOPE'),
    validationChecklist: filled(10, length, 'CHECK'),
  },
  {
    kind: 'wr.coding_handoff',
    version: 1,
    keyDecisions: filled(8, length, 'DECISION'),
    knownLimitations: filled(6, length, 'LIMIT'),
    testsAdded: [],
    filesChanged: ['FILE'],
    correctedAssumptions: [{ assumed: 'ASSUMED', actual: 'ACTUAL' }],
  },
];

const seen = (target: SummaryTarget, prior: readonly unknown[] = crew(20)) => {
  const text = buildContextSummary(prior, target);
  const marks =
    'DIRECTION REJECTED CONSTRAINT0 INVARIANT0 LOCATION SHAPE KEY0 RABBIT0 SCOPE0 CHECK0 DECISION0 LIMIT0 FILE ACTUAL';
  return marks.split(' ').filter((mark) => text.includes(mark));
};

describe('the summary', () => {
  test.each([
    ['shaping', ['DIRECTION', 'REJECTED', 'CONSTRAINT0', 'INVARIANT0', 'LOCATION']],
    ['coding', ['CONSTRAINT0', 'INVARIANT0', 'LOCATION', 'SHAPE', 'KEY0', 'RABBIT0', 'SCOPE0']],
    [
      'review',
      ['CONSTRAINT0', 'INVARIANT0', 'KEY0', 'SCOPE0', 'CHECK0', 'DECISION0', 'LIMIT0', 'FILE', 'ACTUAL'],
    ],
    ['fix', ['KEY0', 'SCOPE0', 'CHECK0', 'DECISION0', 'LIMIT0', 'FILE', 'ACTUAL']],
  ] as const)('for %s has its sections and no others', (target, expected) => {
    expect(seen(target)).toEqual(expected);
  });

  test('keeps every top-priority section at the maximum size, and says what it cut', () => {
    const text = buildContextSummary(crew(200), 'review');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(summaryBytes);
    for (const title of [
      'Implementation constraints',
      'Validation checklist',
      'Key constraints',
      'Out of scope',
      'Coding decisions',
      'Corrected assumptions',
    ])
      expect(text).toContain(`## ${title}`);
    expect(text).toMatch(/more left out for length/);
    expect(text).not.toContain('Known limitations');
  });

  test('uses the last of several handoffs of a phase', () => {
    const [, , coding] = crew(20);
    const text = buildContextSummary([coding, { ...coding, keyDecisions: ['NEWER'] }], 'fix');
    expect(text).toContain('NEWER');
    expect(text).not.toContain('DECISION0');
  });

  test('is empty when nothing is known', () => {
    expect(buildContextSummary([null, 7, {}], 'coding')).toBe('');
  });

  test('never exceeds its size, and never drops an important section for a less important one', () => {
    fc.assert(
      fc.property(
        fc.nat(190),
        fc.constantFrom<SummaryTarget>('shaping', 'coding', 'review', 'fix'),
        (length, target) => {
          const prior = crew(length + 4);
          const text = buildContextSummary(prior, target);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(summaryBytes);
          expect(text).toBe(buildContextSummary(prior, target));
          const important = {
            shaping: ['Selected direction'],
            coding: ['Shape', 'Out of scope'],
            review: ['Corrected assumptions'],
            fix: ['Coding decisions'],
          };
          for (const title of important[target]) expect(text).toContain(`## ${title}`);
        },
      ),
      sample('context summaries', { normal: 200, soak: 2000 }),
    );
  });
});
