import { z } from 'zod';
import type { AgentEnd, AgentEvent } from '#agents/driver.ts';
import type { StreamReader } from '#agents/stream/command-line.ts';
import { UsageMeter } from '#agents/stream/usage-meter.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { Usage } from '#schema/run.ts';
import { type Rollout, TokenUsage } from './rollout.ts';

const text = z.string().catch('');

const Item = z.union([
  z.object({ id: z.string(), type: z.literal('agent_message'), text }),
  z.object({
    id: z.string(),
    type: z.literal('command_execution'),
    command: text,
    aggregated_output: text,
    status: text,
  }),
  z.object({
    id: z.string(),
    type: z.literal('file_change'),
    changes: z.array(z.object({ path: text })).catch([]),
    status: text,
  }),
  z.object({ id: z.string(), type: z.literal('mcp_tool_call'), server: text, tool: text, status: text }),
  z.object({ id: z.string(), type: z.literal('web_search'), query: text }),
]);
type Item = z.infer<typeof Item>;

/** The lines of `codex exec --json` that Joinery uses. An item of type "error" is only a warning: it is ignored. */
const Line = z.union([
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.enum(['item.started', 'item.completed']), item: Item }),
  z.object({ type: z.literal('turn.completed'), usage: TokenUsage.nullish() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: text }).catch({ message: '' }) }),
  z.object({ type: z.literal('error'), message: text }),
]);

/** A sandbox refusal in the output; the command itself may have exited with 0. */
const refusal = /read-only file system|operation not permitted|permission denied/i;

export interface CodexFacts {
  readonly version: string | null;
  readonly model: string | null;
  /** Cost of the conversation before this attempt: Codex's totals include it. */
  readonly before: Usage;
  /** Codex's rollout file of the conversation, which counts every answer. */
  readonly rollout: (thread: string) => Rollout | null;
}

/** Reads the output of `codex exec --json` and the rollout file. */
export class CodexReader implements StreamReader {
  session: string | null = null;
  lastText = '';
  end: AgentEnd | null = null;
  readonly #facts: CodexFacts;
  readonly #meter = new UsageMeter();
  #rollout: Rollout | null = null;
  #reconnecting = '';
  /** From the rollout file: the requested model, or the one Codex chose. */
  #model: string | null = null;

  constructor(facts: CodexFacts) {
    this.#facts = facts;
    this.#meter.add(facts.before);
  }

  read(line: string): AgentEvent[] {
    const parsed = Line.safeParse(parseJson(line));
    if (!parsed.success) return [];
    const { data } = parsed;
    switch (data.type) {
      case 'thread.started': {
        const { version, model } = this.#facts;
        this.session = data.thread_id;
        return [{ type: 'started', session: data.thread_id, version, model }];
      }
      case 'item.started':
      case 'item.completed':
        return this.#item(data.item, data.type === 'item.completed');
      case 'turn.completed':
        this.end = { outcome: 'ok', reason: '' };
        // The rollout first: it reports single answers.
        return [
          ...this.poll(),
          ...(data.usage ? this.#meter.settle(usageOf(data.usage)) : []).map((event) => this.#named(event)),
        ];
      case 'turn.failed':
        this.end = { outcome: 'api_error', reason: data.error.message || this.#reconnecting };
        return [];
      case 'error':
        this.#reconnecting = data.message;
        return [{ type: 'retry', reason: data.message, waitMs: null }];
    }
  }

  poll(): AgentEvent[] {
    if (this.session === null) return [];
    this.#rollout ??= this.#facts.rollout(this.session);
    return (this.#rollout?.news() ?? []).flatMap((news): AgentEvent[] => {
      if ('refused' in news) return denial('file change', news.refused, true);
      if ('model' in news) {
        this.#model = news.model;
        return [];
      }
      const spent = this.#meter.settle(usageOf(news.total)).map((event) => this.#named(event));
      return spent.length > 0 ? [...spent, { type: 'turn' }] : [];
    });
  }

  /** Adds the model, so that the tokens get its price. */
  #named(event: AgentEvent): AgentEvent {
    if (event.type !== 'usage' || this.#model === null || this.#model === this.#facts.model) return event;
    return { ...event, usage: { ...event.usage, model: this.#model } };
  }

  #item(item: Item, isDone: boolean): AgentEvent[] {
    switch (item.type) {
      case 'agent_message':
        if (!isDone) return [];
        this.lastText = item.text;
        return [{ type: 'text', text: item.text }];
      case 'command_execution': {
        const detail = item.command.split('\n')[0] ?? '';
        const isRefused = isDone && (item.status === 'declined' || refusal.test(item.aggregated_output));
        return [...tool('command', detail, item.id, isDone), ...denial('command', detail, isRefused)];
      }
      case 'file_change': {
        const detail = item.changes.map(({ path }) => path).join(', ');
        const isRefused = isDone && (item.status === 'failed' || item.status === 'declined');
        return [...tool('file change', detail, item.id, isDone), ...denial('file change', detail, isRefused)];
      }
      case 'mcp_tool_call':
        return tool(`mcp ${item.server}`, item.tool, item.id, isDone);
      case 'web_search':
        return tool('web search', item.query, item.id, isDone);
    }
  }
}

function tool(name: string, detail: string, call: string, isDone: boolean): AgentEvent[] {
  return [{ type: 'tool', tool: name, detail, status: isDone ? 'ended' : 'begun', call }];
}

function denial(name: string, detail: string, isRefused: boolean): AgentEvent[] {
  return isRefused ? [{ type: 'permission', tool: name, detail, decision: 'denied' }] : [];
}

function usageOf(usage: TokenUsage): Usage {
  return {
    in: usage.input_tokens,
    out: usage.output_tokens,
    usd: 0,
    cached: usage.cached_input_tokens,
    written: usage.cache_write_input_tokens,
    reasoning: usage.reasoning_output_tokens,
  };
}
