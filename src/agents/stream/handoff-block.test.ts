import { expect, test } from 'vitest';
import { readHandoffBlock } from './handoff-block.ts';

const block = (info: string, body: string, fence = '```') => `${fence}${info}\n${body}\n${fence}\n`;

test.each([
  ['the marked block', `Done.\n\n${block('handoff', '{"v":1}')}`, '{"v":1}\n'],
  ['the last marked one', block('handoff', '1') + block('handoff', '2'), '2\n'],
  ['a marked one before plain JSON', block('handoff', '1') + block('json', '2'), '1\n'],
  ['JSON marked as a handoff', block('json handoff', '1'), '1\n'],
  ['plain JSON when nothing is marked', block('ts', 'x') + block('json', '{}'), '{}\n'],
  ['a fence longer than those inside it', block('handoff', '{"a":"```"}', '````'), '{"a":"```"}\n'],
  ['a Markdown record', 'x\n## Handoff Record\n- y', 'x\n## Handoff Record\n- y'],
  ['a marked block before a record', `## Handoff Record\n${block('handoff', '1')}`, '1\n'],
  ['none', 'I am done.', null],
  ['none in a fence that does not end', '```handoff\n{}', null],
])('%s', (_, message, expected) => {
  expect(readHandoffBlock(message)).toBe(expected);
});

test('is found at the end of a very long text, quickly', () => {
  const fences = Array.from({ length: 3000 }, (_, n) => '`'.repeat(n + 3)).join('\n');
  const began = performance.now();
  expect(readHandoffBlock(`${fences}\n${block('handoff', '{}')}`)).toBe('{}\n');
  expect(performance.now() - began).toBeLessThan(5000);
});
