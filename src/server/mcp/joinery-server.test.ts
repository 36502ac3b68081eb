import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { executable, temporaryFolder } from '#test/support/joinery.ts';
import { serveHttp } from './serve-http.ts';

const flow = `id: two-steps
name: Two steps
description: For tests.
version: 1.0.0
tags: [lab]
steps:
  - { id: one, title: One, prompt: Do one. }
  - { id: two, title: Two, prompt: 'CANARY {{goal}}', outputContract: { contractRef: wr.contracts.coding_handoff } }
`;

const handoff = {
  kind: 'wr.coding_handoff',
  version: 1,
  keyDecisions: [],
  knownLimitations: [],
  testsAdded: [],
  filesChanged: ['a.ts'],
};

function place() {
  const repository = new GitRepository();
  repository.commit({
    'a.ts': 'export function f(a: number): number { return a; }\n',
    'b.ts': "import { f } from './a.ts';\nexport const x = f(1);\n",
  });
  const folder = join(repository.dir, '.joinery', 'workflows');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'two-steps.yaml'), flow);
  return {
    repository,
    env: {
      ...process.env,
      JOINERY_STATE_DIR: temporaryFolder(),
      JOINERY_CACHE_DIR: temporaryFolder(),
    } as Record<string, string>,
  };
}

async function connect(at: ReturnType<typeof place>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [executable, 'mcp'],
      cwd: at.repository.dir,
      env: at.env,
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

async function call(
  client: Client,
  name: string,
  args: object = {},
): Promise<{ answer: WorkflowAnswer & Record<string, unknown>; isError: boolean; text: string }> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const [first] = result.content as { text?: string }[];
  return {
    answer: result.structuredContent as never,
    isError: result.isError === true,
    text: first?.text ?? '',
  };
}

