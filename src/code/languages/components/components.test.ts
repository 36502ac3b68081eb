import { beforeAll, describe, expect, test } from 'vitest';
import { component } from './index.ts';

beforeAll(() => component.prepare());

describe('a single-file component', () => {
  test('gives the imports of its scripts, with their lines', () => {
    const facts = component.extract(
      [
        '<script lang="ts">',
        "import a from './a';",
        '</script>',
        '<template><p @click="x > 1" /></template>',
        '<script setup lang="ts">',
        "import { b } from './b';",
        'const c: string = b(a);',
        '</script>',
      ].join('\n'),
    );
    expect(facts.syntaxError).toBeNull();
    expect(facts.imports.map(({ from, line }) => [from, line])).toEqual([
      ['./a', 2],
      ['./b', 6],
    ]);
    expect(facts.exports.map(({ name }) => name)).toEqual(['default']);
    expect(facts.opaque).not.toEqual([]);
  });

  test.each([
    ['no script', '<template><p /></template>'],
    ['a script of another language', '<script lang="coffee">\nsquare = (x) -> x * x\n</script>'],
    ['data for search engines', '<script type="application/ld+json">\n{"@type": "Person"}\n</script>'],
    ['a template in a script', '<script type="text/x-template"><p :a="(" /></script>'],
    ['a script in a comment', "<!-- <script>\nimport a from './a'; (\n</script> -->"],
    ['a script in its documentation', '<docs>\n<script>import (</script>\n</docs>'],
    ['an end that is missing', "<script>\nimport a from './a';"],
  ])('with %s imports nothing and is not an error', (_, text) => {
    const facts = component.extract(text);
    expect([facts.syntaxError, facts.imports]).toEqual([null, []]);
  });

  test('with a script that does not parse names the line, so that the check is not silent about it', () => {
    const facts = component.extract('<template><p /></template>\n<script>\nimport { from\n</script>');
    expect(facts.syntaxError).toMatchObject({ line: expect.any(Number) });
    expect(facts.syntaxError?.line).toBeGreaterThan(1);
    expect(facts.imports).toEqual([]);
  });
});
