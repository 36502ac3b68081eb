/**
 * A real agent process that speaks ACP and asks a model: it sends the model its prompt, every file in its folder and all its
 * variables, and returns the model's answer. Last argument: address of the model server.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly cwd?: string; readonly prompt?: readonly { readonly text: string }[] };
}

const server = process.argv.at(-1) ?? '';
let cwd = process.cwd();

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => `FILE ${path}\n${readFileSync(path, 'utf8')}`);
}

async function ask(prompt: string): Promise<string> {
  const seen = [...filesBelow(cwd), `VARIABLES ${JSON.stringify(process.env)}`];
  const response = await fetch(`${server}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'test-model',
      messages: [{ role: 'user', content: [prompt, ...seen].join('\n') }],
      tools: [{ function: { name: 'read' } }],
    }),
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as Message;
    if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    else if (method === 'session/prompt') {
      void ask((params?.prompt ?? []).map(({ text }) => text).join('\n')).then((text) => {
        const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
        send({ method: 'session/update', params: { sessionId: 's1', update } });
        send({ id, result: { stopReason: 'end_turn' } });
      });
    } else if (id !== undefined) {
      cwd = params?.cwd ?? cwd;
      send({ id, result: method?.startsWith('session/set') ? {} : { sessionId: 's1' } });
    }
  })
  .on('close', () => process.exit(0));
