import { expect, test } from 'vitest';
import { type RuleId, ruleIds } from './rules.ts';

test('an id that no rule has does not compile', () => {
  // @ts-expect-error: `npm run types` fails here if `S99` is a RuleId.
  const id: RuleId = 'S99';
  expect(ruleIds).not.toContain(id);
});
