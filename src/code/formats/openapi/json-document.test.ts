import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { readJson } from './json-document.ts';
import { readYaml } from './yaml-document.ts';

test('reads JSON as the YAML reader does, with the same offsets', () => {
  const indents = fc.constantFrom(0, 1, 2, 4);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), indents, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect({ root: readJson(text) }).toEqual(readYaml(text));
    }),
    sample('JSON documents', { normal: 200, soak: 5000 }),
  );
});

test('keeps a key that is given twice', () => {
  const text = '{ "a": 1,\n"a": [true, null, "\\"}\\\\"] }';
  expect(readJson(text)).toEqual({
    kind: 'map',
    at: 0,
    entries: [
      { key: 'a', keyAt: 2, value: { kind: 'scalar', at: 7, value: 1 } },
      {
        key: 'a',
        keyAt: 10,
        value: {
          kind: 'list',
          at: 15,
          items: [
            { kind: 'scalar', at: 16, value: true },
            { kind: 'scalar', at: 22, value: null },
            { kind: 'scalar', at: 28, value: '"}\\' },
          ],
        },
      },
    ],
  });
});

test.each([
  ['a comment', '{ // one\n"a": 1 }'],
  ['a missing bracket', '{ "a": 1'],
  ['YAML', 'openapi: 3.1.0'],
  ['very deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('leaves %s to others', (_, text) => {
  expect(readJson(text)).toBeNull();
});
