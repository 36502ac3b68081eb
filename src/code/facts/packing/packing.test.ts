import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition, Facts, Parameter, Use } from '#code/facts/facts.ts';
import { json } from '#code/languages/json/index.ts';
import { python } from '#code/languages/python/index.ts';
import { corpus } from '#code/languages/typescript/corpus.ts';
import { factsOf } from '#code/languages/typescript/facts-of.ts';
import { sample } from '#test/support/sampling.ts';
import { pack } from './pack.ts';
import { unpack } from './unpack.ts';
import {
  callResults,
  definitionKinds,
  importForms,
  modules,
  parameterKinds,
  useKinds,
} from './vocabulary.ts';

/** The unpacked facts as an ordinary object with the same properties. */
function repacked(facts: Facts): object {
  const back = unpack(pack(facts));
  const definitions = back.definitions.map((one, index) => asPlain(facts.definitions[index] ?? one, one));
  return { ...asPlain(facts, back), definitions };
}

function asPlain<T extends object>(like: T, value: T): object {
  return Object.fromEntries(Object.keys(like).map((key) => [key, value[key as keyof T]]));
}

describe('packed facts', () => {
  test('equal those of several hundred real files', () => {
    const sources = corpus(/\.(?:[cm]?[jt]s|[jt]sx)$/, 300);
    expect(sources.length).toBeGreaterThan(200);
    for (const { text, variant } of sources) {
      const facts = factsOf(text, variant);
      expect(repacked(facts)).toEqual(facts);
    }
  });

  test('equal those of Python and of data', async () => {
    await Promise.all([python.prepare(), json.prepare()]);
    const outline = new URL('../../../../test/support/python-outline.py', import.meta.url);
    const facts = python.extract(readFileSync(outline, 'utf8'));
    expect(facts.definitions.length).toBeGreaterThan(20);
    expect(repacked(facts)).toEqual(facts);
    const data = json.extract('{"a": 1, "a": 2}');
    expect(data.duplicateKeys).toHaveLength(1);
    expect(repacked(data)).toEqual(data);
  });

  test('equal any possible facts', () => {
    fc.assert(
      fc.property(anyFacts(), (facts) => {
        expect(repacked(facts)).toEqual(facts);
      }),
      sample('packed facts', { normal: 80, soak: 5000 }),
    );
  });

  test('take less than a quarter of their JSON', () => {
    const facts = corpus(/\.[cm]?ts$/, 50).map(({ text, variant }) => factsOf(text, variant));
    const size = (each: (facts: Facts) => number) => facts.reduce((sum, one) => sum + each(one), 0);
    expect(size((one) => pack(one).length)).toBeLessThan(size((one) => JSON.stringify(one).length) / 4);
  });
});

/** Every property at its limits; strings with quotes, lone surrogates and null characters. */
function anyFacts(): fc.Arbitrary<Facts> {
  const text = fc.oneof(
    fc.constantFrom('', 'a', 'User', '\0', '"\\', '\ud800', 'é', '名前'),
    fc.string({ unit: 'binary' }),
  );
  const texts = fc.array(text, { maxLength: 4 });
  const count = fc.nat({ max: 0x7fff_ffff });
  const line = fc.integer({ min: 1, max: 0x3fff_ffff });
  const span = { line, column: line, endLine: line };
  const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
  const hash = fc.nat({ max: 2 ** 53 - 1 });
  const typeParameters = fc.record({ min: count, max: count });
  const keys = fc.array(fc.record({ name: text, required: fc.boolean() }), { maxLength: 3 });
  const parameter: fc.Arbitrary<Parameter> = fc.record({
    name: text,
    kind: fc.constantFrom(...parameterKinds),
    required: fc.boolean(),
    default: orNull(text),
    type: orNull(text),
    typeName: orNull(text),
    shape: orNull(fc.record({ keys, open: fc.boolean() })),
  });
  const signature = fc.record({
    parameters: fc.array(parameter, { maxLength: 3 }),
    returns: orNull(text),
    generator: fc.boolean(),
    typeParameters,
  });
  const definition: fc.Arbitrary<Definition> = fc.record({
    ...span,
    name: text,
    container: orNull(text),
    kind: fc.constantFrom(...definitionKinds),
    bodyHash: hash,
    signatureHash: hash,
    sketch: fc.array(count, { maxLength: 16 }),
    signature: orNull(signature),
    type: orNull(text),
    bases: texts,
    implements: texts,
    typeParameters: orNull(fc.record({ min: count, max: count, names: texts })),
    literals: orNull(texts),
    members: orNull(
      fc.oneof(
        fc.record({ open: fc.boolean() }),
        fc.constant({ open: false, keyed: true as const }),
        fc.constant({ open: false, lent: true as const }),
      ),
    ),
    async: fc.boolean(),
    static: fc.boolean(),
    abstract: fc.boolean(),
    overrides: fc.boolean(),
    optional: fc.boolean(),
    decorators: texts,
    failure: orNull(fc.record({ raises: texts, returnsNothing: fc.boolean() })),
    overload: fc.boolean(),
    conditional: fc.boolean(),
    ambient: fc.boolean(),
    hidden: fc.constantFrom(true as const, undefined),
  });
  const call = fc.record({
    positional: count,
    keywords: texts,
    spread: fc.boolean(),
    keywordSpread: fc.boolean(),
    objects: fc.array(fc.record({ index: fc.nat(255), keys: texts, open: fc.boolean() }), { maxLength: 2 }),
    awaited: fc.boolean(),
    result: fc.constantFrom(...callResults),
    unpacked: orNull(count),
  });
  const use: fc.Arbitrary<Use> = fc.record({
    ...span,
    kind: fc.constantFrom(...useKinds),
    root: text,
    rootIs: fc.constantFrom<Use['rootIs']>('name', 'instance', 'package', 'fixture', 'cast'),
    path: texts,
    scope: text,
    call: orNull(call),
    typeArguments: orNull(count),
    guarded: fc.boolean(),
  });
  const comparison = fc.record({
    ...span,
    root: text,
    rootIs: fc.constantFrom('name' as const, 'instance' as const),
    path: texts,
    scope: text,
    literal: text,
  });
  return fc.record({
    syntaxError: orNull(fc.record({ line, column: line, message: text })),
    module: fc.constantFrom(...modules),
    definitions: fc.array(definition, { maxLength: 4 }),
    imports: fc.array(
      fc.record({
        ...span,
        local: orNull(text),
        imported: text,
        from: text,
        form: fc.constantFrom(...importForms),
        typeOnly: fc.boolean(),
        guarded: fc.boolean(),
        scope: text,
      }),
      { maxLength: 3 },
    ),
    exports: fc.array(
      fc.record({
        ...span,
        name: text,
        local: orNull(text),
        from: orNull(text),
        imported: orNull(text),
        typeOnly: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    publicNames: orNull(texts),
    uses: fc.array(use, { maxLength: 4 }),
    switches: fc.array(fc.record({ ...span, scope: text, cases: texts, hasDefault: fc.boolean() }), {
      maxLength: 2,
    }),
    comparisons: fc.array(comparison, { maxLength: 2 }),
    opaque: texts,
    duplicateKeys: fc.array(fc.record({ key: text, lines: fc.array(line, { maxLength: 3 }) }), {
      maxLength: 2,
    }),
  });
}
