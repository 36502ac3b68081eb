import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgress } from './progress.ts';

/** A terminal of 20 columns and a clock moved by hand. */
function stage(isTTY = true) {
  const written: string[] = [];
  let time = 0;
  const screen = { isTTY, columns: 20, write: (text: string) => written.push(text) };
  return { written, screen, now: () => time, wait: (ms: number) => (time += ms) };
}

test('work of less than a second shows nothing', () => {
  const { written, screen, now, wait } = stage();
  const progress = createProgress(screen, false, now);
  progress.report('parsing');
  wait(900);
  progress.report('parsing');
  progress.erase();
  expect(written).toEqual([]);
});

test('longer work shows one line that fits, and erases it', () => {
  const { written, screen, now, wait } = stage();
  const progress = createProgress(screen, false, now);
  wait(1100);
  progress.report('a text far longer than\nthe terminal is wide');
  progress.erase();
  progress.erase();
  expect(written).toEqual(['\r\u001b[2Ka text far lo (1 s)', '\r\u001b[2K']);
});

test('a long step that was reported early is shown by the clock, until the work ends', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { written, screen } = stage();
  const progress = createProgress(screen, false, () => Date.now());
  progress.report('reading');
  vi.advanceTimersByTime(50);
  progress.report('merging');
  vi.advanceTimersByTime(3000);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(written.map((text) => text.replace('\r\u001b[2K', ''))).toEqual([
    'merging (1 s)',
    'merging (2 s)',
    'merging (3 s)',
    '',
  ]);
});

test('not every one of many fast updates is drawn', () => {
  const { written, screen, now, wait } = stage();
  const progress = createProgress(screen, false, now);
  wait(1100);
  for (let step = 0; step < 50; step++) {
    progress.report(`step ${step}`);
    wait(10);
  }
  expect(written).toHaveLength(5);
});

test.each([
  ['on a terminal', true],
  ['in a log', false],
])('quiet %s: never a line', (_case, isTTY) => {
  const { written, screen, now, wait } = stage(isTTY);
  const progress = createProgress(screen, true, now);
  wait(60_000);
  progress.report('parsing');
  progress.erase();
  expect(written).toEqual([]);
});

test('in a log a plain line is written now and then, and none for fast work', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { written, screen } = stage(false);
  const progress = createProgress(screen, false, () => Date.now());
  progress.report('reading');
  vi.advanceTimersByTime(14_000);
  expect(written).toEqual([]);
  progress.report('comparing\nbranches');
  // A warning in between does not end the work.
  progress.erase();
  vi.advanceTimersByTime(20_000);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual(['joinery: comparing branches (15 s)\n', 'joinery: comparing branches (30 s)\n']);
});
