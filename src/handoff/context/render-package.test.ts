import { expect, test } from 'vitest';
import { AgentPackage } from '#schema/agent-package.ts';
import { packageBytes, renderPackage } from './render-package.ts';

const whole = {
  goal: 'Find the slow query',
  whyThisMatters: 'Pages take seconds',
  knownFacts: ['It is in the report'],
  alreadyRuledOut: ['The index is there'],
  constraints: ['Change nothing'],
  definitionOfDone: ['The query is named'],
  budget: '10 minutes',
};

test('a package has the same headings in the same order, whatever its content', () => {
  const text = renderPackage(AgentPackage.parse(whole));
  expect(text.match(/^## .*/gm)).toEqual([
    '## Goal',
    '## Done when',
    '## Constraints',
    '## Known',
    '## Ruled out',
    '## Why this matters',
    '## Budget',
  ]);
  const short = renderPackage(AgentPackage.parse({ goal: 'x', definitionOfDone: ['y'] }));
  expect(short).toBe('## Goal\n\n- x\n\n## Done when\n\n- y');
});

test.each([{ goal: undefined }, { definitionOfDone: undefined }, { definitionOfDone: [] }, { goal: ' ' }])(
  'nothing starts with %j',
  (change) => {
    expect(AgentPackage.safeParse({ ...whole, ...change }).success).toBe(false);
  },
);

test('an important part is never dropped for a less important one, and the goal is always included', () => {
  const long = Array.from({ length: 40 }, (_, n) => `${n} ${'요'.repeat(300)}`);
  const text = renderPackage(
    AgentPackage.parse({
      ...whole,
      goal: `GOAL ${'요'.repeat(1900)}`,
      constraints: long,
      knownFacts: ['KNOWN'],
    }),
  );
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(packageBytes);
  expect(text).toContain('GOAL');
  expect(text).toContain('The query is named');
  expect(text).toMatch(/\[\d+ more left out for length\]/);
  expect(text).not.toContain('KNOWN');
  expect(text).not.toContain('\uFFFD');
});
