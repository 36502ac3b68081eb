import { z } from 'zod';
import type { AgentEnd, AgentEvent } from '#agents/driver.ts';
import type { StreamReader } from '#agents/stream/command-line.ts';
import { UsageMeter } from '#agents/stream/usage-meter.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { Usage } from '#schema/run.ts';

const count = z.number().nullish().catch(0);

const ApiUsage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .partial();
type ApiUsage = z.infer<typeof ApiUsage>;

const ModelUsage = z.record(
  z.string(),
  z
    .object({
      inputTokens: count,
      outputTokens: count,
      cacheReadInputTokens: count,
      cacheCreationInputTokens: count,
      thinkingTokens: count,
      costUSD: count,
    })
    .partial(),
);

const text = z.string().catch('');

/** The lines of `--output-format stream-json` that Joinery uses; other fields are ignored. */
const Line = z.union([
  z.object({
    type: z.literal('system'),
    subtype: z.literal('init'),
    session_id: z.string(),
    model: z.string().nullish(),
    claude_code_version: z.string().nullish(),
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    retry_delay_ms: count,
    error_status: z.number().nullish(),
    error: text,
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('permission_denied'),
    tool_name: text,
    message: text,
  }),
  z.object({
    type: z.literal('stream_event'),
    api_message_id: z.string().nullish(),
    event: z.union([
      z.object({ type: z.literal('message_start'), message: z.object({ usage: ApiUsage.nullish() }) }),
      z.object({ type: z.literal('message_delta'), usage: ApiUsage.nullish() }),
      z.object({ type: z.literal('message_stop') }),
    ]),
  }),
  z.object({
    type: z.literal('assistant'),
    parent_tool_use_id: z.string().nullish(),
    message: z.object({
      id: z.string().nullish().catch(null),
      usage: ApiUsage.nullish().catch(null),
      content: z.array(
        z.union([
          z.object({ type: z.literal('text'), text: z.string() }),
          z.object({
            type: z.literal('tool_use'),
            id: z.string(),
            name: z.string(),
            input: z.record(z.string(), z.unknown()).catch({}),
          }),
          z.object({ type: z.string() }),
        ]),
      ),
    }),
  }),
  z.object({
    type: z.literal('user'),
    message: z.object({
      content: z.array(
        z.union([
          z.object({ type: z.literal('tool_result'), tool_use_id: z.string() }),
          z.object({ type: z.string() }),
        ]),
      ),
    }),
  }),
  z.object({
    type: z.literal('result'),
    subtype: text,
    is_error: z.boolean().catch(false),
    terminal_reason: z.string().nullish(),
    result: z.string().nullish(),
    api_error_status: z.number().nullish(),
    errors: z.array(z.string()).nullish().catch(null),
    usage: ApiUsage.nullish(),
    model_usage_since_last_result: ModelUsage.nullish(),
  }),
]);
type Line = z.infer<typeof Line>;
type Result = Extract<Line, { type: 'result' }>;

/** Reads the output of `claude -p --output-format stream-json --include-partial-messages`. */
export class ClaudeReader implements StreamReader {
  session: string | null = null;
  lastText = '';
  end: AgentEnd | null = null;
  readonly #meter = new UsageMeter();
  /** Answers that are being streamed, including those of sub-agents. Their price is known when they have ended. */
  readonly #answers = new Map<string, ApiUsage>();
  /** Answers already counted; an answer with several parts arrives in several lines. */
  readonly #heard = new Set<string>();

  /** Pieces of an answer; the complete answer follows. */
  isChatter(line: string): boolean {
    return line.startsWith('{"type":"stream_event","event":{"type":"content_block_');
  }

  read(line: string): AgentEvent[] {
    const parsed = Line.safeParse(parseJson(line));
    return parsed.success ? this.#understand(parsed.data) : [];
  }

