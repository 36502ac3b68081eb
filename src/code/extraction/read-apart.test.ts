import { describe, expect, test } from 'vitest';
import { boundsOf } from './bounds.ts';
import { factsOfText, factsOfTexts, readApart } from './read-apart.ts';

/** Aborts the native parser: it runs out of memory. */
const deadly = `${'abstract '.repeat(20_000)}class X{}`;
const good = (name: string) => `export const ${name} = 1;\n`;

describe('a text that its parser dies of', () => {
  test('is unreadable, and every other text of the same order is read', async () => {
    const texts = [good('a'), deadly, good('b'), deadly, good('c')];
    const facts = await factsOfTexts(texts.map((text, at) => [`src/${at}.ts`, text]));
    expect(facts.map((each) => each?.exports.map(({ name }) => name))).toEqual([['a'], [], ['b'], [], ['c']]);
    expect(facts.map((each) => each?.syntaxError === null)).toEqual([true, false, true, false, true]);
    expect(facts[1]?.syntaxError?.message).toMatch(/^its parser /);
  });

  test('names no shared data', async () => {
    const text = `interface OrderDto { id: string }\n${deadly}`;
    expect(await readApart([{ kind: 'data', path: 'src/a.ts', text }])).toEqual([null]);
  });
});

describe('a text that takes too long', () => {
  const many = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('\n');
  test.each([
    ['Ruby, =begin', 'a.rb', '=begin\n'.repeat(30_000)],
    ['Rust, loops', 'a.rs', `fn a() {\n${"'a: loop { ".repeat(60_000)}`],
    ['Rust, generics', 'a.rs', `type A = ${'Vec<'.repeat(20_000)}u8;`],
    ['Java, fields', 'A.java', `class A {\n${many(60_000, (i) => `  int f${i} = ${i};`)}\n}\n`],
  ])('%s: ends within its bounds', async (_, path, text) => {
    const began = performance.now();
    const facts = await factsOfText(path, text);
    const took = performance.now() - began;
    expect(facts).not.toBeNull();
    // Once in company and once alone, on a machine that does other things too.
    expect(took).toBeLessThan(2 * 4 * boundsOf(text.length).cpuMs);
  });

  test('Prisma, 4,000 models', async () => {
    const text = many(4000, (i) => `model M${i} {\n  id Int @id\n  name String\n}\n`);
    const began = performance.now();
    await readApart([{ kind: 'data', path: 'schema.prisma', text }]);
    expect(performance.now() - began).toBeLessThan(2 * 4 * boundsOf(text.length).cpuMs);
  });
});

test('a language that is not known has no facts', async () => {
  expect(await factsOfText('a.unknown', 'x')).toBeNull();
});
