import { expect, onTestFinished, test, vi } from 'vitest';
import { plainPaint } from '#report/text/paint.ts';
import type { LiveRun } from '#schema/live-run.ts';
import { runProgress } from './run-progress.ts';

/** What a terminal shows that knows the sequences of the live view, and nothing else. */
function screenOf(written: readonly string[]): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const part of written
    .join('')
    .replaceAll('\x1b', '⎋')
    .split(/(⎋\[\d*[AK]|[\r\n])/)) {
    const up = /^⎋\[(\d+)A$/.exec(part)?.[1];
    if (part === '\n') lines[++row] ??= '';
    else if (up !== undefined) row -= Number(up);
    else if (part === '⎋[2K') lines[row] = '';
    else if (!['', '\r', '⎋[K'].includes(part)) lines[row] = part;
  }
  return lines.filter((line) => line !== '');
}

function liveWith(ids: readonly string[]): LiveRun {
  const waiting = { attempt: null, doing: '', tokens: 0, usd: 0, startedAt: null, waitsFor: [] };
  return {
    run: 'r',
    createdAt: new Date().toISOString(),
    isHalted: false,
    tokens: 0,
    usd: 0,
    phases: [],
    seams: { open: [], fixed: 0 },
    tasks: ids.map((id) => ({ ...waiting, id, status: 'pending' })),
  };
}

test('each frame replaces the one before, without erasing the screen, and the last one is erased', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, rows: 24, write: (text: string) => written.push(text) };
  const progress = runProgress(stream, { isQuiet: false, paint: plainPaint });
  progress.observe([], () => liveWith(['a', 'b', 'c']));
  vi.advanceTimersByTime(500);
  progress.observe([], () => liveWith(['a']));
  vi.advanceTimersByTime(500);
  expect(screenOf(written)).toEqual(['run r · 0 of 1 accepted · 0:00 · 0 tokens', '  a  pending']);
  // tmux copies the screen into its history for this sequence.
  expect(written.join('')).not.toContain('\x1b[J');
  progress.end();
  expect(screenOf(written)).toEqual([]);
});
