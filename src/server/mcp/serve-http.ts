import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { EnvironmentError } from '#schema/errors.ts';
import { joineryServer, type ServerOptions } from './joinery-server.ts';
import { Rooms } from './rooms.ts';
import { Shelf } from './shelf.ts';

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const defaultMostClients = 100;
const mostBodyBytes = 4 * 1024 * 1024;

/** Serves many clients on the loopback interface. Refuses requests without the token or from a page of another site. */
export async function serveHttp(
  options: ServerOptions,
  wished: { port: number; token?: string; mostClients?: number },
): Promise<HttpServer> {
  const { mostClients = defaultMostClients } = wished;
  const token = wished.token ?? randomBytes(24).toString('base64url');
  const rooms = new Rooms(options);
  const shelf = new Shelf();
  // Ordered by last activity, the most recent last.
  const clients = new Map<string, HttpClient>();
  const http = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'internal error');
      else response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', (cause) =>
      reject(
        new EnvironmentError({
          code: 'cannot-listen',
          message: `cannot listen on 127.0.0.1:${wished.port}: ${cause.message}`,
          hint: 'choose another port: joinery mcp --http --port <number>',
          cause,
        }),
      ),
    );
    http.listen(wished.port, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (!hosts.includes(request.headers.host ?? '')) return refuse(response, 403, 'wrong host');
    const { origin } = request.headers;
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
      return refuse(response, 403, 'wrong origin');
    if (!isToken(request.headers.authorization, token))
      return refuse(response, 401, 'the token is missing or wrong');
    if (pathname !== '/mcp') return refuse(response, 404, 'not found');
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? clients.get(id) : undefined;
    if (known) {
      clients.delete(known.id);
      clients.set(known.id, known);
      known.open += 1;
      response.once('close', () => {
        known.open -= 1;
      });
      return known.transport.handleRequest(request, response);
    }
    if (id !== undefined) return refuse(response, 404, 'this client is unknown or has expired');
    if (clients.size >= mostClients && !(await dropSilent(clients)))
      return refuse(response, 503, 'too many clients');
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: mostBodyBytes,
      onsessioninitialized: (session) => void clients.set(session, { id: session, transport, open: 0 }),
      onsessionclosed: (session) => void clients.delete(session),
    });
    await joineryServer(options, rooms, shelf).connect(transport as never);
    return transport.handleRequest(request, response);
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    token,
    async close() {
      for (const { transport } of clients.values()) await transport.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await rooms.close();
    },
  };
}

interface HttpClient {
  readonly id: string;
  readonly transport: StreamableHTTPServerTransport;
  /** Number of open answers, including event streams. */
  open: number;
}

/** A killed client never disconnects: drops the one that was silent longest and has no open stream. */
async function dropSilent(clients: Map<string, HttpClient>): Promise<boolean> {
  const silent = [...clients.values()].find(({ open }) => open === 0);
  if (!silent) return false;
  clients.delete(silent.id);
  await silent.transport.close();
  return true;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })}\n`);
}
