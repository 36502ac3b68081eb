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
  /** For protocols that identify MCP tools by it. */
  readonly namespace?: string;
}

/** How a request fails. */
export type Fault =
  | { readonly status: 400 | 401 | 429 | 500 | 529; readonly retryAfter?: number }
  /** The connection ends in the middle of the answer. */
  | 'cut'
  /** No response, not even headers. */
  | 'silent'
  /** The answer starts and does not continue. */
  | 'stall'
  /** Status 200 and an unparsable body. */
  | 'garbage';

/** What the model does next. */
export interface Reply {
  readonly say?: string;
  readonly calls?: readonly Call[];
  /** The cost that the answer reports; `absurd` contradicts itself. */
  readonly tokens?: Partial<Tokens> | 'missing' | 'absurd';
  readonly fault?: Fault;
}

/** An agent's request, in any protocol. */
export interface ModelRequest {
  readonly model: string;
  readonly isStream: boolean;
  /** Titles, summaries, reviews: requests of the program for itself, not part of the conversation. */
  readonly isSide: boolean;
  /** Number of model answers since the last user message: the step of the script, regardless of retries. */
  readonly turn: number;
  /** The last user message. */
  readonly prompt: string;
  /** Tool results since then, the newest last. */
  readonly results: readonly string[];
  readonly tools: readonly string[];
  /** The complete request. */
  readonly raw: string;
}

/** One API of a model. Each is a file beside this one. */
export interface Protocol {
  readonly name: string;
  /** Whether a request to this path (without its query) is for this API. */
  answers(path: string): boolean;
  read(path: string, headers: IncomingHttpHeaders, body: Body): Omit<ModelRequest, 'raw'>;
  /** The events of a streamed answer, each a complete text to send. A stream is cut at the middle one. */
  stream(request: ModelRequest, reply: Reply, tokens: Tokens): readonly string[];
  whole(request: ModelRequest, reply: Reply, tokens: Tokens): object;
  error(status: number): object;
  /** Answers requests outside the conversation, such as counting tokens; null for all others. */
  aside?(path: string, body: Body): object | null;
  /** The answer to a side request. */
  readonly sideReply: Reply;
}

export type Body = Readonly<Record<string, unknown>>;

export function list(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
