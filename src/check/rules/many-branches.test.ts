import { expect, test } from 'vitest';
import { GitTree } from '#git/trees/tree.ts';
import { detectInSurvey } from './detect.ts';
import { meetings, type Survey, type SurveyedBranch } from './survey/survey.ts';

const tree = GitTree.of('tree', '');

function side(ref: string): SurveyedBranch {
  const unasked = async () => {
    throw new Error('nothing has to be read');
  };
  return { ref, isBase: false, tree, changes: [], news: async () => new Map(), member: unasked };
}

test('branches without changes that a rule is about are not compared in pairs: 3,000 would make nine million', async () => {
  let compared = 0;
  const survey: Survey = {
    sides: Array.from({ length: 300 }, (_, index) => side(`work/${index}`)),
    from: tree,
    union: tree,
    read: async () => null,
    data: async () => null,
    holding: async () => [],
    holders: async () => new Map(),
    isHeldBeside: async () => false,
    isApart: () => {
      compared += 1;
      return true;
    },
  };
  for await (const { sighting } of detectInSurvey(survey)) throw new Error(sighting.message);
  expect(compared).toBe(0);
});

test('something that a branch has thousands of times in one file is compared once', () => {
  let compared = 0;
  const survey = {
    isApart: () => {
      compared += 1;
      return true;
    },
  } as unknown as Survey;
  const [a, b] = [side('a'), side('b')];
  const items = [
    ...Array.from({ length: 5000 }, () => ({ side: a, file: 'generated.ts' })),
    ...Array.from({ length: 5000 }, () => ({ side: b, file: 'also-generated.ts' })),
  ];
  expect(meetings(survey, items).map((pair) => pair.map(({ file }) => file))).toEqual([
    ['generated.ts', 'also-generated.ts'],
  ]);
  expect(compared).toBe(1);
});
