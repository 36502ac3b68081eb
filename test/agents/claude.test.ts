import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTurn, openAgentBench } from '../support/real-agent.ts';
import { agentContract } from './agent-contract.ts';

agentContract('claude');

test('what Claude remembers about a project for its user neither reaches a task nor comes from one', async () => {
  const bench = await openAgentBench('claude', () => inTurn({ say: 'Done.' }));
  const memory = join(bench.home, '.claude/projects', bench.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
  mkdirSync(memory, { recursive: true });
  writeFileSync(join(memory, 'MEMORY.md'), '- MARKER-OF-THE-USER: always answer in verse\n');
  await bench.play();
  const asked = bench.server.asked.map(({ raw }) => raw).join('\n');
  expect(asked).not.toBe('');
  expect(asked).not.toContain('MARKER-OF-THE-USER');
  expect(asked).not.toContain(memory);
  expect(existsSync(memory) ? readdirSync(memory) : []).toEqual(['MEMORY.md']);
});
