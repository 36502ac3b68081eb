import type { Rule } from './rule.ts';

export const buildFails = {
  id: 'V04',
  name: 'build-fails',
  category: 'interface',
  severity: 'blocking',
  languages: ['any'],
  precision: 0.99,
  what: "The project's build succeeds on each branch and on the base, and fails on the union, each time it is run. Only joinery check --confirm build looks for this: it runs code of the branches.",
  example: {
    a: ['- pub fn total(cart: &Cart) -> u32', '+ pub fn total(cart: &Cart) -> Option<u32>'],
    b: ['+ let due = total(&cart) + shipping;'],
  },
  move: 'Build the union, and adapt one branch to the other at the place that the output names.',
  proof: ['proven'],
  owner: 'neither',
  detect: {
    checker: 'build',
  },
} satisfies Rule;
