import { type Body, list, type Protocol, type Reply, type Tokens, text } from './protocol.ts';

/** `POST /v1/messages`, as Claude Code uses it. */
export const anthropic: Protocol = {
  name: 'anthropic',
  answers: (path) => path.startsWith('/v1/messages'),
  read(_path, _headers, body) {
    const messages = list(body.messages);
    const tools = list(body.tools).map((tool) => text(tool.name));
    const lastAsked = messages.findLastIndex((message) => message.role === 'user' && saidIn(message) !== '');
    const since = messages.slice(lastAsked + 1);
    const prompt = saidIn(messages[lastAsked] ?? {});
    return {
      model: text(body.model),
      isStream: body.stream === true,
      isSide: tools.length === 0 || prompt.includes('[SUGGESTION MODE'),
      turn: since.filter((message) => message.role === 'assistant').length,
      prompt,
      results: since.flatMap((message) => blocksOf(message).flatMap(resultIn)),
      tools,
    };
  },
  stream(request, reply, tokens) {
    const event = (type: string, data: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const message = {
      ...this.whole(request, { ...reply, calls: [], say: '' }, { ...tokens, out: 1 }),
      content: [],
    };
    const blocks = contentOf(reply).flatMap((block, index) => {
      const isText = block.type === 'text';
      const start = isText ? { type: 'text', text: '' } : { ...block, input: {} };
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      return [
        event('content_block_start', { index, content_block: start }),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ];
    });
    return [
      event('message_start', { message: { ...message, stop_reason: null } }),
      ...blocks,
      event('message_delta', {
        delta: { stop_reason: stopOf(reply), stop_sequence: null },
        ...(reply.tokens === 'missing' ? {} : { usage: { output_tokens: tokens.out } }),
      }),
      event('message_stop', {}),
    ];
  },
  whole: ({ model }, reply, tokens) => ({
    id: `msg_${Math.random().toString(36).slice(2)}`,
    type: 'message',
    role: 'assistant',
    model,
    content: contentOf(reply),
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: usageOf(reply, tokens),
  }),
  error: (status) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message: `the test says ${status}` },
  }),
  aside: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 100 } : null),
  sideReply: { say: '{"title":"a side request","isNewTopic":false}' },
};

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

type Block = { readonly type: string; readonly [key: string]: unknown };

function contentOf({ say, calls = [] }: Reply): Block[] {
  return [
    ...(say === undefined || say === '' ? [] : [{ type: 'text', text: say }]),
    ...calls.map(({ tool, input }) => ({
      type: 'tool_use',
      id: `toolu_${Math.random().toString(36).slice(2)}`,
      name: tool,
      input,
    })),
  ];
}

function stopOf({ calls = [] }: Reply): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function usageOf({ tokens: wanted }: Reply, tokens: Tokens): object {
  if (wanted === 'missing') return {};
  return {
    input_tokens: tokens.in - tokens.cached - tokens.written,
    cache_read_input_tokens: tokens.cached,
    cache_creation_input_tokens: tokens.written,
    output_tokens: tokens.out,
  };
}

function blocksOf(message: Body): readonly Body[] {
  return typeof message.content === 'string'
    ? [{ type: 'text', text: message.content }]
    : list(message.content);
}

/** The text of the user, without the program's additions. */
function saidIn(message: Body): string {
  return blocksOf(message)
    .filter(({ type }) => type === 'text')
    .map((block) => text(block.text))
    .filter((said) => !said.startsWith('<system-reminder>'))
    .join('\n');
}

function resultIn(block: Body): string[] {
  if (block.type !== 'tool_result') return [];
  return [typeof block.content === 'string' ? block.content : saidIn(block)];
}
