import { expect, test } from 'vitest';
import { GitTree } from '#git/trees/tree.ts';
import { detectInSurvey } from './detect.ts';
import type { Side, Survey } from './survey/survey.ts';

const tree = GitTree.of('tree', '');

function side(ref: string): Side {
  const unasked = async () => {
    throw new Error('nobody has to ask');
  };
  return { ref, isBase: false, tree, changes: [], news: async () => new Map(), member: unasked };
}

test('branches that touch nothing a rule is about are not compared in pairs: 3,000 would make nine million', async () => {
  let compared = 0;
  const survey: Survey = {
    sides: Array.from({ length: 300 }, (_, index) => side(`work/${index}`)),
    from: tree,
    union: tree,
    read: async () => null,
    data: async () => null,
    holding: async () => [],
    holders: async () => new Map(),
    isApart: () => {
      compared += 1;
      return true;
    },
  };
  for await (const { sighting } of detectInSurvey(survey)) throw new Error(sighting.message);
  expect(compared).toBe(0);
});
