import { expect, test } from 'vitest';
import { finding, frame, site } from '#report/testing/sample-reports.ts';
import { columnsOf } from '#report/text/columns.ts';
import { plainPaint } from '#report/text/paint.ts';
import type { Frame } from '#schema/frame.ts';
import { chooseFrames } from './choose-frames.ts';
import { renderCodeRows, renderFrameLabel } from './code-frame.ts';

function rows(overrides: Partial<Frame>, width = 80): string[] {
  const { frames } = chooseFrames(finding(), [frame(overrides)], true);
  return frames.flatMap((shown) => renderCodeRows(shown, { width, paint: plainPaint, unicode: true }));
}

/** The text above the carets. */
function pointedAt(lines: readonly string[]): string {
  const at = lines.findIndex((line) => line.includes('^'));
  const carets = lines[at] ?? '';
  return (lines[at - 1] ?? '').slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1);
}

test('carets are under the word at the site', () => {
  expect(pointedAt(rows({}))).toBe('getUser');
});

test('carets stay in place after tabs, common indentation and control characters', () => {
  const lines = ['\t\tif (ok) {', '\t\t\t"\x1b"; use(value);', '\t\t}'];
  expect(pointedAt(rows({ lines, column: 9 }))).toBe('use');
  expect(rows({ lines, column: 9 })[1]).toContain('│     "\\x1b"; use(value);');
});

test('carets are in the right column after wide characters', () => {
  const [row = '', carets = ''] = rows({ firstLine: 48, lines: ["log('漢字', user)"], column: 11 });
  expect(columnsOf(carets.slice(0, carets.indexOf('^')))).toBe(columnsOf(row.slice(0, row.indexOf('user'))));
});

test('a long line is shifted until the site is visible, and its neighbours with it', () => {
  const lines = [`${'a'.repeat(200)}`, `${'b'.repeat(150)} getUser(id) ${'c'.repeat(100)}`, 'short'];
  const shown = rows({ lines, column: 152 }, 60);
  expect(pointedAt(shown)).toBe('getUser');
  for (const line of shown) expect(columnsOf(line)).toBeLessThanOrEqual(60);
});

test('of a very long line, as in generated code, only the part around the site is drawn', () => {
  const lines = ['short', `${'x;'.repeat(500_000)} getUser(id) ${'y;'.repeat(500_000)}`];
  const shown = rows({ lines, column: 1_000_002 });
  expect(pointedAt(shown)).toBe('getUser');
  expect(shown[1]).toMatch(/│ ….*…$/);
});

test('a word wider than the page is cut, and its carets too', () => {
  for (const line of rows({ lines: ['', 'x'.repeat(300), ''], column: 1 }, 40)) {
    expect(columnsOf(line)).toBeLessThanOrEqual(40);
  }
});

test('the carriage return of Windows line ends is removed', () => {
  expect(rows({ lines: ['a\r', 'getUser\r', 'b\r'], column: 1 }).join('')).not.toContain('\\r');
});

test('a site inside the lines of another frame is marked there', () => {
  const lines = ['getUser(a);', 'getUser(b);'];
  const shared = { firstLine: 1, lines, column: 1 };
  const { frames, others } = chooseFrames(
    finding({ sites: [site({ line: 1 }), site({ line: 2 })] }),
    [frame({ ...shared, line: 1 }), frame({ ...shared, line: 2 })],
    false,
  );
  expect(frames).toHaveLength(1);
  expect(frames[0]?.sites.map(({ line }) => line)).toEqual([1, 2]);
  expect(others).toEqual([]);
});

test('the label names branch, file and line, and says if the code is gone', () => {
  const { frames } = chooseFrames(finding(), [frame({ removed: true, file: 'a\x1b.ts' })], true);
  const page = { width: 80, paint: plainPaint, unicode: true };
  expect(frames.flatMap((shown) => renderFrameLabel(shown, page))).toEqual([
    '  feat/b  a\\x1b.ts:48 (removed)',
  ]);
});
