import { type Body, list, type Protocol, type Reply, type Tokens, text } from './protocol.ts';

/** `POST /v1beta/models/<model>:streamGenerateContent`, as Gemini CLI uses it. */
export const gemini: Protocol = {
  name: 'gemini',
  answers: (path) => /:(streamGenerateContent|generateContent|countTokens)$/.test(path),
  read(path, _headers, body) {
    const contents = list(body.contents);
    const lastAsked = contents.findLastIndex((content) => content.role === 'user' && saidIn(content) !== '');
    const since = contents.slice(lastAsked + 1);
    const tools = list(body.tools).flatMap((tool) =>
      list(tool.functionDeclarations).map(({ name }) => text(name)),
    );
    return {
      model: /models\/([^:/]+):/.exec(path)?.[1] ?? '',
      isStream: path.endsWith(':streamGenerateContent'),
      isSide: tools.length === 0,
      turn: since.filter((content) => content.role === 'model').length,
      prompt: saidIn(contents[lastAsked] ?? {}),
      results: since.flatMap(partsOf).flatMap((part) => {
        const response = (part.functionResponse as Body | undefined)?.response;
        return response === undefined ? [] : [JSON.stringify(response)];
      }),
      tools,
    };
  },
  stream(request, reply, tokens) {
    const { candidates, ...rest } = this.whole(request, reply, tokens) as { candidates: readonly [Body] };
    const [{ content }] = candidates as unknown as readonly [{ content: { parts: readonly Body[] } }];
    const event = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;
    return [
      ...content.parts.map((part) =>
        event({
          candidates: [{ index: 0, content: { role: 'model', parts: [part] } }],
          modelVersion: request.model,
        }),
      ),
      event({
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
        ...rest,
      }),
    ];
  },
  whole: ({ model }, reply, tokens) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: partsFor(reply) }, finishReason: 'STOP' }],
    modelVersion: model,
    ...(reply.tokens === 'missing' ? {} : { usageMetadata: usageOf(tokens) }),
  }),
  error: (status) => ({
    error: { code: status, status: statusNames[status] ?? 'INTERNAL', message: `the test says ${status}` },
  }),
  aside: (path) => (path.endsWith(':countTokens') ? { totalTokens: 100 } : null),
  sideReply: { say: '{"reasoning":"a side request","next_speaker":"user","model_choice":"flash"}' },
};

const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
};

function partsFor({ say, calls = [] }: Reply): Body[] {
  return [
    ...(say === undefined || say === '' ? [] : [{ text: say }]),
    ...calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
  ];
}

function usageOf(tokens: Tokens): object {
  return {
    promptTokenCount: tokens.in,
    cachedContentTokenCount: tokens.cached,
    candidatesTokenCount: tokens.out - tokens.reasoning,
    thoughtsTokenCount: tokens.reasoning,
    totalTokenCount: tokens.in + tokens.out,
  };
}

function partsOf(content: Body): readonly Body[] {
  return list(content.parts);
}

/** The text of the user; tool results have the same role but do not count. */
function saidIn(content: Body): string {
  return partsOf(content)
    .map((part) => text(part.text))
    .filter(
      (said) =>
        said !== '' &&
        !/^\s*<(session_context|hook_context)/.test(said) &&
        !said.startsWith('This is the Gemini CLI'),
    )
    .join('\n');
}
