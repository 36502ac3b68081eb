import { expect, test } from 'vitest';
import { pack } from '#code/facts/packing/pack.ts';
import { unpack } from '#code/facts/packing/unpack.ts';
import { languageWithId } from '#code/languages/index.ts';
import { decode } from './decode.ts';
import { extractAll } from './extraction.ts';

test('decodes invalid UTF-8 as replacement characters', async () => {
  const content = Buffer.concat([
    Buffer.from('export const a = "'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('ö";\nexport function b(x: "…") {}\n'),
  ]);
  const [packed] = await extractAll([{ language: 'ts', content }]);
  const text = decode(content) ?? '';
  expect(text).toContain('\ufffd');
  expect(packed).toEqual(pack(languageWithId('ts')?.extract(text) ?? expect.fail()));
  expect(unpack(packed ?? expect.fail()).definitions.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('reads UTF-16 with a byte order mark', async () => {
  const content = Buffer.from('\ufeffexport const größe = 1;\n', 'utf16le');
  const [packed] = await extractAll([{ language: 'ts', content }]);
  expect(unpack(packed ?? expect.fail()).exports.map(({ name }) => name)).toEqual(['größe']);
});
