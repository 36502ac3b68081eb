import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import type { Body, Fault, ModelRequest, Protocol, Reply, Tokens } from './protocol.ts';
import { responses } from './responses.ts';

const protocols: readonly Protocol[] = [anthropic, responses, chat, gemini];
const plainTokens: Tokens = { in: 100, out: 10, cached: 0, written: 0, reasoning: 0 };

/** Decides what the model does; `n` counts the requests of this kind, from 1, including retries. */
export type Script = (request: ModelRequest, n: number) => Reply | Promise<Reply>;

export interface ServedRequest extends ModelRequest {
  readonly protocol: string;
  readonly reply: Reply;
  /** The cost of the answer; null if it failed and costs nothing. */
  readonly tokens: Tokens | null;
}

/** Keeps tests away from models that cost money: a model that follows a script, on loopback. */
export class ModelServer {
  readonly #server: Server;
  readonly #script: Script;
  /** All requests, in order. */
  readonly requests: ServedRequest[] = [];
  /** Requests without a handler: a new version of a CLI may send them. */
  readonly unknown: string[] = [];

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: Error) => {
        this.unknown.push(`${request.method} ${request.url}: ${error.message}`);
        response.destroy();
      });
    });
  }

  static async start(script: Script): Promise<ModelServer> {
    const server = new ModelServer(script);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests of the conversation itself. */
  get asked(): readonly ServedRequest[] {
    return this.requests.filter((request) => !request.isSide);
  }

  /** The total cost of all complete answers. */
  get spent(): Tokens {
    const sum = { in: 0, out: 0, cached: 0, written: 0, reasoning: 0 };
    for (const { tokens } of this.requests) {
      for (const key of ['in', 'out', 'cached', 'written', 'reasoning'] as const)
        sum[key] += tokens?.[key] ?? 0;
    }
    return sum;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const protocol = protocols.find((each) => each.answers(path));
    if (request.method !== 'POST' || !protocol) {
      this.unknown.push(`${request.method} ${path}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const raw = await readBody(request);
    const body = JSON.parse(raw) as Body;
    const aside = protocol.aside?.(path, body);
    if (aside) {
      sendJson(response, 200, aside);
      return;
    }
    const asked = { ...protocol.read(path, request.headers, body), raw };
    const n = this.requests.filter(({ isSide }) => isSide === asked.isSide).length + 1;
    const reply = asked.isSide ? protocol.sideReply : await this.#script(asked, n);
    const tokens = tokensOf(reply);
    const hasCost = reply.fault === undefined && reply.tokens !== 'missing';
    this.requests.push({ ...asked, protocol: protocol.name, reply, tokens: hasCost ? tokens : null });
    if (reply.fault !== undefined) misbehave(response, protocol, asked, reply, reply.fault);
    else if (asked.isStream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(protocol.stream(asked, reply, tokens).join(''));
    } else sendJson(response, 200, protocol.whole(asked, reply, tokens));
  }
}

function misbehave(
  response: ServerResponse,
  protocol: Protocol,
  asked: ModelRequest,
  reply: Reply,
  fault: Fault,
): void {
  if (typeof fault === 'object') {
    const wait = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
    sendJson(response, fault.status, protocol.error(fault.status), wait);
    return;
  }
  if (fault === 'silent') return;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (fault === 'garbage') {
    response.end('<html>\ndata: {"half": \n\n\u0000\u0001 not what you expected');
    return;
  }
  const events = protocol.stream(asked, reply, tokensOf(reply));
  response.write(events.slice(0, Math.ceil(events.length / 2)).join(''), () => {
    if (fault === 'cut') response.destroy();
  });
}

function tokensOf({ tokens }: Reply): Tokens {
  if (tokens === 'absurd') return { in: 5, out: 1e12, cached: 500, written: 0, reasoning: 2e12 };
  return tokens === 'missing' ? plainTokens : { ...plainTokens, ...tokens };
}

function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
