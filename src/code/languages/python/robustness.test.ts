import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { python } from './index.ts';

beforeAll(() => python.prepare());

describe('code that is too deep for recursion or too wide for one call', () => {
  test.each([
    ['brackets', `x = ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['open brackets', '['.repeat(50_000)],
    ['closing brackets', ')'.repeat(50_000)],
    ['terms', `x = ${Array(20_000).fill('a').join(' + ')}`],
    ['members', `x = a${'.b'.repeat(20_000)}`],
    ['calls', `x = a${'.b()'.repeat(20_000)}`],
    ['subscripts', `x = a${'[0]'.repeat(20_000)}`],
    ['negations', `x = ${'not '.repeat(20_000)}a`],
    ['lambdas', `x = ${'lambda: '.repeat(10_000)}a`],
    ['conditions', `x = ${'a if b else '.repeat(10_000)}c`],
    ['assignments', `${'a = '.repeat(10_000)}1`],
    ['targets', `${'('.repeat(10_000)}a${',)'.repeat(10_000)} = b`],
    ['annotations', `x: ${'List['.repeat(5_000)}int${']'.repeat(5_000)}`],
    ['unions', `def f(x: ${Array(5_000).fill('A').join(' | ')}): x.y`],
    ['quotes', '"'.repeat(50_001)],
    ['f-strings', 'f"{'.repeat(5_000)],
    ['comprehensions', `x = ${'[a for a in '.repeat(2_000)}b${']'.repeat(2_000)}`],
    ['decorators', `${'@a\n'.repeat(10_000)}def f(): pass`],
    ['blocks', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}if x:`).join('\n')],
    ['classes', Array.from({ length: 90 }, (_, depth) => `${' '.repeat(depth)}class A:`).join('\n')],
    ['names on one line', `${'a, '.repeat(130_000)} = b`],
    ['imports on one line', `from a import ${Array(130_000).fill('b').join(', ')}`],
    ['arguments', `f(${'a, '.repeat(130_000)})`],
    ['values made from themselves', 'def f():\n    x = x()\n    y = z()\n    z = y()\n    return x.a, y.b'],
    ['elif', `if a: pass\n${'elif a: pass\n'.repeat(5_000)}`],
  ])('%s', (_, text) => {
    expect(python.extract(text).module).toBe('namespace');
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        ...'def class if else try except for in with as import from lambda return yield global nonlocal async await match case type del pass print'.split(
          ' ',
        ),
      ),
    },
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'b', 'self', 'User', '_', '0', '1.5', '"s"', "'", '"""', 'f"{', '}'),
    },
    { weight: 6, arbitrary: fc.constantFrom(...'( ) [ ] { } : , . = := -> * ** @ | \\ # ;'.split(' ')) },
    {
      weight: 4,
      arbitrary: fc.constantFrom('\n', '\n    ', '\n\t', '\r\n', '\r', ' ', '\f', '\0', '\ufeff', '😀', 'é'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '));

  test('gives the same facts twice and never throws', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(python.extract(source)).toEqual(python.extract(source));
      }),
      sample('mutated Python sources', { normal: 80, soak: 2000 }),
    );
  });

  test('has its facts within the file', () => {
    fc.assert(
      fc.property(text, (source) => {
        const lineCount = source.split(/\r\n|\r|\n/).length;
        const { definitions, imports, uses } = python.extract(source);
        for (const { line, column, endLine } of [...definitions, ...imports, ...uses]) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(endLine).toBeGreaterThanOrEqual(line);
          expect(endLine).toBeLessThanOrEqual(lineCount);
        }
      }),
      sample('fuzzed Python', { normal: 60, soak: 2000 }),
    );
  });
});
