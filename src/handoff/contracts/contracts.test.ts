import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtInContracts, openRegistry } from './built-in.ts';
import { registerContract } from './project-contracts.ts';
import { ContractRegistry, type HandoffContract } from './registry.ts';

const own = {
  ref: 'shop.contracts.release_notes',
  version: 1,
  schema: {
    type: 'object',
    properties: { kind: { const: 'shop.release_notes' }, title: { type: 'string', minLength: 1 } },
    required: ['kind', 'title'],
    additionalProperties: false,
  },
  example: { kind: 'shop.release_notes', title: 'Faster' },
  blockedMessage: 'Hand in the release notes.',
};

/** Everything that must be true for any registered contract. */
function expectSound(registry: ContractRegistry, contract: HandoffContract): void {
  expect(registry.check(contract.ref, [contract.example])).toMatchObject({ ok: true });
  for (const wrong of [
    {},
    { kind: contract.example.kind },
    { ...contract.example, kind: 'other' },
    null,
    7,
    'x',
    [],
  ])
    expect(registry.check(contract.ref, [wrong])).toMatchObject({ ok: false });
  for (const key of Object.keys(contract.example)) {
    const broken = { ...contract.example, [key]: Symbol.for('nothing like it') };
    expect(registry.check(contract.ref, [broken]).ok).toBe(false);
  }
  expect(contract.blockedMessage).not.toBe('');
}

describe('the registry', () => {
  test('every contract accepts its example and refuses everything else', () => {
    const registry = openRegistry();
    registerContract(registry, 'a.json', JSON.stringify(own));
    expect(registry.refs).toHaveLength(builtInContracts.length + 1);
    for (const contract of registry.all) expectSound(registry, contract);
  });

  test('contains the six handoffs of a pipeline', () => {
    expect(openRegistry().refs.map((ref) => ref.replace('wr.contracts.', ''))).toEqual([
      'discovery_handoff',
      'shaping_handoff',
      'coding_handoff',
      'review_verdict',
      'loop_control',
      'gate_verdict',
    ]);
  });

  test('says what is missing and what is wrong, with an example', () => {
    const registry = openRegistry();
    expect(registry.check('wr.contracts.gate_verdict', [])).toMatchObject({
      code: 'MISSING_REQUIRED_OUTPUT',
      problems: ['wr.gate_verdict is missing; nothing was handed in'],
    });
    expect(registry.check('wr.contracts.gate_verdict', [{ kind: 'wr.loop_control' }])).toMatchObject({
      problems: ['wr.gate_verdict is missing; handed in: wr.loop_control'],
    });
    const short = {
      kind: 'wr.gate_verdict',
      version: 1,
      verdict: 'yes',
      confidence: 'high',
      rationale: 'short',
    };
    const answer = registry.check('wr.contracts.gate_verdict', [short]);
    expect(answer).toMatchObject({ code: 'INVALID_REQUIRED_OUTPUT', example: { kind: 'wr.gate_verdict' } });
    expect(answer.ok ? [] : answer.problems.map((problem) => problem.split(':')[0])).toEqual([
      'verdict',
      'rationale',
    ]);
  });

  test('uses the last of several', () => {
    const [first, last] = ['stop', 'continue'].map((decision) => ({ kind: 'wr.loop_control', decision }));
    expect(openRegistry().check('wr.contracts.loop_control', [first, last])).toMatchObject({
      value: { decision: 'continue' },
    });
  });

  test('suggests the nearest if there is none', () => {
    expect(() => openRegistry().get('wr.contracts.coding_handof')).toThrowError(
      expect.objectContaining({ hint: 'did you mean wr.contracts.coding_handoff?' }),
    );
  });

  test.each([
    ['refuses its own example', { example: { kind: 'shop.release_notes' } }],
    ['accepts an empty object', { schema: {} }],
    ['has a name without a dot', { ref: 'notes' }],
    ['not JSON', null],
    ['example', { example: {} }],
    ['blockedMessage', { blockedMessage: '' }],
    ['unknown', { unknown: 1 }],
  ])('a contract that %s is refused', (message, change) => {
    const text = change === null ? '{' : JSON.stringify({ ...own, ...change });
    expect(() => registerContract(openRegistry(), 'a.json', text)).toThrow(
      new RegExp(`^a\\.json: .*${message}`, 's'),
    );
  });

  test('a second contract under the same name is refused unless it is identical', () => {
    const registry = openRegistry();
    registerContract(registry, 'a.json', JSON.stringify(own));
    const before = registry.hash();
    registerContract(registry, 'b.json', JSON.stringify(own));
    expect(registry.hash()).toBe(before);
    const other = { ...own, schema: { ...own.schema, additionalProperties: true } };
    expect(() => registerContract(registry, 'c.json', JSON.stringify(other))).toThrow('another schema');
  });

  test('its hash depends on the schemas', () => {
    const make = (schema: z.ZodType) =>
      new ContractRegistry([
        { ref: 'a.b', version: 1, schema, example: { kind: 'k', n: 1 }, blockedMessage: 'x' },
      ]).hash();
    const one = z.object({ kind: z.literal('k'), n: z.number() });
    expect(make(one)).toBe(make(z.object({ kind: z.literal('k'), n: z.number() })));
    expect(make(one)).not.toBe(make(one.extend({ m: z.string().optional() })));
  });
});
