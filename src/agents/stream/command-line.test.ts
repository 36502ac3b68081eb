import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEnd, AgentEvent, AgentRequest, HandoffAnswer } from '#agents/driver.ts';
import { findProcesses } from '#process/sweep.js';
import { agentRequest } from '#test/support/agent-request.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { incidentsOf, playCommandLine, type StreamReader, spentInTraces } from './command-line.ts';

/** Understands `say <text>`, `spend <tokens>`, `end <outcome>` and `session <id>`. */
class PlainReader implements StreamReader {
  session: string | null = null;
  lastText = '';
  end: AgentEnd | null = null;

  isChatter(line: string): boolean {
    return line === '.';
  }

  read(line: string): AgentEvent[] {
    const [word, ...rest] = line.split(' ');
    const text = rest.join(' ').replaceAll('\\n', '\n');
    if (word === 'session') this.session = text;
    if (word === 'say') this.lastText = text;
    if (word === 'end') this.end = { outcome: text as AgentEnd['outcome'], reason: '' };
    if (word === 'spend') return [{ type: 'usage', usage: { in: Number(text), out: 0, usd: 0 } }];
    return word === 'say' ? [{ type: 'text', text }] : [];
  }
}

async function play(
  script: string,
  { answers = [], ...wanted }: Partial<AgentRequest> & { answers?: readonly HandoffAnswer[] } = {},
) {
  const cwd = temporaryFolder();
  const events: AgentEvent[] = [];
  const handoffs: unknown[] = [];
  const scratch = join(cwd, 'scratch');
  const request = agentRequest({ cwd, scratch, prompt: 'the prompt', ...wanted });
  const end = await playCommandLine(
    (session) => ({
      argv: ['sh', '-c', script, 'sh', session ?? ''],
      env: { PATH: process.env.PATH ?? '' },
      box: null,
      reader: new PlainReader(),
      note: { session },
    }),
    request,
    {
      report: (event) => events.push(event),
      submit: (raw) => {
        handoffs.push(raw);
        return answers[handoffs.length - 1] ?? { accepted: true };
      },
      hasChanged: async () => true,
    },
  );
  return { cwd, scratch, end, events, handoffs };
}

const refused = { accepted: false, text: 'not like this', isFinal: false } as const;
const block = (content: string) => `printf '%s\n' 'say Done.\\n\`\`\`handoff\\n${content}\\n\`\`\`'`;

