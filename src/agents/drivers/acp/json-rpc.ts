import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { Lines } from '#process/lines.ts';

/** No valid message is longer than this. */
const lineLimit = 32 * 1024 * 1024;
const unreadLimit = 32 * 1024 * 1024;

const Message = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type Message = z.infer<typeof Message>;

/** The error that the other side returned instead of a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const methodNotFound = -32601;

export interface RpcHandlers {
  /** Returns the answer; a thrown `RpcError` is sent as an error. */
  request(method: string, params: unknown): unknown;
  notification(method: string, params: unknown): void;
  /** A line that is not a message: some agents print banners and warnings to stdout. */
  noise(line: string): void;
}

/** JSON-RPC 2.0 in both directions, one message per line. */
export class JsonRpc {
  readonly #output: Writable;
  readonly #handlers: RpcHandlers;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #lines: Lines;
  #lastId = 0;
  #closed: Error | null = null;

  constructor(input: Readable, output: Writable, handlers: RpcHandlers) {
    this.#output = output;
    this.#handlers = handlers;
    this.#lines = new Lines(
      (line) => this.#take(line),
      lineLimit,
      () => this.close(new Error('it wrote a line without an end')),
    );
    input.on('data', (chunk: Buffer) => this.#lines.add(chunk));
    output.on('error', () => {}); // The owner of the process reports its end.
  }

  request(method: string, params: unknown): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#open.set(id, answer);
    this.#write({ id, method, params });
    return answer.promise;
  }

  notify(method: string, params: unknown): void {
    this.#write({ method, params });
  }

  /** Nothing more will arrive: rejects all pending requests with the reason. */
  close(reason: Error): void {
    this.#closed ??= reason;
    this.#lines.stop();
    for (const answer of this.#open.values()) answer.reject(reason);
    this.#open.clear();
  }

  #write(message: object): void {
    if (this.#closed) return;
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    // An agent may send requests endlessly and never read the answers.
    if (this.#output.writableLength > unreadLimit)
      this.close(new Error('it does not read what it is answered'));
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    if (!message) this.#handlers.noise(line);
    else if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined || message.id === null)
      this.#handlers.notification(message.method, message.params);
    else void this.#answer(message.id, message.method, message.params);
  }

  #settle({ id, error, result }: Message): void {
    const answer = typeof id === 'number' ? this.#open.get(id) : undefined;
    if (!answer || typeof id !== 'number') return;
    this.#open.delete(id);
    if (error) answer.reject(new RpcError(error.code, error.message, error.data));
    else answer.resolve(result);
  }

  async #answer(id: string | number, method: string, params: unknown): Promise<void> {
    try {
      const result = await this.#handlers.request(method, params);
      this.#write({ id, result: result ?? null });
    } catch (error) {
      const { code, message } = error instanceof RpcError ? error : { code: -32603, message: 'failed' };
      this.#write({ id, error: { code, message } });
    }
  }
}

function parse(line: string): Message | null {
  try {
    const { data } = Message.safeParse(JSON.parse(line));
    return data && (data.method !== undefined || typeof data.id === 'number') ? data : null;
  } catch {
    return null;
  }
}
