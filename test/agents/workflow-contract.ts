import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentConfig } from '#schema/agent.ts';
import { installedBinary } from '#scripts/contract-agents.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';
import type { Reply } from '../support/model-server/protocol.ts';
import { handoffBlock, openAgentBench, type RealAgent } from '../support/real-agent.ts';
import { handIn, openCrew } from '../support/real-crew.ts';

const flow = `id: two-steps
name: Two steps
description: For tests.
version: 1.0.0
steps:
  - { id: one, title: One, prompt: Do one. }
  - { id: two, title: Two, prompt: 'Do two for {{goal}}.', produces: [result] }
`;

/** The real program calls our tools: a model on loopback follows a workflow to its end and checks two branches. */
export function workflowContract(name: Extract<RealAgent['name'], 'claude' | 'codex'>): void {
  test(`${name} follows a whole workflow and checks two branches through joinery mcp`, {
    retry: 1,
  }, async () => {
    const call = (tool: string, input: object) =>
      name === 'claude'
        ? { tool: `mcp__joinery__${tool}`, input: { ...input } }
        : { tool, namespace: 'mcp__joinery', input: { ...input } };
    const bench = await openAgentBench(name, () => (request) => {
      const last = request.results.at(-1) ?? '';
      const token = /ct_[\w-]{30,}/.exec(last)?.[0];
      const reply = (tool: string, input: object): Reply => ({ calls: [call(tool, input)] });
      // Codex asks its model before the tools of a server are available.
      const isStarted = request.results.some((result) => result.includes('ct_'));
      if (!isStarted) return reply('start_workflow', { workflowId: 'two-steps', goal: 'the goal' });
      if (last.includes('joinery/check@1')) return { say: handoffBlock({ files: [] }) };
      if (token === undefined) return reply('check', { branches: ['feat/a', 'feat/b'] });
      return reply('continue_workflow', {
        continueToken: token,
        output: { notesMarkdown: 'done' },
        context: { result: 1 },
      });
    });
    const { repo, cwd } = bench;
    mkdirSync(join(cwd, '.joinery', 'workflows'), { recursive: true });
    writeFileSync(join(cwd, '.joinery', 'workflows', 'two-steps.yaml'), flow);
    repo.commit({ 'a.ts': 'export function f(a: number): number { return a; }\n' });
    repo.branch('feat/a', { 'a.ts': 'export function f(a: number, b: number): number { return a + b; }\n' });
    repo.branch('feat/b', { 'c.ts': "import { f } from './a.ts';\nexport const y = f(2);\n" });
    const env = { JOINERY_STATE_DIR: temporaryFolder(), JOINERY_CACHE_DIR: temporaryFolder() };
    const mcpServers = { joinery: { command: process.execPath, args: [executable, 'mcp'], env } };
    // The person's own agent, which Joinery did not start: its servers reach the state of Joinery.
    const config = AgentConfig.parse({
      command: installedBinary(name),
      args: bench.agent.args(bench.server.url),
      sandbox: name === 'codex' ? 'where-possible' : 'off',
    });
    const { end } = await bench.play({ mcpServers, config });
    expect(end.outcome).toBe('ok');
    const { stdout } = await joinery(['workflow', 'runs', '--json'], { cwd, env });
    expect(JSON.parse(stdout).runs).toMatchObject([
      { workflow: 'two-steps', goal: 'the goal', status: 'done' },
    ]);
    const seen = bench.server.asked.flatMap(({ results }) => results).join('\n');
    expect(seen).toContain('Do two for the goal.');
    expect(seen).toContain('feat/b');
  });

  test(`a run leads ${name} through a workflow: one step at a time, and nothing of the next one before`, {
    retry: 1,
    timeout: 300_000,
  }, async () => {
    const crew = await openCrew(name, ({ agent }) => (request): Reply => {
      if (request.turn === 0 && request.prompt.includes('Do one.'))
        return { calls: [agent.shell('echo one > a.txt')] };
      if (request.turn === 0 && request.prompt.includes('Do two for'))
        return { calls: [agent.shell('cat a.txt; echo two > b.txt')] };
      if (request.prompt.includes('Every step of workflow'))
        return { say: handIn(request, ['a.txt', 'b.txt']) };
      return { say: handoffBlock({ notes: 'NOTES-OF-THE-STEP', context: { result: 1 } }) };
    });
    const folder = join(crew.repo.dir, '.joinery', 'workflows');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'two-steps.yaml'), flow);
    const tasks = [{ id: 'both', title: 'Both files', files: ['a.txt', 'b.txt'] }];
    const args = ['run', '--no-land', '--plan', crew.plan(tasks), '--agent', name, '--workflow', 'two-steps'];
    const report = await crew.start(...args).end;
    expect(report?.tasks).toMatchObject([{ id: 'both', status: 'accepted', attempts: 1 }]);
    const stepped = crew.events().filter((event) => event.type === 'attempt.stepped');
    expect(stepped.map(({ data }) => `${data.step ?? data.workflow} ${data.status}`)).toEqual([
      ...['two-steps opened', 'one begun', 'one accepted', 'two begun', 'two accepted', 'two-steps complete'],
    ]);
    const first = crew.server.asked.filter(({ prompt }) => prompt.includes('Do one.'));
    expect(first.length).toBeGreaterThan(0);
    for (const { prompt } of first) expect(prompt).not.toContain('Do two for');
    const second = crew.server.asked.filter(({ prompt }) => prompt.includes('Do two for'));
    expect(second[0]?.prompt).toContain('NOTES-OF-THE-STEP');
    expect(second.flatMap(({ results }) => results).join()).toContain('one');
    expect(crew.alive()).toBe(0);
  });
}