describe('over stdio', () => {
  test('lists its tools with schemas and annotations', async () => {
    const client = await connect(place());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'check',
      'checkpoint_workflow',
      'claims',
      'continue_workflow',
      'evidence',
      'explain',
      'fork_workflow',
      'gates',
      'ground',
      'inspect_workflow',
      'list_workflows',
      'questions',
      'resume_session',
      'start_workflow',
      'status',
    ]);
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations?.readOnlyHint).toBe(
        !['start_workflow', 'continue_workflow', 'checkpoint_workflow', 'fork_workflow', 'gates'].includes(
          tool.name,
        ),
      );
      const runs = ['start_workflow', 'continue_workflow', 'gates'].includes(tool.name);
      expect([tool.annotations?.destructiveHint, tool.annotations?.openWorldHint]).toEqual([runs, runs]);
    }
  });

  test('serves only the repository it was started in, and its worktrees', async () => {
    const at = place();
    const client = await connect(at);
    const evil = new GitRepository();
    const mark = join(temporaryFolder(), 'ran');
    evil.commit({ 'AGENTS.md': `## Quality Gates\n\n- test: \`touch ${mark}\`\n` });
    const refused = await call(client, 'gates', { mode: 'full', workspacePath: evil.dir });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('other-repository')]);
    expect(existsSync(mark)).toBe(false);
    const worktree = join(temporaryFolder(), 'tree');
    at.repository.git('worktree', 'add', '-q', '--detach', worktree);
    expect((await call(client, 'list_workflows', { workspacePath: worktree })).isError).toBe(false);
  });

  test('follows a workflow: hidden future, blocked, replayed, complete', async () => {
    const client = await connect(place());
    const listed = await call(client, 'list_workflows', { tags: ['lab'] });
    expect(listed.answer.workflows).toMatchObject([{ id: 'two-steps' }]);
    const start = await call(client, 'start_workflow', { workflowId: 'two-steps', goal: 'try it' });
    expect(start.text).toContain('Do one.');
    expect(JSON.stringify(start)).not.toContain('CANARY');
    const token = start.answer.continueToken;
    const second = await call(client, 'continue_workflow', {
      continueToken: token,
      output: { notesMarkdown: 'did it' },
    });
    expect(second.answer.pending?.prompt).toContain('CANARY try it');
    const again = await call(client, 'continue_workflow', { continueToken: token, notes: 'something else' });
    expect(again).toEqual(second);
    const blocked = await call(client, 'continue_workflow', {
      continueToken: second.answer.continueToken,
      notes: 'x',
    });
    expect(blocked.answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'MISSING_REQUIRED_OUTPUT' }],
    });
    // Objects as text, as some clients send them.
    const done = await call(client, 'continue_workflow', {
      continueToken: blocked.answer.continueToken,
      output: JSON.stringify({ artifacts: [handoff] }),
    });
    expect(done.answer).toMatchObject({ isComplete: true, nextIntent: 'complete' });
    const found = await call(client, 'resume_session', { query: 'did it' });
    expect(found.answer.candidates).toMatchObject([
      { sessionId: start.answer.sessionId, confidence: 'strong', snippet: 'did it' },
    ]);
    const fork = await call(client, 'fork_workflow', {
      sessionId: start.answer.sessionId,
      nodeId: start.answer.nodeId,
    });
    expect(fork.answer.pending?.stepId).toBe('one');
    expect(fork.answer.continueToken).not.toBe(token);
  });

  test('a checkpoint and a new client lead back to the step', async () => {
    const at = place();
    const first = await connect(at);
    const { answer } = await call(first, 'start_workflow', { workflowId: 'two-steps', goal: 'g' });
    const second = await call(first, 'continue_workflow', {
      continueToken: answer.continueToken,
      notes: 'the notes',
    });
    const mark = await call(first, 'checkpoint_workflow', { checkpointToken: second.answer.checkpointToken });
    await first.close();
    const back = await call(await connect(at), 'continue_workflow', {
      continueToken: mark.answer.resumeToken,
      intent: 'rehydrate',
    });
    expect(back.answer.pending?.stepId).toBe('two');
    expect(back.answer.pending?.prompt).toContain('the notes');
  });

  test('a new start uses the workflow file as it is now; existing runs keep theirs', async () => {
    const at = place();
    const client = await connect(at);
    const first = await call(client, 'start_workflow', { workflowId: 'two-steps', goal: 'g' });
    const file = join(at.repository.dir, '.joinery', 'workflows', 'two-steps.yaml');
    writeFileSync(file, flow.replace('Do one.', 'Do one better.').replace('CANARY', 'CHANGED'));
    writeFileSync(file.replace('two-steps', 'late-flow'), flow.replace('two-steps', 'late-flow'));
    const second = await call(client, 'start_workflow', { workflowId: 'two-steps', goal: 'g' });
    expect(second.text).toContain('Do one better.');
    expect(second.answer.workflowHash).not.toBe(first.answer.workflowHash);
    const kept = await call(client, 'continue_workflow', {
      continueToken: first.answer.continueToken,
      notes: 'n',
    });
    expect(kept.answer.pending?.prompt).toContain('CANARY g');
    const late = await call(client, 'inspect_workflow', { workflowId: 'late-flow' });
    expect(late.answer.workflow).toMatchObject({ id: 'late-flow' });
  });

  test('two clients with one token: one advances, both get the same answer', async () => {
    const at = place();
    const [a, b] = await Promise.all([connect(at), connect(at)]);
    const { answer } = await call(a, 'start_workflow', { workflowId: 'two-steps', goal: 'g' });
    const results = await Promise.all(
      [a, b].map((client, n) =>
        call(client, 'continue_workflow', { continueToken: answer.continueToken, notes: `client ${n}` }),
      ),
    );
    expect(results[0]).toEqual(results[1]);
  });

  test('wrong names and types are refused with a message, and the server continues', async () => {
    const client = await connect(place());
    const unknown = await call(client, 'no_such_tool');
    expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('no_such_tool')]);
    const wrong = await call(client, 'start_workflow', { workflowId: 7 });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toContain('workflowId');
    const misspelt = await call(client, 'start_workflow', { workflowId: 'two-steps', goal: 'g', gaol: 1 });
    expect(misspelt.text).toContain('gaol');
    const missing = await call(client, 'start_workflow', { workflowId: 'two-stpes', goal: 'g' });
    expect(JSON.parse(missing.text).error).toMatchObject({
      code: 'unknown-workflow',
      message: expect.stringContaining('two-steps'),
    });
    const token = await call(client, 'continue_workflow', { continueToken: 'ct_nonsense', notes: 'x' });
    expect(JSON.parse(token.text).error.code).toBe('TOKEN_INVALID_FORMAT');
    expect((await call(client, 'explain', { rule: 'S01' })).isError).toBe(false);
  });

  test('check reports whether two branches fit, with progress; a long result becomes a resource', async () => {
    const at = place();
    at.repository.branch('feat/a', {
      'a.ts': 'export function f(a: number, b: number): number { return a + b; }\n',
      'b.ts': "import { f } from './a.ts';\nexport const x = f(1, 2);\n",
    });
    at.repository.branch('feat/b', { 'c.ts': "import { f } from './a.ts';\nexport const y = f(2);\n" });
    const client = await connect(at);
    const messages: unknown[] = [];
    const result = await client.callTool(
      { name: 'check', arguments: { branches: ['feat/a', 'feat/b'] } },
      undefined,
      { onprogress: (progress) => messages.push(progress) },
    );
    expect(result.structuredContent).toMatchObject({ status: 'fail' });
    expect(messages.length).toBeGreaterThan(0);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('joinery://workflows');
    const all = await client.readResource({ uri: 'joinery://workflows/two-steps' });
    expect(JSON.parse((all.contents[0] as { text: string }).text).workflow.id).toBe('two-steps');
    const prompt = await client.getPrompt({
      name: 'start-workflow',
      arguments: { workflow: 'two-steps', goal: 'g' },
    });
    expect(JSON.stringify(prompt.messages)).toContain('start_workflow');
  });

  test('a call can be cancelled, and a client may die during one', async () => {
    const at = place();
    const client = await connect(at);
    const stop = new AbortController();
    const running = client.callTool({ name: 'check', arguments: {} }, undefined, { signal: stop.signal });
    stop.abort('enough');
    await expect(running).rejects.toThrow();
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    const child = spawn(process.execPath, [executable, 'mcp'], {
      cwd: at.repository.dir,
      env: at.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    const [line] = await new Promise<string[]>((resolve) =>
      child.stdout.once('data', (data: Buffer) => resolve(data.toString().split('\n'))),
    );
    // An unknown version is answered with one the server supports.
    expect(JSON.parse(line ?? '').result.protocolVersion).toMatch(/^20\d\d-\d\d-\d\d$/);
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'check', arguments: {} } });
    child.stdin.end();
    child.stdout.destroy();
    expect(await ended).not.toBe(null);
  });
});

