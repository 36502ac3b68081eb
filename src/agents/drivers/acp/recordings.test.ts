import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AgentEvent } from '#agents/driver.ts';
import { AgentConfig } from '#schema/agent.ts';
import { agentRequest } from '#test/support/agent-request.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { acpDriver } from './acp-driver.ts';
import { acpAgents } from './agents.ts';

const recordings = new URL('../../../../test/recordings/agents/acp/', import.meta.url);
const replay = fileURLToPath(new URL('../../../../test/support/acp-replay.ts', import.meta.url));

/** Replays the recorded output of the tested version, which was asked to write a file. */
async function playRecording(name: string): Promise<AgentEvent[]> {
  const agent = acpAgents.find((each) => each.name === name);
  if (!agent) throw new Error(`no agent ${name}`);
  const recording = fileURLToPath(new URL(`${name}-edit.jsonl`, recordings));
  const events: AgentEvent[] = [];
  const end = await acpDriver({ ...agent, args: () => [replay, recording] }).play(
    agentRequest({
      cwd: temporaryFolder(),
      scratch: temporaryFolder(),
      env: { PATH: process.env.PATH ?? '' },
      config: AgentConfig.parse({ command: process.execPath }),
    }),
    {
      report: (event) => events.push(event),
      submit: () => ({ accepted: true }),
      hasChanged: async () => true,
    },
  );
  expect(end).toEqual({ outcome: 'ok', reason: '' });
  return events.filter(({ type }) => type !== 'alive');
}

const story = [
  { type: 'text', text: 'I write' },
  { type: 'tool', tool: 'edit', status: 'begun' },
  { type: 'permission', tool: 'edit', decision: 'allowed' },
  { type: 'tool', tool: 'edit', status: 'ended' },
  { type: 'turn' },
  { type: 'text', text: 'All done' },
  { type: 'turn' },
];

const without = (events: readonly AgentEvent[], type: AgentEvent['type']) =>
  events.filter((event) => event.type !== type);
const of = (events: readonly AgentEvent[], type: AgentEvent['type']) =>
  events.filter((event) => event.type === type);

test('Gemini CLI 0.61.0', async () => {
  const events = await playRecording('gemini');
  expect(without(events, 'usage')).toMatchObject([
    { type: 'started', version: '0.61.0', model: 'gemini-2.5-flash' },
    ...story,
  ]);
  expect(of(events, 'usage')).toMatchObject([{ usage: { in: 2200, out: 70, model: 'gemini-2.5-flash' } }]);
});

test('opencode 1.18.33', async () => {
  const events = await playRecording('opencode');
  // opencode's tokens come from its own program afterwards, which is not part of the recording.
  expect(events).toMatchObject([{ type: 'started', version: '1.18.33', model: 'fake/fake-model' }, ...story]);
});

test('Qwen Code 0.24.4', async () => {
  const events = await playRecording('qwen');
  expect(without(events, 'usage')).toMatchObject([
    { type: 'started', version: '0.24.4', model: 'fake-model' },
    ...story,
  ]);
  expect(of(events, 'usage')).toMatchObject([
    { usage: { in: 1000, out: 50, cached: 200 } },
    { usage: { in: 1200, out: 20 } },
  ]);
});
