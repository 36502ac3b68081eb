import { expect, test } from 'vitest';
import { limitsOfSteps } from './step-limits.ts';

const limits = { wallMs: 60_000, inactivityMs: 60_000, turns: 3, tokens: null, usd: 1 };
const prices = { big: { in: 100, out: 100 } };
const usage = (more: object) => ({ type: 'usage' as const, usage: { in: 0, out: 0, usd: 0, ...more } });

test('a reported cost is not added to our estimate of it', () => {
  const left = limitsOfSteps({ limits, model: 'big', prices });
  left.see(usage({ in: 3000, out: 1000 }));
  expect(left.now().usd).toBeCloseTo(0.6);
  left.see(usage({ usd: 0.4 }));
  expect(left.now().usd).toBeCloseTo(0.6);
});

test('a step does not start if nothing is left', () => {
  const left = limitsOfSteps({ limits, model: null, prices: {} });
  for (let turn = 0; turn < 3; turn++) {
    expect(left.spent()).toBeNull();
    left.see({ type: 'turn' });
  }
  expect(left.spent()).toBe('the steps before took all of its 3 turns');
});
