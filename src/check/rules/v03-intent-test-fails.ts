import type { Rule } from './rule.ts';

export const intentTestFails = {
  id: 'V03',
  name: 'intent-test-fails',
  category: 'behaviour',
  severity: 'blocking',
  languages: ['any'],
  precision: 0.99,
  what: 'A test that one branch adds or changes passes on that branch and fails on the union with another branch, each time it is run. Only joinery check --confirm tests looks for this: it runs code of the branches.',
  example: {
    a: ["+ test('a cart with a coupon', () => equal(total(cart, 'TEN'), 90))"],
    b: ['- const total = (cart) => sum(cart)', '+ const total = (cart) => sum(cart) + shipping(cart)'],
  },
  move: 'Run the test on the union, decide which of the two behaviours is meant, and change the other branch.',
  proof: ['proven'],
  owner: 'neither',
  detect: {
    checker: 'tests',
  },
} satisfies Rule;
