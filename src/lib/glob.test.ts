import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { compileGlobs } from './glob.ts';

type Matcher = (path: string) => boolean;
const picomatch = createRequire(import.meta.url)('picomatch') as (
  globs: readonly string[],
  options: Readonly<Record<string, boolean>>,
) => Matcher;
const options = { dot: true, nobracket: true, noextglob: true, nonegate: true };

describe('globs', () => {
  test('match what picomatch matches', () => {
    const part = fc.constantFrom('a', 'b.ts', '*.ts', 'a?', '{a,b}.ts', '.a*', 'v.*.c', '*');
    const glob = fc.oneof(
      part.map((name) => `**/${name}`),
      fc.tuple(part, part).map(([folder, name]) => `${folder}/${name}`),
      fc.tuple(part, part).map(([folder, name]) => `**/${folder}/${name}`),
      fc.tuple(part, part).map(([folder, name]) => `${folder}/**/${name}`),
      part,
    );
    const segment = fc.constantFrom('a', 'b', 'a.ts', 'b.ts', 'x', 'xy', '.a', '.ab', 'aab', 'v.x.c', 'ab');
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(glob, { minLength: 1, maxLength: 5 }), path, (globs, each) => {
        expect(compileGlobs(globs)(each)).toBe(picomatch(globs, options)(each));
      }),
      sample('globs match like picomatch', { normal: 2000, soak: 100_000 }),
    );
  });

  test('a leading ! excludes paths again', () => {
    const matches = compileGlobs(['src/**', '!src/generated/**']);
    expect(['src/a.ts', 'src/generated/a.ts'].map(matches)).toEqual([true, false]);
  });

  test('brackets and parentheses are ordinary characters', () => {
    const matches = compileGlobs(['app/[id]/*.tsx', 'app/(group)/*']);
    expect(['app/[id]/page.tsx', 'app/i/page.tsx', 'app/(group)/a'].map(matches)).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('hostile globs', () => {
  test.each([
    ['many stars in one segment', '*a*a*a*a*a*a*b', 'a'.repeat(4000)],
    ['many globstars', `${'**/a/'.repeat(20)}b`, 'a/'.repeat(2000)],
  ])('%s are matched in linear time', (_, glob, path) => {
    const matches = compileGlobs([glob]);
    const began = process.cpuUsage();
    expect(matches(path)).toBe(false);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000);
  });

  test.each([
    ['too long', [`${'a'.repeat(1001)}*`]],
    ['too many alternatives', ['{a,b}'.repeat(7)]],
    ['too many in one folder', Array.from({ length: 501 }, (__, n) => `src/*${n}`)],
    ['too many names', Array.from({ length: 501 }, (__, n) => `**/*${n}`)],
  ])('are refused: %s', (_, globs) => {
    expect(() => compileGlobs(globs)).toThrow();
  });
});
