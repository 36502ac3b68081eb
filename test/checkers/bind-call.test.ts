import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallShape, Parameter, Signature } from '#code/facts/facts.ts';
import { python } from '#code/languages/python/dialect.ts';
import { bindCall } from '#code/link/bind-call.ts';
import { sample } from '../support/sampling.ts';

function parameter(name: string, kind: Parameter['kind'], required: boolean): Parameter {
  return { name, kind, required, default: null, type: null, typeName: null, shape: null };
}

function signature(...parameters: Parameter[]): Signature {
  return { parameters, returns: null, generator: false, typeParameters: { min: 0, max: 0 } };
}

function call(positional: number, keywords: readonly string[]): CallShape {
  return {
    positional,
    keywords,
    spread: false,
    keywordSpread: false,
    objects: [],
    awaited: false,
    result: 'other',
    unpacked: null,
  };
}

/** Parameters in an order Python accepts: positional-only, positional, rest, keyword-only, keyword-rest; defaults last. */
const signatures = fc
  .record({
    positionalOnly: fc.nat(2),
    positional: fc.nat(2),
    defaults: fc.nat(4),
    rest: fc.boolean(),
    keywordOnly: fc.array(fc.boolean(), { maxLength: 2 }),
    keywordRest: fc.boolean(),
  })
  .map(({ positionalOnly, positional, defaults, rest, keywordOnly, keywordRest }) => {
    const count = positionalOnly + positional;
    const ordered = Array.from({ length: count }, (_, index) =>
      parameter(
        `p${index}`,
        index < positionalOnly ? 'positional-only' : 'positional',
        index < count - defaults,
      ),
    );
    return [
      ...ordered,
      ...(rest ? [parameter('args', 'rest', false)] : []),
      ...keywordOnly.map((required, index) => parameter(`k${index}`, 'keyword-only', required)),
      ...(keywordRest ? [parameter('kw', 'keyword-rest', false)] : []),
    ];
  });

const calls = fc.record({
  positional: fc.nat(4),
  keywords: fc.uniqueArray(fc.constantFrom('p0', 'p1', 'p2', 'p3', 'k0', 'k1', 'x'), { maxLength: 3 }),
});

test('calls are bound exactly as Python binds them', () => {
  const { seed, numRuns } = sample('calls bound as Python binds them', { normal: 300, soak: 2000 });
  const cases = fc.sample(fc.tuple(signatures, calls), { seed, numRuns });
  const script = `
import json, sys
def source(parameters):
    parts, starred = [], False
    for index, p in enumerate(parameters):
        kind = p['kind']
        if kind == 'keyword-only' and not starred:
            starred = parts.append('*') or True
        starred = starred or kind == 'rest'
        parts.append({'rest': '*', 'keyword-rest': '**'}.get(kind, '') + p['name'] + ('' if p['required'] or 'rest' in kind else '=1'))
        if kind == 'positional-only' and (index + 1 == len(parameters) or parameters[index + 1]['kind'] != kind):
            parts.append('/')
    return 'def f(' + ', '.join(parts) + '): pass'
out = []
for parameters, call in json.load(sys.stdin):
    space = {}
    exec(source(parameters), space)
    try:
        space['f'](*range(call['positional']), **{k: 1 for k in call['keywords']})
        out.append(True)
    except TypeError:
        out.append(False)
print(json.dumps(out))`;
  const verdicts: boolean[] = JSON.parse(
    execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }),
  );
  for (const [index, [parameters, shape]] of cases.entries()) {
    const binds =
      bindCall(signature(...parameters), call(shape.positional, shape.keywords), python.calls) === null;
    expect({ parameters, shape, binds }).toEqual({ parameters, shape, binds: verdicts[index] });
  }
});
