import { describe, expect, test } from 'vitest';
import type { CallShape, Parameter, Signature } from '#code/facts/facts.ts';
import { javascript, typescript } from '#code/languages/typescript/dialect.ts';
import { bindCall, bindOptions } from './bind-call.ts';

function parameter(name: string, kind: Parameter['kind'], required: boolean): Parameter {
  return { name, kind, required, default: null, type: null, typeName: null, shape: null };
}

function signature(...parameters: Parameter[]): Signature {
  return { parameters, returns: null, generator: false, typeParameters: { min: 0, max: 0 } };
}

function call(positional: number, keywords: string[] = [], rest: Partial<CallShape> = {}): CallShape {
  return {
    positional,
    keywords,
    spread: false,
    keywordSpread: false,
    objects: [],
    awaited: false,
    result: 'other',
    unpacked: null,
    ...rest,
  };
}

describe('TypeScript', () => {
  const send = signature(
    parameter('to', 'positional', true),
    parameter('body', 'positional', true),
    parameter('cc', 'positional', false),
  );

  test('takes the required arguments up to the last parameter', () => {
    expect(bindCall(send, call(2), typescript.calls)).toBe(null);
    expect(bindCall(send, call(3), typescript.calls)).toBe(null);
    expect(bindCall(send, call(1), typescript.calls)).toEqual({
      missing: ['body'],
      unexpected: [],
      surplus: 0,
    });
    expect(bindCall(send, call(4), typescript.calls)).toEqual({ missing: [], unexpected: [], surplus: 1 });
  });

  test('concludes nothing from a spread', () => {
    expect(bindCall(send, call(0, [], { spread: true }), typescript.calls)).toBe(null);
  });

  test('lets plain JavaScript pass surplus arguments', () => {
    expect(bindCall(send, call(9), javascript.calls)).toBe(null);
  });

  test('compares the keys of an options object', () => {
    const keys = [
      { name: 'host', required: true },
      { name: 'port', required: false },
    ];
    expect(bindOptions(keys, { keys: ['host'], open: false })).toBe(null);
    expect(bindOptions(keys, { keys: ['timeout'], open: false })).toEqual({
      missing: ['host'],
      unexpected: ['timeout'],
      surplus: 0,
    });
    expect(bindOptions(keys, { keys: [], open: true })).toBe(null);
  });
});
