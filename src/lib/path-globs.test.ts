import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sample } from '#test/sampling.ts';
import { compileGlobs } from './glob.ts';
import { compilePathGlobs } from './path-globs.ts';

test('matches what the plain globs match', () => {
  const part = fc.constantFrom('a', 'b.ts', '*.ts', 'a?', '{a,b}.ts', 'x{,y}', '.a*', 'a+b', 'v.*.c');
  const glob = fc.oneof(
    part.map((name) => `**/${name}`),
    fc.tuple(part, part).map(([folder, name]) => `${folder}/${name}`),
    fc.tuple(part, part).map(([folder, name]) => `**/${folder}/${name}`),
    part,
  );
  const segment = fc.constantFrom(
    'a',
    'b',
    'a.ts',
    'b.ts',
    'x',
    'xy',
    '.a',
    '.ab',
    'a+b',
    'aab',
    'v.x.c',
    'ab',
  );
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 5 }), path, (globs, each) => {
      expect(compilePathGlobs(globs)(each)).toBe(compileGlobs(globs)(each));
    }),
    sample('globs of names match like globs', { normal: 2000, soak: 100_000 }),
  );
});
