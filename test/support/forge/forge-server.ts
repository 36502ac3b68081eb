import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serveGit } from './git-backend.ts';

/** A pull request in a test. */
export interface ToldPull {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly base?: string;
  /** `gone`: a fork that was deleted since. */
  readonly from?: 'here' | 'fork' | 'gone';
  state?: 'open' | 'closed' | 'merged';
}

export interface ToldComment {
  readonly id: number;
  body: string;
  readonly author: string;
  readonly isBot?: boolean;
}

/** An answer instead of the real one, `times` times. */
interface Refusal {
  readonly at: RegExp;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  times: number;
}

interface Heard {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body: unknown;
}

export interface ForgeState {
  /** Folder of the served repository. */
  readonly dir: string;
  readonly token: string;
  readonly pulls: ToldPull[];
  readonly comments: Map<number, ToldComment[]>;
  readonly refusals: Refusal[];
  readonly pageSize: number;
  /** Called after a list of pull requests was answered. */
  afterList(): void;
}

/** One of the two APIs: handles requests below its own prefix. */
export interface ForgeApi {
  readonly name: 'github' | 'gitlab';
  readonly prefix: string;
  readonly repository: string;
  tokenOf(headers: IncomingMessage['headers']): string;
  answer(request: ApiRequest, state: ForgeState): ApiAnswer;
}

interface ApiRequest {
  readonly method: string;
  /** Without the prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

export interface ApiAnswer {
  readonly status?: number;
  /** A list is split into pages. */
  readonly body?: unknown;
}

export interface ForgeServer {
  readonly url: string;
  readonly state: ForgeState;
  readonly heard: readonly Heard[];
  commentsOn(number: number): readonly ToldComment[];
}

/** A forge on 127.0.0.1: its API and its repositories, until the test ends. */
export async function serveForge(
  api: ForgeApi,
  told: Pick<ForgeState, 'dir' | 'pulls'> & Partial<ForgeState>,
): Promise<ForgeServer> {
  const heard: Heard[] = [];
  const state: ForgeState = {
    token: 'forge-secret-token-93c1',
    comments: new Map(),
    refusals: [],
    pageSize: 2,
    afterList() {},
    ...told,
  };
  const server = createServer((request, response) =>
    respond(request, response).catch(() => response.destroy()),
  );
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const git = new RegExp(`^/${api.repository}(?:\\.git)?(/(?:info/refs|git-upload-pack))$`).exec(
      url.pathname,
    );
    const refusal = state.refusals.find(
      ({ at, times }) => times > 0 && at.test(`${request.method} ${url.pathname}`),
    );
    if (refusal) {
      refusal.times--;
      response.writeHead(refusal.status, { ...refusal.headers }).end('{"message":"not now"}');
      return;
    }
    if (git) {
      const login = Buffer.from(
        request.headers.authorization?.replace(/^Basic /, '') ?? '',
        'base64',
      ).toString();
      heard.push({ method: 'GIT', path: url.pathname, token: login.replace(/^[^:]*:/, ''), body: null });
      if (!login.endsWith(`:${state.token}`)) response.writeHead(401).end();
      else serveGit(join(state.dir, '.git'), git[1] ?? '', request, response);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? {} : JSON.parse(text);
    const method = request.method ?? 'GET';
    const token = api.tokenOf(request.headers);
    heard.push({ method, path: url.pathname, token, body });
    if (token !== state.token) {
      response.writeHead(401).end('{"message":"Bad credentials"}');
      return;
    }
    const path = url.pathname.slice(api.prefix.length);
    const answer = api.answer({ method, path, query: url.searchParams, body }, state);
    send(response, url, answer, state.pageSize);
    if (Array.isArray(answer.body) && /\/(pulls|merge_requests)$/.test(path)) state.afterList();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    heard,
    commentsOn: (number) => state.comments.get(number) ?? [],
  };
}

function send(response: ServerResponse, url: URL, { status = 200, body }: ApiAnswer, pageSize: number): void {
  const page = Number(url.searchParams.get('page') ?? 1);
  const rows = Array.isArray(body) ? body.slice((page - 1) * pageSize, page * pageSize) : body;
  const hasMore = Array.isArray(body) && body.length > page * pageSize;
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(hasMore ? { Link: `<${next}>; rel="next", <${url}>; rel="first"` } : {}),
  });
  response.end(body === undefined ? '' : JSON.stringify(rows));
}
