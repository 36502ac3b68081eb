import { expect, test } from 'vitest';
import { createPaint, wantsColour } from './paint.ts';

test.each([
  ['a terminal', { env: {}, isTTY: true, refused: false }, true],
  ['a pipe', { env: {}, isTTY: false, refused: false }, false],
  ['a dumb terminal', { env: { TERM: 'dumb' }, isTTY: true, refused: false }, false],
  ['--no-color', { env: { FORCE_COLOR: '1' }, isTTY: true, refused: true }, false],
  ['NO_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' }, isTTY: true, refused: false }, false],
  ['an empty NO_COLOR', { env: { NO_COLOR: '' }, isTTY: true, refused: false }, true],
  ['FORCE_COLOR in a pipe', { env: { FORCE_COLOR: '1' }, isTTY: false, refused: false }, true],
  ['FORCE_COLOR=0', { env: { FORCE_COLOR: '0' }, isTTY: true, refused: false }, false],
])('colour with %s: %o', (_case, wish, expected) => {
  expect(wantsColour(wish)).toBe(expected);
});

test('paint adds colour, or returns the text unchanged', () => {
  expect(createPaint(true)('red', 'x')).toBe('\u001b[31mx\u001b[39m');
  expect(createPaint(false)('red', 'x')).toBe('x');
});
