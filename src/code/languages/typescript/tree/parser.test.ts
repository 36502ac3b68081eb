import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { FlatTree } from './flat-tree.ts';
import { enumLayouts, oxcVersion, structureLayouts } from './oxc-layout.ts';
import { bufferParser, openParsers } from './parser.ts';

const require = createRequire(import.meta.url);

describe('parsers', () => {
  test('open all three here, the fastest first', async () => {
    expect((await openParsers()).map(({ name }) => name)).toEqual(['buffer', 'raw', 'json']);
  });

  test('read the buffer of the installed version', async () => {
    expect(require('oxc-parser/package.json').version).toBe(oxcVersion);
    await expect(bufferParser()).resolves.toMatchObject({ name: 'buffer' });
  });

  test.each([
    ['const plain = 1;'],
    ['const größer = "…"; // 𝒳\nclass Ä { b = `${größer}` }'],
    ['\ufeffexport const a = 1;'],
    [''],
  ])('give the same tree for %j and for its bytes', async (text) => {
    const bytes = Buffer.from(text);
    for (const parser of await openParsers()) {
      const trees = [undefined, bytes].map((utf8) => {
        const tree = new FlatTree();
        expect(parser.parse(text, 'ts', 'unambiguous', tree, utf8)).toBeNull();
        return Array.from({ length: tree.count }, (_, node) => [
          tree.kind[node],
          tree.start[node],
          tree.end[node],
        ]);
      });
      expect(trees[1]).toEqual(trees[0]);
    }
  });

  test('leave nothing of a longer text behind', async () => {
    const parser = await bufferParser();
    const tree = new FlatTree();
    parser.parse(`f(${'a, '.repeat(5000)}b);`, 'ts', 'unambiguous', tree);
    parser.parse('g();', 'ts', 'unambiguous', tree, Buffer.from('g();'));
    expect(tree.count).toBe(4);
  });
});

/** The layout is copied from oxc's deserializer: each offset we use must also be used there. */
describe('layout of the buffer', () => {
  const source = readFileSync(require.resolve('oxc-parser/src-js/generated/deserialize/ts.js'), 'utf8');
  const bodies = new Map(
    [...source.matchAll(/^function deserialize(\w+)\(pos\) \{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => [
      name,
      body,
    ]),
  );
  /** Inside `FormalParameters`, without a separate function. */
  const inlined = new Map([['FormalParameterRest', 'FormalParameters']]);
  const bodyOf = (structure: string) => bodies.get(inlined.get(structure) ?? structure) ?? '';

  test.each(structureLayouts.trim().split('\n'))('%s', (line) => {
    const [structure = '', , ...words] = line.split(' ');
    expect(bodies.has(inlined.get(structure) ?? structure)).toBe(true);
    for (const word of words.filter((each) => !each.startsWith('+'))) {
      const [, star, vector, type, size, offset] = /:(\*?)(\[?)(\w+)(?:\/(\d+)\])?@(\d+)/.exec(word) ?? [];
      if (structure === 'FormalParameters' && star) continue;
      const wanted = `(?:Option)?(?:Vec)?(?:Option)?(?:Box)?${type}`;
      const at = structure === 'Class' && offset === '96' ? '80 \\+ \\(pos \\+ 16 - pos\\)' : offset;
      expect(bodyOf(structure), word).toMatch(new RegExp(`deserialize${wanted}\\(pos \\+ ${at}\\)`));
      if (vector) {
        const list = bodies.get(`Vec${type}`) ?? bodies.get(`VecOption${type}`);
        expect(list, word).toMatch(new RegExp(`pos \\+= ${size};`));
      }
    }
    for (const word of words.filter((each) => each.startsWith('+'))) {
      const [, offset] = /@(\d+)/.exec(word) ?? [];
      expect(bodyOf(structure), word).toContain(`(pos + ${offset})`);
    }
  });

  test.each(enumLayouts.trim().split('\n'))('%s', (line) => {
    const [name = '', ...words] = line.split(' ');
    const body = bodies.get(name) ?? '';
    for (const word of words.filter((each) => each.includes(':'))) {
      const [, discriminant, inPlace, type] = /^(\d+):(=?)(\w+)$/.exec(word) ?? [];
      const target = `deserialize${inPlace ? '' : 'Box'}${type}\\(pos \\+ 8\\)`;
      expect(body, word).toMatch(new RegExp(`case ${discriminant}:\\s+(?:return|let \\w+ =) ${target}`));
    }
    const inherited = words[0] === '+' ? (bodies.get(words[1] ?? '')?.match(/case \d+:/g)?.length ?? 0) : 0;
    const own = words.filter((each) => each.includes(':')).length;
    expect(body.match(/case \d+:/g)).toHaveLength(inherited + own);
  });
});
