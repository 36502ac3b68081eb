import { type Body, list, type Protocol, type Reply, type Tokens, text } from './protocol.ts';

/** `POST /v1/chat/completions`, as opencode, Qwen Code and Copilot use it. */
export const chat: Protocol = {
  name: 'chat',
  answers: (path) => path.endsWith('/chat/completions'),
  read(_path, _headers, body) {
    const messages = list(body.messages);
    const tools = list(body.tools).map((tool) => text((tool.function as Body | undefined)?.name));
    const lastAsked = messages.findLastIndex((message) => message.role === 'user' && saidIn(message) !== '');
    const since = messages.slice(lastAsked + 1);
    const prompt = saidIn(messages[lastAsked] ?? {});
    return {
      model: text(body.model),
      isStream: body.stream === true,
      // Qwen Code asks, with tools, what the user may type next and what it should remember.
      isSide: tools.length === 0 || /^(\[SUGGESTION MODE|Managed memory has)/.test(prompt),
      turn: since.filter((message) => message.role === 'assistant').length,
      prompt,
      results: since.flatMap((message) => (message.role === 'tool' ? [partsOf(message).join('\n')] : [])),
      tools,
    };
  },
  stream(request, reply, tokens) {
    const { id, choices } = this.whole(request, reply, tokens) as {
      id: string;
      choices: readonly [{ message: Body; finish_reason: string }];
    };
    const [{ message, finish_reason: finish }] = choices;
    const chunk = (data: object) =>
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 0, model: request.model, ...data })}\n\n`;
    const choice = (delta: object, finishReason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
    return [
      choice({ role: 'assistant', content: '' }),
      ...(reply.say === undefined || reply.say === '' ? [] : [choice({ content: reply.say })]),
      ...list(message.tool_calls).map((call, index) => choice({ tool_calls: [{ index, ...call }] })),
      choice({}, finish),
      ...(reply.tokens === 'missing' ? [] : [chunk({ choices: [], usage: usageOf(tokens) })]),
      'data: [DONE]\n\n',
    ];
  },
  whole: ({ model }, reply, tokens) => ({
    id: `chatcmpl-${Math.random().toString(36).slice(2)}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      { index: 0, message: messageOf(reply), finish_reason: reply.calls?.length ? 'tool_calls' : 'stop' },
    ],
    ...(reply.tokens === 'missing' ? {} : { usage: usageOf(tokens) }),
  }),
  error: (status) => ({
    error: {
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      code: null,
      message: `the test says ${status}`,
    },
  }),
  sideReply: { say: 'A side request' },
};

function messageOf({ say, calls = [] }: Reply): Body {
  return {
    role: 'assistant',
    content: say ?? null,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ tool, input }) => ({
            id: `call_${Math.random().toString(36).slice(2)}`,
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(input) },
          })),
        }),
  };
}

function usageOf(tokens: Tokens): object {
  return {
    prompt_tokens: tokens.in,
    prompt_tokens_details: { cached_tokens: tokens.cached },
    completion_tokens: tokens.out,
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: tokens.in + tokens.out,
  };
}

function partsOf({ content }: Body): string[] {
  return typeof content === 'string' ? [content] : list(content).map((part) => text(part.text));
}

/** The text of the user, without the program's additions. */
function saidIn(message: Body): string {
  return partsOf(message)
    .filter((said) => !said.startsWith('<system-reminder>'))
    .join('\n');
}
