import type { AgentEvent } from '#agents/driver.ts';
import type { SessionUpdate } from './protocol.ts';

const flushLength = 4_000;
const flushMs = 2_000;
/** Text without a line end is reported at this length. */
const longestLine = 50_000;
/** A handoff is at the end of the output; the rest is not needed. */
const keptLength = 256 * 1024;
/** No real agent uses more tools at a time; this bounds an agent that announces tools without end. */
const mostTools = 1000;

/**
 * Turns an agent's stream into events worth keeping: pieces of text become paragraphs, the states of a tool its start and
 * its end; an answer of the model ends where the next one begins.
 */
export class Transcript {
  readonly #report: (event: AgentEvent) => void;
  readonly #now: () => number;
  readonly #openTools = new Map<string, string>();
  #pending = '';
  #flushedAt: number;
  #isAnswering = false;
  #hasToolEnded = false;
  /** What the agent said since the last prompt; only the end of a long text. */
  said = '';
  toolCount = 0;

  constructor(report: (event: AgentEvent) => void, now: () => number = Date.now) {
    this.#report = report;
    this.#now = now;
    this.#flushedAt = now();
  }

  add(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#hear(update.content?.text ?? '');
        break;
      case 'agent_thought_chunk':
        this.#beginAnswer();
        this.#report({ type: 'alive' });
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#see(update);
        break;
      case 'usage_update':
        break;
      default:
        update satisfies never;
    }
  }

  /** The agent asks permission for a tool; some agents announce a tool in no other way. */
  expect(call: string, title: string, detail: string): void {
    this.#begin(call, title, detail);
  }

  /** The agent has finished its answer to the prompt. */
  end(): void {
    this.flush();
    for (const [call, tool] of this.#openTools)
      this.#report({ type: 'tool', tool, detail: '', status: 'ended', call });
    this.#openTools.clear();
    if (this.#isAnswering) this.#report({ type: 'turn' });
    this.#isAnswering = false;
    this.#hasToolEnded = false;
  }

  flush(): void {
    if (this.#pending.trim() !== '') this.#report({ type: 'text', text: this.#pending.trimEnd() });
    this.#pending = '';
    this.#flushedAt = this.#now();
  }

  /** Whole lines only: redaction must see a secret in one piece. */
  #flushLines(): void {
    const end = this.#pending.lastIndexOf('\n') + 1;
    const rest = this.#pending.slice(end);
    this.#pending = this.#pending.slice(0, end);
    this.flush();
    this.#pending = rest;
  }

  #hear(text: string): void {
    if (text === '') return;
    this.#beginAnswer();
    this.said = (this.said + text).slice(-keptLength);
    this.#pending += text;
    const isDue = this.#pending.length >= flushLength || this.#now() - this.#flushedAt >= flushMs;
    if (this.#pending.length >= longestLine) this.flush();
    else if (isDue && text.includes('\n')) this.#flushLines();
    else if (isDue) this.#report({ type: 'alive' });
  }

  #see({ toolCallId, kind, title, status, locations }: ToolUpdate): void {
    const isOver = status === 'completed' || status === 'failed';
    if (!this.#openTools.has(toolCallId) && (!isOver || kind !== undefined))
      this.#begin(toolCallId, kind ?? 'tool', title ?? locations?.[0]?.path ?? '');
    const tool = this.#openTools.get(toolCallId);
    if (!isOver || tool === undefined) return;
    this.flush();
    this.#openTools.delete(toolCallId);
    this.#hasToolEnded = true;
    this.#report({ type: 'tool', tool, detail: title ?? '', status: 'ended', call: toolCallId });
  }

  #begin(call: string, tool: string, detail: string): void {
    if (this.#openTools.has(call) || this.#openTools.size >= mostTools) return;
    this.#beginAnswer();
    this.flush();
    this.toolCount += 1;
    this.#openTools.set(call, tool);
    this.#report({ type: 'tool', tool, detail, status: 'begun', call });
  }

  /** Anything new after a tool has ended is the next answer of the model. */
  #beginAnswer(): void {
    if (this.#isAnswering && this.#hasToolEnded && this.#openTools.size === 0) this.#report({ type: 'turn' });
    if (this.#openTools.size === 0) this.#hasToolEnded = false;
    this.#isAnswering = true;
  }
}

type ToolUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>;
