import type { IncomingHttpHeaders } from 'node:http';

export interface Tokens {
  readonly in: number;
  readonly out: number;
  /** Part of `in`. */
  readonly cached: number;
  /** Part of `in`. */
  readonly written: number;
  /** Part of `out`. */
  readonly reasoning: number;
}

interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Protocols that tell tools of MCP servers apart by it. */
  readonly namespace?: string;
}

/** How a request goes wrong. */
export type Fault =
  | { readonly status: 400 | 401 | 429 | 500 | 529; readonly retryAfter?: number }
  /** The connection ends in the middle of the answer. */
  | 'cut'
  /** Nothing comes, not even headers. */
  | 'silent'
  /** The answer begins and does not go on. */
  | 'stall'
  /** Status 200 and nothing that could be parsed. */
  | 'garbage';

/** What the model does next. */
export interface Reply {
  readonly say?: string;
  readonly calls?: readonly Call[];
  /** What the answer claims to have cost; `absurd` contradicts itself. */
  readonly tokens?: Partial<Tokens> | 'missing' | 'absurd';
  readonly fault?: Fault;
}

/** What an agent asks, whatever the protocol. */
export interface ModelRequest {
  readonly model: string;
  readonly isStream: boolean;
  /** Titles, summaries, reviews: asked by the program for itself, not part of the conversation. */
  readonly isSide: boolean;
  /** Answers of the model since the last thing a person said: the step of the script, whatever was retried. */
  readonly turn: number;
  /** The last thing a person said. */
  readonly prompt: string;
  /** What tools answered since then, the newest last. */
  readonly results: readonly string[];
  readonly tools: readonly string[];
  /** The whole request as it came. */
  readonly raw: string;
}

/** One API of a model. Each is a file beside this one. */
export interface Protocol {
  readonly name: string;
  /** Whether a request to this path (without its query) is for this API. */
  answers(path: string): boolean;
  read(path: string, headers: IncomingHttpHeaders, body: Body): Omit<ModelRequest, 'raw'>;
  /** The events of a streamed answer, each a complete text to send. The middle one is where a stream is cut. */
  stream(request: ModelRequest, reply: Reply, tokens: Tokens): readonly string[];
  whole(request: ModelRequest, reply: Reply, tokens: Tokens): object;
  error(status: number): object;
  /** Answers to requests that are no conversation, such as counting tokens; null for all others. */
  aside?(path: string, body: Body): object | null;
  /** What a side request is answered with. */
  readonly sideReply: Reply;
}

export type Body = Readonly<Record<string, unknown>>;

export function list(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
