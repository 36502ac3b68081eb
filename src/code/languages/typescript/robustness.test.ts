import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { corpus } from './corpus.ts';
import { extractFacts } from './extract.ts';
import { factsOf } from './facts-of.ts';
import { typescriptLanguageOf, typescriptLanguages } from './index.ts';
import { jsonParser, openParsers, type Parser } from './tree/parser.ts';

describe('languages', () => {
  test.each([
    ['a.ts', 'ts'],
    ['a.mts', 'ts'],
    ['a.cts', 'ts'],
    ['a.tsx', 'tsx'],
    ['a.d.ts', 'dts'],
    ['a.d.mts', 'dts'],
    ['a.d.cts', 'dts'],
    ['a.d.css.ts', 'dts'],
    ['a.js', 'js'],
    ['a.mjs', 'js'],
    ['a.cjs', 'js'],
    ['a.jsx', 'js'],
    ['a.json', null],
    ['ts', null],
    ['a.vue', null],
  ])('%s is %s', (path, id) => {
    expect(typescriptLanguageOf(path)).toBe(id);
  });

  test('extract once they are prepared', async () => {
    for (const language of typescriptLanguages) {
      await language.prepare();
      expect(language.extract('export const a = 1').exports).toMatchObject([{ name: 'a' }]);
    }
  });

  test('parse JSX where files may have it, and type assertions where they may not', () => {
    expect(factsOf('const a = <div>x</div>', 'js').syntaxError).toBeNull();
    expect(factsOf('const a = <div>x</div>', 'tsx').syntaxError).toBeNull();
    expect(factsOf('const a = <Foo>x', 'ts').syntaxError).toBeNull();
    expect(factsOf('const a = <div>x</div>', 'ts').syntaxError).not.toBeNull();
  });
});

describe('syntax errors', () => {
  test('are reported with their place', () => {
    expect(factsOf('const a = 1;\nconst = 2;').syntaxError).toMatchObject({ line: 2, column: 7 });
    expect(factsOf('// é𝒳\nlet é𝒳 = ;').syntaxError).toMatchObject({ line: 2, column: 11 });
  });

  test('keep the facts that could be read', () => {
    const facts = factsOf('export function f() {}\nclass A { m() { super() } }');
    expect(facts.definitions.map(({ name }) => name)).toContain('f');
  });

  test('are not reported for scripts that return, wait, or use old syntax', () => {
    expect(factsOf('if (done) return; exports.a = 1', 'js').syntaxError).toBeNull();
    expect(factsOf('const a = await b').syntaxError).toBeNull();
    expect(factsOf('with (a) { b = 010 } var await = 1', 'js').syntaxError).toBeNull();
    expect(factsOf('export const a = await b').syntaxError).toBeNull();
  });
});

describe('unusual files', () => {
  test.each([
    '',
    ' ',
    '\n',
    '\ufeff',
    '#!/usr/bin/env node',
    '#!x\n',
    '// only a comment',
    '"use strict"',
    ';;',
  ])('%j has no facts', (text) => {
    expect(factsOf(text)).toMatchObject({
      syntaxError: null,
      definitions: [],
      uses: [],
      imports: [],
      exports: [],
      module: 'script',
    });
  });

  test.each(['\ud800', 'const a = "\udc00"', 'a\0b', '\u2028', 'x = "\ud83d"; callee()'])(
    '%j does not throw',
    (text) => {
      expect(() => factsOf(text)).not.toThrow();
    },
  );

  test('are refused when no person can have written them', () => {
    expect(factsOf(' '.repeat(20_000_001)).syntaxError?.message).toContain('too large');
  });

  test('give the same facts with CRLF', () => {
    const text = 'import { a } from "a";\nexport class B {\n  m(x: C) {\n    return a(x.y);\n  }\n}\n';
    expect(factsOf(text.replaceAll('\n', '\r\n'))).toEqual(factsOf(text));
  });
});