  /** The input of an unfinished answer is charged too. A program that exited by itself has reported the total. */
  rest(): AgentEvent[] {
    if (this.end !== null) return [];
    return [...this.#answers.values()].flatMap((answer) => this.#meter.add(usageOf(answer)));
  }

  #understand(line: Line): AgentEvent[] {
    switch (line.type) {
      case 'system':
        return this.#system(line);
      case 'stream_event':
        return this.#stream(line.event, line.api_message_id ?? '');
      case 'assistant':
        return [
          ...this.#subAgent(line),
          ...line.message.content.flatMap((block) => this.#block(block, line.parent_tool_use_id ?? null)),
        ];
      case 'user':
        return line.message.content.flatMap((block) =>
          'tool_use_id' in block
            ? [{ type: 'tool', tool: '', detail: '', status: 'ended', call: block.tool_use_id } as const]
            : [],
        );
      case 'result':
        this.end = endOf(line);
        if (line.result) this.lastText = line.result;
        return this.#meter.settle(totalOf(line));
    }
  }

  #system(line: Extract<Line, { type: 'system' }>): AgentEvent[] {
    switch (line.subtype) {
      case 'init':
        // A resumed conversation sends its start line again.
        this.session = line.session_id;
        return [
          {
            type: 'started',
            session: line.session_id,
            version: line.claude_code_version ?? null,
            model: line.model ?? null,
          },
        ];
      case 'api_retry': {
        const status = line.error_status ? `HTTP ${line.error_status} ` : '';
        return [
          {
            type: 'retry',
            reason: `${status}${line.error}`.trim(),
            waitMs: line.retry_delay_ms ?? null,
            ...(line.error_status === 401 ? { isLoginRefused: true } : {}),
          },
        ];
      }
      case 'permission_denied':
        return [{ type: 'permission', tool: line.tool_name, detail: line.message, decision: 'denied' }];
    }
  }

  #stream(event: Extract<Line, { type: 'stream_event' }>['event'], id: string): AgentEvent[] {
    const answer = this.#answers.get(id) ?? {};
    switch (event.type) {
      case 'message_start':
        this.#answers.set(id, { ...event.message.usage });
        return [];
      case 'message_delta': {
        // Takes only the counts this line has: the output tokens, sometimes all of them.
        const known = Object.entries(event.usage ?? {}).filter(([, value]) => typeof value === 'number');
        this.#answers.set(id, { ...answer, ...Object.fromEntries(known) });
        return [];
      }
      case 'message_stop':
        this.#answers.delete(id);
        this.#heard.add(id);
        return [...this.#meter.add(usageOf(answer)), { type: 'turn' }];
    }
  }

  /**
   * Answers of a sub-agent are not streamed, so each counts when its first line arrives: its input exactly, its output only
   * as far as the line reports it. The total at the end adds the rest.
   */
  #subAgent({ parent_tool_use_id: parent, message }: Extract<Line, { type: 'assistant' }>): AgentEvent[] {
    const { id, usage } = message;
    if (!parent || !id || this.#heard.has(id) || this.#answers.has(id)) return [];
    this.#heard.add(id);
    return [...this.#meter.add(usageOf(usage ?? {})), { type: 'turn' }];
  }

  #block(
    block: Extract<Line, { type: 'assistant' }>['message']['content'][number],
    parent: string | null,
  ): AgentEvent[] {
    if ('input' in block) {
      const detail = describeInput(block.input);
      return [{ type: 'tool', tool: block.name, detail, status: 'begun', call: block.id }];
    }
    if (!('text' in block) || parent !== null) return [];
    this.lastText = block.text;
    return [{ type: 'text', text: block.text }];
  }
}

function endOf(result: Result): AgentEnd {
  const said = (result.errors?.[0] ?? result.result ?? '').split('\n')[0] ?? '';
  switch (result.subtype) {
    case 'error_max_turns':
      return { outcome: 'limit', reason: 'it took as many turns as it may' };
    case 'error_max_budget_usd':
      return { outcome: 'limit', reason: 'it spent as much as it may' };
    case 'success':
      // A permanent API failure still ends in "success", with an error flag beside it.
      return result.is_error ? { outcome: 'api_error', reason: said } : { outcome: 'ok', reason: '' };
    default:
      return { outcome: 'crashed', reason: said === '' ? result.subtype : said };
  }
}

/** All models of this run, including side requests and sub-agents. */
function totalOf(result: Result): Usage {
  const models = Object.values(result.model_usage_since_last_result ?? {});
  if (models.length === 0) return usageOf(result.usage ?? {});
  const sum = (key: keyof (typeof models)[number]) =>
    models.reduce((total, model) => total + (model[key] ?? 0), 0);
  const [cached, written] = [sum('cacheReadInputTokens'), sum('cacheCreationInputTokens')];
  return {
    in: sum('inputTokens') + cached + written,
    out: sum('outputTokens'),
    usd: sum('costUSD'),
    cached,
    written,
    reasoning: sum('thinkingTokens'),
  };
}

function usageOf(usage: ApiUsage): Usage {
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    in: (usage.input_tokens ?? 0) + cached + written,
    out: usage.output_tokens ?? 0,
    usd: 0,
    cached,
    written,
  };
}

/** The one field of a tool's input worth showing. */
function describeInput(input: Readonly<Record<string, unknown>>): string {
  const keys = ['file_path', 'notebook_path', 'command', 'pattern', 'path', 'url', 'query', 'description'];
  const found = keys.map((key) => input[key]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? (found.split('\n')[0] ?? '') : '';
}
