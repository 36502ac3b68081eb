import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Windows } from '#app/window/open-windows.ts';
import type { Window } from '#app/window/window.ts';
import { EnvironmentError } from '#schema/errors.ts';
import { type Door, openDoor } from './door.ts';
import { openApi } from './openapi.ts';
import { hostsOf, ownNames } from './own-names.ts';
import { errorEnvelope, explain } from './problem.ts';
import { type Route, routes } from './routes.ts';
import { streamEvents } from './stream.ts';
import { serveWeb } from './web-files.ts';

export interface ServeOptions {
  readonly windows: Windows;
  /** Folder with the built pages. */
  readonly web: string;
  readonly version: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Time limit for a reader of the stream to take one batch before it is dropped. */
  readonly patienceMs?: number;
  /** Where the link leads; default: the home page. */
  readonly page?: string;
}

export interface RunningServer {
  readonly url: string;
  /** The link that gives one browser access. */
  readonly link: string;
  readonly key: string;
  /** Number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** As for MCP over HTTP. */
const mostBodyBytes = 4 * 1024 * 1024;
/** A page has a handful; idle ones cost a file descriptor each. */
const mostConnections = 256;

const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const ended = new AbortController();
  const app = new Hono();
  // The door needs the port, which is known once the server listens.
  let door: Door | null = null;
  app.use(async (c, next) => {
    if (!door) return c.body(null, 503);
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    return;
  });
  app.use((c, next) => (door as Door).guard(c, next));
  app.use(
    bodyLimit({
      maxSize: mostBodyBytes,
      onError: (c) =>
        c.json(errorEnvelope('too-large', `a body has at most ${mostBodyBytes} bytes`, 'send less'), 413),
    }),
  );
  addRoutes(app, options, ended.signal);
  app.onError((error, c) => {
    const { status, envelope } = explain(error);
    return c.json(envelope, status);
  });

  const { server, port } = await listen(app, options);
  server.maxConnections = mostConnections;
  const names = ownNames(options.host, { interfaces: networkInterfaces(), name: hostname() });
  door = openDoor({ hosts: hostsOf(names, port), port, page: options.page ?? '/' });
  const url = `http://${names[0]}:${port}/`;
  return {
    url,
    link: `${url}?ticket=${door.ticket}`,
    key: door.key,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      ended.abort();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addRoutes(app: Hono, options: ServeOptions, signal: AbortSignal): void {
  const { windows, web, version, patienceMs = 5000 } = options;
  app.get('/api/v1/repositories', async (c) => c.json(await windows.list()));
  const places: readonly Place[] = [
    { prefix: '/api/v1', windowFor: async () => windows.here() },
    {
      prefix: '/api/v1/repositories/:repository',
      windowFor: (c) => windows.of(c.req.param('repository') ?? ''),
    },
  ];
  for (const { prefix, windowFor } of places) {
    for (const route of routes) addRoute(app, route, prefix, windowFor);
    app.get(`${prefix}/stream`, async (c) => streamEvents(c, await windowFor(c), { signal, patienceMs }));
  }
  app.get('/api/v1/openapi.json', (c) => c.json(openApi(version)));
  app.all('/api/*', (c) =>
    c.json(
      errorEnvelope('not-found', `there is no ${c.req.method} ${c.req.path}`, 'GET /api/v1/openapi.json'),
      404,
    ),
  );
  app.get('*', (c) => serveWeb(c, web));
}

/** Prefix of a repository's addresses, and its window. */
interface Place {
  readonly prefix: string;
  readonly windowFor: (c: Context) => Promise<Window>;
}

function addRoute(app: Hono, route: Route, prefix: string, windowFor: Place['windowFor']): void {
  const path = `${prefix}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  app.on(route.method.toUpperCase(), path, async (c) => {
    const query = route.query?.safeParse(c.req.query());
    const body = route.body?.safeParse(await c.req.json().catch(() => null));
    const problem = query?.error ?? body?.error;
    if (problem) {
      const [issue] = problem.issues;
      const message = `${issue?.path.join('.') || 'body'}: ${issue?.message}`;
      return c.json(errorEnvelope('bad-request', message, 'GET /api/v1/openapi.json'), 400);
    }
    const answer = await route.handle(await windowFor(c), {
      params: c.req.param() as Record<string, string>,
      query: query?.data,
      body: body?.data,
    });
    return typeof answer === 'string' ? c.text(answer) : c.json(answer as object);
  });
}

type NodeServer = ReturnType<typeof serve>;

function listen(app: Hono, { host, port }: ServeOptions): Promise<{ server: NodeServer; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (info: AddressInfo) =>
      resolve({ server, port: info.port }),
    );
    server.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new EnvironmentError({
          code: 'cannot-listen',
          message: `cannot listen on ${host}:${port}: ${cause.message}`,
          hint: 'choose another port: joinery ui --port <number>',
          cause,
        }),
      ),
    );
  });
}
