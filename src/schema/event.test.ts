import { expect, test } from 'vitest';
import { eventData, isAboutRun, progressTypes, RunEventSchema } from './event.ts';

test('the list of events is closed', () => {
  const envelope = { seq: 1, at: '2030-01-01T00:00:00.000Z', v: 1 };
  expect(RunEventSchema.safeParse({ ...envelope, type: 'run.unhalted', data: {} }).success).toBe(true);
  expect(RunEventSchema.safeParse({ ...envelope, type: 'run.exploded', data: {} }).success).toBe(false);
  expect(RunEventSchema.safeParse({ ...envelope, seq: 0, type: 'run.unhalted', data: {} }).success).toBe(
    false,
  );
});

test('events that may be delayed change no state of a step', () => {
  for (const type of progressTypes) expect(type in eventData && !isAboutRun({ type } as never)).toBe(true);
});
