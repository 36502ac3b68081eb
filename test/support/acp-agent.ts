/**
 * A real agent process that speaks ACP on its streams and follows a script, good or bad. Argument: JSON of `AcpScript`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

export type AcpAction =
  | { readonly say: string }
  | { readonly think: string }
  /** Asks first, unless `isUnasked`. Without a kind it does not say what it is about to do. */
  | {
      readonly write: string;
      readonly content?: string;
      readonly kind?: string;
      readonly isUnasked?: boolean;
    }
  | {
      readonly ask: string;
      readonly options?: readonly string[];
      readonly locations?: readonly string[];
      readonly diffs?: readonly string[];
    }
  /** Announces the tool that `ask` asks for. */
  | { readonly announce: object }
  /** A request from the agent to Joinery. */
  | { readonly request: string; readonly params?: object }
  /** Submits the example of its prompt, with these files. */
  | { readonly handoff: readonly string[] }
  | { readonly cost: number }
  | { readonly chunkUsage: object }
  | { readonly sleepMs: number }
  | { readonly raw: string }
  | { readonly flood: number }
  /** A process that outlives the agent. */
  | { readonly leave: readonly string[] }
  /** Kills its guard; with a file, only if that exists, and then deletes it. */
  | { readonly killGuard: string | null }
  | { readonly stderr: string }
  | { readonly exit: number }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly stop: string; readonly usage?: object; readonly meta?: object };

export interface AcpScript {
  readonly hello?: object;
  readonly session?: object;
  readonly sessionError?: { readonly code: number; readonly message: string };
  /** What it does at the first prompt, the second prompt… */
  readonly prompts?: readonly (readonly AcpAction[])[];
  readonly ignoresCancel?: boolean;
  readonly ignoresEnd?: boolean;
}

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown };

const script = JSON.parse(process.argv.at(-1) ?? '{}') as AcpScript;
const open = new Map<number, (message: Message) => void>();
const seen: Message[] = [];
let lastId = 1000;
let prompts = 0;
let asked = '';
let cwd = process.cwd();
let isCancelled = false;
let wake: () => void = () => {};

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function update(data: object): void {
  send({ method: 'session/update', params: { sessionId: 's1', update: data } });
}

function call(method: string, params: object): Promise<Message> {
  const id = ++lastId;
  send({ id, method, params });
  return new Promise((resolve) => open.set(id, resolve));
}