describe('over HTTP', () => {
  test('needs the token, the right host and no foreign origin; several clients share a run', async () => {
    const at = place();
    const server = await serveHttp(
      { cwd: at.repository.dir, env: at.env, version: '0', warn: () => {}, mostBytes: 2000 },
      { port: 0 },
    );
    onTestFinished(() => server.close());
    const post = (headers: Record<string, string>) =>
      fetch(server.url, { method: 'POST', headers, body: '{}' }).then(({ status }) => status);
    expect(await post({})).toBe(401);
    expect(await post({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await post({ authorization: `Bearer ${server.token}`, origin: 'http://evil.example' })).toBe(403);
    const join = async () => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }) as never);
      onTestFinished(() => client.close());
      return client;
    };
    const [a, b] = await Promise.all([join(), join()]);
    const { answer } = await call(a, 'start_workflow', { workflowId: 'two-steps', goal: 'g' });
    const results = await Promise.all(
      [a, b].map((client) =>
        call(client, 'continue_workflow', { continueToken: answer.continueToken, notes: 'n' }),
      ),
    );
    expect(results[0]?.answer.nodeId).toBe(results[1]?.answer.nodeId);
    const long = await a.callTool({ name: 'explain', arguments: {} });
    const { resource } = long.structuredContent as { resource: string };
    const whole = await b.readResource({ uri: resource });
    expect(JSON.parse((whole.contents[0] as { text: string }).text).rules.length).toBeGreaterThan(10);
  });

  test('a port in use is reported as such', async () => {
    const at = place();
    const options = { cwd: at.repository.dir, env: at.env, version: '0', warn: () => {} };
    const server = await serveHttp(options, { port: 0 });
    onTestFinished(() => server.close());
    const port = Number(new URL(server.url).port);
    await expect(serveHttp(options, { port })).rejects.toMatchObject({ code: 'cannot-listen', exitCode: 5 });
  });

  test('a client that disappeared makes room for a new one; one that listens stays', async () => {
    const at = place();
    const server = await serveHttp(
      { cwd: at.repository.dir, env: at.env, version: '0', warn: () => {} },
      { port: 0, mostClients: 2 },
    );
    onTestFinished(() => server.close());
    const headers = {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const join = async () => {
      const answer = await fetch(server.url, { method: 'POST', headers, body });
      await answer.text();
      return { status: answer.status, id: answer.headers.get('mcp-session-id') ?? '' };
    };
    const listen = (id: string) =>
      fetch(server.url, { headers: { ...headers, 'mcp-session-id': id } }).then((answer) => {
        onTestFinished(() => answer.body?.cancel());
        return answer.status;
      });
    const first = await join();
    expect(await listen(first.id)).toBe(200);
    const killed = await join();
    const third = await join();
    expect(third.status).toBe(200);
    expect([await listen(killed.id), await listen(third.id)]).toEqual([404, 200]);
    expect((await join()).status).toBe(503);
  });
});
