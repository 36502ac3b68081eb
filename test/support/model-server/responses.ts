import { type Body, list, type Protocol, type Reply, type Tokens, text } from './protocol.ts';

/** `POST /v1/responses`, as Codex uses it. */
export const responses: Protocol = {
  name: 'responses',
  answers: (path) => path === '/v1/responses',
  read(_path, headers, body) {
    const items = list(body.input);
    const lastAsked = items.findLastIndex((item) => item.role === 'user' && saidIn(item) !== '');
    const since = items.slice(lastAsked + 1);
    const tools = list(body.tools).map((tool) => text(tool.name) || text(tool.type));
    const metadata = text(headers['x-codex-turn-metadata']);
    return {
      model: text(body.model),
      isStream: body.stream === true,
      isSide: tools.length === 0 || metadata.includes('guardian_review'),
      turn: countTurns(since),
      prompt: saidIn(items[lastAsked] ?? {}),
      results: since.flatMap((item) => (text(item.type).endsWith('_output') ? [outputIn(item)] : [])),
      tools,
    };
  },
  stream(request, reply, tokens) {
    let sequence = 0;
    const event = (type: string, data: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`;
    const whole = this.whole(request, reply, tokens) as { output: Body[] };
    const items = whole.output.flatMap((item, index) => [
      event('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } }),
      ...(item.type === 'message'
        ? [
            event('response.output_text.delta', {
              item_id: item.id,
              output_index: index,
              content_index: 0,
              delta: reply.say ?? '',
            }),
          ]
        : [
            event('response.function_call_arguments.delta', {
              item_id: item.id,
              output_index: index,
              delta: item.arguments,
            }),
          ]),
      event('response.output_item.done', { output_index: index, item }),
    ]);
    return [
      event('response.created', { response: { ...whole, output: [], usage: null, status: 'in_progress' } }),
      ...items,
      event('response.completed', { response: whole }),
    ];
  },
  whole: ({ model }, reply, tokens) => ({
    id: `resp_${Math.random().toString(36).slice(2)}`,
    object: 'response',
    created_at: 0,
    status: 'completed',
    model,
    output: outputOf(reply),
    usage: usageOf(reply, tokens),
  }),
  error: (status) => ({
    error: { type: errorTypes[status] ?? 'server_error', code: null, message: `the test says ${status}` },
  }),
  sideReply: { say: '{"outcome":"deny","risk_level":"high","user_authorization":"none","rationale":"test"}' },
};

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
};

function outputOf({ say, calls = [] }: Reply): Body[] {
  const id = (prefix: string) => `${prefix}_${Math.random().toString(36).slice(2)}`;
  return [
    ...(say === undefined || say === ''
      ? []
      : [
          {
            id: id('msg'),
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text: say, annotations: [] }],
          },
        ]),
    ...calls.map(({ tool, input, namespace }) => ({
      id: id('fc'),
      type: 'function_call',
      status: 'completed',
      call_id: id('call'),
      name: tool,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(input),
    })),
  ];
}

function usageOf({ tokens: wanted }: Reply, tokens: Tokens): object | null {
  if (wanted === 'missing') return null;
  return {
    input_tokens: tokens.in,
    input_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: tokens.written },
    output_tokens: tokens.out,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: tokens.in + tokens.out,
  };
}

/** One answer may contain a message and several calls; tool results separate two answers. */
function countTurns(items: readonly Body[]): number {
  let turns = 0;
  let isAnswering = false;
  for (const item of items) {
    const isAnswer = item.role === 'assistant' || text(item.type).endsWith('_call');
    if (isAnswer && !isAnswering) turns += 1;
    isAnswering = isAnswer || item.type === 'reasoning';
  }
  return turns;
}

/** The text of the user; the program's own context is in tags. */
function saidIn(item: Body): string {
  const parts =
    typeof item.content === 'string' ? [item.content] : list(item.content).map((part) => text(part.text));
  return parts.filter((said) => !/^\s*(<|# AGENTS\.md)/.test(said)).join('\n');
}

function outputIn(item: Body): string {
  return typeof item.output === 'string' ? item.output : JSON.stringify(item.output);
}
