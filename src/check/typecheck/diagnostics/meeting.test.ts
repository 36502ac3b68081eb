import { expect, test } from 'vitest';
import { type Meeting, wholeRuns } from './meeting.ts';

/** A meeting of branches of which the pairs in `clashing` do not merge. */
function meetingOf(count: number, clashing: readonly (readonly [number, number])[], full: readonly number[]) {
  const live = Array.from({ length: count }, () => ({}));
  const pairs = clashing.map(([a, b]) => ({ a, b, text: 'conflict' }));
  return { live, sides: [], pairs, full: { members: full } } as unknown as Meeting;
}

test('branches that all merge need the union, and a second run for blame', () => {
  expect(wholeRuns(meetingOf(3, [], [0, 1, 2]))).toBe(2);
});

test('every union of branches that were left out of the full one is one more run', () => {
  const clashing = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const;
  expect(wholeRuns(meetingOf(4, clashing, [0, 3]))).toBe(4);
});