describe('a program that prints lines', () => {
  test('gets its prompt as input and hands in a block of its last message', async () => {
    const { cwd, end, handoffs } = await play(`cat > prompt.txt; ${block('{}')}; echo end ok`);
    expect(readFileSync(join(cwd, 'prompt.txt'), 'utf8')).toBe('the prompt');
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(handoffs).toEqual(['{}\n']);
  });

  test.each([
    ['somebody who escaped holds its output', "env -i setsid sleep 20 & sleep 0.3; echo 'end ok'", 'ok'],
    ['one line never ends', `head -c ${70 * 2 ** 20} /dev/zero; sleep 20`, 'crashed'],
  ])('ends even when %s', async (_what, script, outcome) => {
    const began = performance.now();
    const { end } = await play(script);
    expect(end.outcome).toBe(outcome);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test('that deletes the folder of its output has still done its work', async () => {
    const { end, events } = await play("rm -rf scratch; echo 'say hi'; echo 'spend 7'; echo 'end ok'");
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(events).toMatchObject([{ type: 'text', text: 'hi' }, { usage: { in: 7 } }]);
  });

  test('is asked again in its own session, once', async () => {
    const script = `cat >> prompts.txt; echo "$1" >> sessions.txt; echo session s1; ${block('x')}; echo end ok`;
    const { cwd, end, handoffs } = await play(script, { answers: [refused, { ...refused, isFinal: true }] });
    expect(end.outcome).toBe('ok');
    expect(handoffs).toHaveLength(2);
    expect(readFileSync(join(cwd, 'sessions.txt'), 'utf8')).toBe('\ns1\n');
    expect(readFileSync(join(cwd, 'prompts.txt'), 'utf8')).toContain('not like this');
  });

  test('whose second try fails has still done its work', async () => {
    const script = '[ -n "$1" ] && exit 9; echo session s1; echo end ok';
    const { end, handoffs } = await play(script, { answers: [refused] });
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(handoffs).toEqual([undefined]);
  });

  test.each([
    ['without a last word', 'echo say hi; echo trouble >&2; exit 0', /exit code 0 without a result: trouble/],
    ['with an exit that contradicts it', 'echo end ok; exit 3', /exit code 3 although it reported success/],
    ['by a signal', 'kill -9 $$', /ended by SIGKILL without a result/],
  ])('that ends %s has crashed', async (_, script, reason) => {
    const { end } = await play(script);
    expect(end).toEqual({ outcome: 'crashed', reason: expect.stringMatching(reason) });
  });

  test('that does not exit after its last message is ended, and has done its work', async () => {
    const limits = { wallMs: 60_000, inactivityMs: 800, turns: null, tokens: null, usd: null };
    const { end, events } = await play('echo end ok; sleep 1000', { limits });
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(events).toMatchObject([{ type: 'incident', kind: 'left-processes' }]);
  });

  test('that is cancelled ends as cancelled, whatever it said', async () => {
    const stop = new AbortController();
    const playing = play('echo end ok; sleep 1000', { signal: stop.signal });
    setTimeout(() => stop.abort(), 300);
    expect((await playing).end.outcome).toBe('cancelled');
    expect((await play('echo end ok', { signal: stop.signal })).end.outcome).toBe('cancelled');
  });

  test('shows by chatter that it is alive, and the chatter is not kept', async () => {
    const { events, scratch } = await play('for n in $(seq 1000); do echo .; done; echo say hi; echo end ok');
    expect(events.filter(({ type }) => type === 'alive').length).toBeGreaterThan(0);
    expect(events.length).toBeLessThan(100);
    expect(readFileSync(join(scratch, 'turn-1.jsonl'), 'utf8')).toBe('{"session":null}\nsay hi\nend ok\n');
  });
});

test.each([
  ['a line cannot be understood', 'echo say hi; echo refuse; echo say more; sleep 1000', {}],
  ['the last line, which has no end, cannot be understood', 'printf refuse', {}],
  ['nothing can be started', 'touch started', { note: 1n }],
])(
  'when %s, the error is reported, and neither the program nor its trace stays open',
  async (_, script, note) => {
    const cwd = temporaryFolder();
    const said: string[] = [];
    class Refusing extends PlainReader {
      override read(line: string): AgentEvent[] {
        if (line === 'refuse') throw new TypeError('not like this');
        return super.read(line);
      }
    }
    const mark = `test-${process.pid}-refusing/a/1`;
    const playing = playCommandLine(
      () => ({
        argv: ['sh', '-c', script],
        env: { PATH: process.env.PATH ?? '' },
        box: null,
        reader: new Refusing(),
        note,
      }),
      agentRequest({ cwd, scratch: cwd, mark }),
      {
        report: (event) => event.type === 'text' && said.push(event.text),
        submit: () => ({ accepted: true }),
        hasChanged: async () => true,
      },
    );
    await expect(playing).rejects.toThrow(TypeError);
    expect(said).not.toContain('more');
    expect(existsSync(join(cwd, 'started'))).toBe(false);
    expect(findProcesses({ root: null, mark })).toEqual([]);
    if (process.platform === 'linux') expect(openFiles()).not.toContain(join(cwd, 'turn-1.jsonl'));
  },
);

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

test('a process that cannot be ended was left behind; signalling the guard is an attack', () => {
  const exit = { how: 'exited', code: 0, signal: null, leftovers: [] } as const;
  const survivors = [{ pid: 7, name: 'stuck' }];
  expect(incidentsOf({ ...exit, survivors, cpuMs: null, incidents: ['its guard got SIGTERM'] })).toEqual([
    {
      type: 'incident',
      kind: 'left-processes',
      detail: 'process 7 (stuck) was left running and cannot be ended',
    },
    { type: 'incident', kind: 'attacked-guard', detail: 'its guard got SIGTERM' },
  ]);
});

test('the spending of a program is recomputed from its traces, without a half line', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'turn-1.jsonl'), '{}\nspend 10\nend ok\n');
  writeFileSync(join(folder, 'turn-2.jsonl'), '{}\nspend 5\nspend 7');
  expect(spentInTraces(folder, () => new PlainReader())).toEqual({ in: 15, out: 0, usd: 0 });
  writeFileSync(join(folder, 'turn-3.jsonl'), '');
  const asked: boolean[] = [];
  const readerFor = (_: object, isLast: boolean) => {
    asked.push(isLast);
    return Object.assign(new PlainReader(), {
      rest: () => [{ type: 'usage', usage: { in: 1, out: 0, usd: 0 } }],
    });
  };
  expect(spentInTraces(folder, readerFor as () => StreamReader)).toEqual({ in: 17, out: 0, usd: 0 });
  expect(asked).toEqual([false, true]);
  expect(spentInTraces(join(folder, 'nowhere'), () => new PlainReader())).toBeNull();
});
