import { describe, expect, test } from 'vitest';
import { factsOf } from './facts-of.ts';

describe('lines that are not checked', () => {
  test.each([
    ['the line below @ts-expect-error', '// @ts-expect-error gone\nf();\ng();', [2]],
    ['the line below @ts-ignore', 'f();\n  // @ts-ignore\n  g();', [3]],
    ['the code below further comments and blank lines', '// @ts-ignore\n// why\n\nf();', [4]],
    ['the line below a block comment', '/* @ts-ignore */\nf();', [2]],
    ['the line below each of several', '// @ts-ignore\nf();\n/** @ts-ignore */ // @ts-ignore\ng();', [2, 4]],
    ['the line behind the last', '// @ts-ignore', [2]],
    ['the line behind a last line break', '// @ts-ignore\n', [3]],
    ['no line for other directives', '// @ts-check\n// see @ts-ignore\nf();', undefined],
  ])('are %s', (_, text, expected) => {
    expect(factsOf(text).unchecked).toEqual(expected);
  });

  test('may be requested by a JSX comment', () => {
    const text = 'const a = (\n  <p>\n    {/* @ts-expect-error */}\n    <B />\n  </p>\n);';
    expect(factsOf(text, 'tsx').unchecked).toEqual([4]);
  });

  test('are all lines below @ts-nocheck in the first comments', () => {
    expect(factsOf('#!/usr/bin/env node\n/*\n * made by hand\n */\n// @ts-nocheck\nf();').unchecked).toBe(
      'all',
    );
    expect(factsOf('/* @ts-nocheck */\nf();').unchecked).toBe('all');
    expect(factsOf('f();\n// @ts-nocheck\n').unchecked).toBeUndefined();
  });

  test('do not exist in JavaScript, which fails at run time', () => {
    expect(factsOf('// @ts-ignore\nf();', 'js').unchecked).toBeUndefined();
  });
});

describe('augmented modules', () => {
  test('are those that a file declares again', () => {
    const text = `import './user';\ndeclare module './user' {\n  interface User { email: string }\n}\ndeclare module "x" {}`;
    expect(factsOf(text).augments).toEqual(['./user', 'x']);
    expect(factsOf(`declare const a: 1;\n/*\ndeclare module './user' {}\n*/`).augments).toBeUndefined();
    expect(factsOf('declare const module: string;').augments).toBeUndefined();
  });
});