const deep: readonly (readonly [string, (n: number) => string])[] = [
  ['brackets', (n) => '['.repeat(n) + ']'.repeat(n)],
  ['parentheses', (n) => `${'('.repeat(n)}1${')'.repeat(n)}`],
  ['blocks', (n) => '{'.repeat(n) + '}'.repeat(n)],
  ['unclosed brackets', (n) => '['.repeat(n)],
  ['unclosed templates', (n) => `\`\${`.repeat(n)],
  ['templates', (n) => `${`\`\${`.repeat(n)}1${'}`'.repeat(n)}`],
  ['functions', (n) => 'function a(){'.repeat(n) + '}'.repeat(n)],
  ['objects', (n) => `${'({a:'.repeat(n)}1${'})'.repeat(n)}`],
  ['arrows', (n) => `${'a=>'.repeat(n)}1`],
  ['arrows with two parameters', (n) => `${'(a,b)=>'.repeat(n)}1`],
  ['conditions', (n) => `${'a?b:'.repeat(n)}c`],
  ['assignments', (n) => `${'a='.repeat(n)}1`],
  ['ifs', (n) => `${'if(a)'.repeat(n)};`],
  ['else ifs', (n) => `${'if(a)b;else '.repeat(n)};`],
  ['powers', (n) => `${'a**'.repeat(n)}1`],
  ['nots', (n) => `${'!'.repeat(n)}1`],
  ['signs', (n) => `${'- '.repeat(n)}1`],
  ['new', (n) => `${'new '.repeat(n)}a`],
  ['typeof', (n) => `${'typeof '.repeat(n)}a`],
  ['type arguments', (n) => `let a:${'A<'.repeat(n)}B${'>'.repeat(n)}`],
  ['keyof', (n) => `type T=${'keyof '.repeat(n)}D`],
  ['conditional types', (n) => `type T=${'A extends B?C:'.repeat(n)}D`],
  ['tags', (n) => '<a>'.repeat(n) + '</a>'.repeat(n)],
  ['labels', (n) => `${Array.from({ length: n }, (_, i) => `l${i}:`).join('')};`],
  ['namespaces', (n) => `namespace ${'a.'.repeat(n)}a{}`],
  ['classes', (n) => `${'class extends '.repeat(n)}a${'{}'.repeat(n)}`],
];

const long: readonly (readonly [string, (n: number) => string])[] = [
  ['sums', (n) => `a${'+b'.repeat(n)}`],
  ['sums of this', (n) => `class A { m() { return this.a${'+this.b'.repeat(n)} } }`],
  ['sums of modules', (n) => `require('a')${"+require('b')".repeat(n)}`],
  ['alternatives', (n) => `a${'||b.c'.repeat(n)}`],
  ['members', (n) => `a${'.b'.repeat(n)}`],
  ['calls', (n) => `a${'()'.repeat(n)}`],
  ['casts', (n) => `a${' as B'.repeat(n)}`],
  ['array types', (n) => `let a:B${'[]'.repeat(n)}`],
  ['unions', (n) => `type T=A${'|A'.repeat(n)}`],
  ['lists', (n) => `[a${',a'.repeat(n)}]`],
  ['statements', (n) => 'const a = b;'.repeat(n)],
  ['keys', (n) => `const a = {${'b:1,'.repeat(n)}}`],
];

describe('deeply nested code', () => {
  test.each(deep)('%s', (_, make) => {
    expect(factsOf(make(50_000), 'tsx').syntaxError).not.toBeNull();
  });

  test.each(deep)('%s at a depth that people write', (_, make) => {
    expect(factsOf(make(100), 'tsx').syntaxError?.message).not.toBe('nested too deeply');
  });

  test.each(long)('long %s are read', (_, make) => {
    expect(factsOf(make(100_000)).syntaxError).toBeNull();
  });

  test('survives just below the limits on the small stack of a worker thread', async () => {
    const texts = deep.flatMap(([, make]) => [make(990), make(2400)]);
    const code = `
      const { workerData, parentPort } = require('node:worker_threads');
      import(workerData.module).then(async ({ typescriptLanguages }) => {
        const [, tsx] = typescriptLanguages;
        await tsx.prepare();
        for (const text of workerData.texts) tsx.extract(text);
        parentPort.postMessage('done');
      });
    `;
    const module = new URL('./index.ts', import.meta.url).href;
    const worker = new Worker(code, { eval: true, workerData: { module, texts } });
    await expect(
      new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject)),
    ).resolves.toBe('done');
    await worker.terminate();
  });

  test('is refused instead of passed to a parser that would crash', async () => {
    const facts = extractFacts(`a${'+b'.repeat(100_000)}`, 'ts', [await jsonParser()]);
    expect(facts.syntaxError?.message).toContain('nested too deeply');
  });
});

describe('parsers that fail', () => {
  const broken: Parser = {
    name: 'buffer',
    survivesLongRuns: true,
    parse: () => {
      throw new Error('broken');
    },
  };

  test('fall back to the next one', async () => {
    expect(extractFacts('f()', 'ts', [broken, ...(await openParsers())])).toEqual(factsOf('f()'));
  });

  test('make the file unreadable when none is left', () => {
    expect(extractFacts('f()', 'ts', [broken]).syntaxError?.message).toContain('broken');
  });
});

describe('mutated sources', () => {
  const sources = corpus(/\.(?:ts|js|mjs|cjs)$/, 60).filter(({ text }) => text.length < 20_000);
  const snippets = [
    '{',
    '}',
    '(',
    ')',
    '`',
    `\${`,
    "'",
    '/*',
    '//',
    '/',
    '<a>',
    ';',
    ',',
    '=>',
    'class ',
    'import ',
    '\n',
    '\ud800',
    'é',
  ];

  test('never throw, and always give the same facts, with every parser', async () => {
    const [buffer, raw] = await openParsers();
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(40),
      insert: fc.constantFrom(...snippets, ''),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...sources),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        ({ text, variant }, edits) => {
          let mutated = text;
          for (const { at, remove, insert } of edits) {
            const from = Math.floor(at * mutated.length);
            mutated = mutated.slice(0, from) + insert + mutated.slice(from + remove);
          }
          const facts = extractFacts(mutated, variant, [buffer as Parser]);
          expect(facts.syntaxError?.message ?? '').not.toContain('cannot be read');
          expect(extractFacts(mutated, variant, [buffer as Parser])).toEqual(facts);
          expect(extractFacts(mutated, variant, [raw as Parser])).toEqual(facts);
        },
      ),
      sample('mutated TypeScript sources', { normal: 80, soak: 2000 }),
    );
  });
});