async function isAllowed(
  id: string,
  title: string,
  kind: string | undefined,
  locations: readonly string[],
  diffs: readonly string[] = [],
): Promise<boolean> {
  const { result } = await call('session/request_permission', {
    sessionId: 's1',
    toolCall: {
      toolCallId: id,
      title,
      ...(kind === undefined ? {} : { kind }),
      status: 'pending',
      ...(locations.length === 0
        ? {}
        : { locations: locations.map((path) => ({ path: resolve(cwd, path) })) }),
      content: [
        { type: 'content', content: { type: 'text', text: 'what I do' } },
        ...diffs.map((path) => ({ type: 'diff', path: resolve(cwd, path), oldText: null, newText: 'x' })),
      ],
    },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  const { outcome } = result as { outcome: { outcome: string; optionId?: string } };
  update({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: `[${outcome.optionId ?? outcome.outcome}]` },
  });
  return outcome.optionId === 'once' || outcome.optionId === 'always';
}

/** Null while there is more to do; otherwise the answer to the prompt. */
async function perform(action: AcpAction): Promise<object | null> {
  if ('say' in action)
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: action.say } });
  else if ('think' in action)
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: action.think } });
  else if ('write' in action) {
    const kind = action.kind ?? 'edit';
    if (
      action.isUnasked ||
      (await isAllowed(`w-${action.write}`, `write ${action.write}`, kind, [action.write]))
    ) {
      const file = resolve(cwd, action.write);
      const call = { toolCallId: `w-${action.write}`, title: `write ${action.write}`, kind };
      update({ sessionUpdate: 'tool_call', status: 'in_progress', ...call });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, action.content ?? 'written by the agent\n');
      update({ sessionUpdate: 'tool_call_update', status: 'completed', ...call });
    }
  } else if ('ask' in action)
    await isAllowed('ask', action.ask, action.options?.[0], action.locations ?? [], action.diffs);
  else if ('announce' in action)
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 'ask',
      title: 'x',
      status: 'pending',
      ...action.announce,
    });
  else if ('request' in action) {
    const answer = await call(action.request, { sessionId: 's1', ...action.params });
    const text = `[${JSON.stringify((answer as { error?: { code: number } }).error?.code ?? answer.result)}]`;
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  } else if ('handoff' in action) {
    const example = JSON.parse(/```handoff\n([\s\S]*?)\n```/.exec(asked)?.[1] ?? '{}') as object;
    const claim = JSON.stringify({ ...example, files: action.handoff });
    const text = `Done.\n\n\`\`\`handoff\n${claim}\n\`\`\`\n`;
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  } else if ('cost' in action)
    update({
      sessionUpdate: 'usage_update',
      used: 1,
      size: 2,
      cost: { amount: action.cost, currency: 'USD' },
    });
  else if ('chunkUsage' in action)
    update({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: '' },
      _meta: { usage: action.chunkUsage },
    });
  else if ('sleepMs' in action)
    await Promise.race([
      wait(action.sleepMs),
      new Promise<void>((done) => {
        wake = done;
      }),
    ]);
  else if ('raw' in action) process.stdout.write(action.raw);
  else if ('flood' in action) process.stdout.write('x'.repeat(action.flood));
  else if ('leave' in action) {
    const [program = '', ...args] = action.leave;
    spawn(program, args, { detached: true, stdio: 'ignore' }).unref();
  } else if ('killGuard' in action) await killGuard(action.killGuard);
  else if ('stderr' in action) process.stderr.write(action.stderr);
  else if ('exit' in action) process.exit(action.exit);
  else if ('error' in action) return { error: action.error };
  else
    return {
      result: {
        stopReason: action.stop,
        ...(action.usage ? { usage: action.usage } : {}),
        ...(action.meta ? { _meta: action.meta } : {}),
      },
    };
  return null;
}

async function prompt(id: number): Promise<void> {
  for (const action of script.prompts?.[prompts++] ?? []) {
    const answer = await perform(action);
    if (answer) return send({ id, ...answer });
    if (isCancelled) return send({ id, result: { stopReason: 'cancelled' } });
  }
  send({ id, result: { stopReason: 'end_turn' } });
}

function take(message: Message): void {
  seen.push(message);
  const { id, method, params } = message;
  if (method === undefined) open.get(id ?? 0)?.(message);
  else if (method === 'session/cancel') {
    if (script.ignoresCancel) return;
    isCancelled = true;
    wake();
  } else if (method === 'initialize')
    send({ id, result: { protocolVersion: 1, agentCapabilities: {}, ...script.hello } });
  else if (method === 'session/prompt') {
    asked = ((params?.prompt ?? []) as { text: string }[]).map(({ text }) => text).join('\n');
    void prompt(id ?? 0);
  } else if (script.sessionError && method.startsWith('session/')) send({ id, error: script.sessionError });
  else {
    if (typeof params?.cwd === 'string') cwd = params.cwd;
    send({ id, result: method.startsWith('session/set') ? {} : { sessionId: 's1', ...script.session } });
  }
  // For tests that check which messages it received.
  if (process.env.ACP_SEEN) writeFileSync(process.env.ACP_SEEN, JSON.stringify(seen));
}

createInterface({ input: process.stdin })
  .on('line', (line) => take(JSON.parse(line) as Message))
  .on('close', () => {
    if (script.ignoresEnd) setInterval(() => {}, 1000);
    else process.exit(0);
  });

async function killGuard(once: string | null): Promise<void> {
  if (once !== null && !existsSync(once)) return;
  if (once !== null) rmSync(once);
  let pid = process.ppid;
  while (pid > 1 && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guard.js'))
    pid = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  process.kill(pid, 'SIGKILL');
  await wait(60_000);
}
