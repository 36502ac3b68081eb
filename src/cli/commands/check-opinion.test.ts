import { expect, test } from 'vitest';
import { opinionOf } from './check-opinion.ts';

type Options = Parameters<typeof opinionOf>[0];

const none = { 'agent-bytes': '400000' } as Options;

test('at most one source of an opinion, with its required options', () => {
  expect(opinionOf(none)).toBeNull();
  expect(opinionOf({ ...none, agent: 'claude', spec: 'a.md' })).toMatchObject({
    by: 'agent',
    material: { spec: 'a.md', maxBytes: 400_000 },
  });
  expect(opinionOf({ ...none, 'agent-report': 'a.json' })).toMatchObject({ by: 'report', file: 'a.json' });
  expect(opinionOf({ ...none, 'agent-prompt': true })).toMatchObject({ by: 'prompt' });
});

test.each<[Partial<Options>, RegExp]>([
  [{ agent: 'claude', 'agent-prompt': true }, /--agent and --agent-prompt exclude each other/],
  [{ agent: 'claude', 'agent-report': 'a.json' }, /exclude each other/],
  [{ contract: 'c.json' }, /--contract is for an agent, and none is asked/],
  [{ scenario: 's.json' }, /--scenario is for an agent/],
  [{ 'agent-prompt': true, 'agent-bytes': 'many' }, /not a number of bytes/],
  [{ 'agent-prompt': true, 'agent-bytes': '10' }, /not a number of bytes/],
])('%j is refused', (options, message) => {
  expect(() => opinionOf({ ...none, ...options })).toThrow(message);
});
