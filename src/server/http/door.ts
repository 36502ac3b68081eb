import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { errorEnvelope } from './problem.ts';

/** Who has access: the browser that followed the printed link, and programs that have the key. */
export interface Door {
  /** Part of the printed link; valid for one exchange. */
  readonly ticket: string;
  /** For programs: `Authorization: Bearer <key>`. */
  readonly key: string;
  readonly guard: MiddlewareHandler;
}

export interface DoorOptions {
  /** Hosts that requests may be addressed to, with port: '127.0.0.1:4711'. */
  readonly hosts: ReadonlySet<string>;
  readonly port: number;
  /** Where the link redirects after the exchange. */
  readonly page: string;
}

/** Cookies are shared by all ports of a host, so each server uses its own cookie name. */
function cookieName(port: number): string {
  return `joinery-${port}`;
}

export function openDoor({ hosts, port, page }: DoorOptions): Door {
  const ticket = randomBytes(24).toString('base64url');
  const key = randomBytes(24).toString('base64url');
  const pass = randomBytes(24).toString('base64url');
  let isTicketUsed = false;

  const refuse = (c: Context, status: 401 | 403 | 415, code: string, message: string, hint: string) =>
    c.req.header('accept')?.includes('text/html')
      ? c.html(refusalPage(message, hint), status)
      : c.json(errorEnvelope(code, message, hint), status);
  const hasCookie = (c: Context) => isSame(getCookie(c, cookieName(port)), pass);

  const guard: MiddlewareHandler = async (c, next) => {
    // Stops DNS rebinding: a page whose name resolves to this machine sends its own name as Host.
    if (!hosts.has((c.req.header('host') ?? '').toLowerCase())) {
      return refuse(c, 403, 'foreign-host', 'this server answers only under its own address', 'joinery ui');
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && !hosts.has(origin.replace(/^http:\/\//, ''))) {
      return refuse(c, 403, 'foreign-origin', 'requests of other pages are refused', 'open the printed link');
    }
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !isJson(c)) {
      return refuse(c, 415, 'not-json', 'writes carry JSON', 'content-type: application/json');
    }
    const offered = c.req.query('ticket');
    // A HEAD request only looks where the link leads and does not use it up.
    if (offered !== undefined && c.req.path === '/' && c.req.method === 'GET') {
      // A browser that already has the cookie may follow the link again.
      if (hasCookie(c)) return c.redirect(page, 303);
      if (isTicketUsed || !isSame(offered, ticket)) {
        return refuse(c, 403, 'used-link', 'this link was used already or is not ours', 'joinery ui');
      }
      isTicketUsed = true;
      setCookie(c, cookieName(port), pass, { httpOnly: true, sameSite: 'Strict', path: '/' });
      return c.redirect(page, 303);
    }
    const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
    if (!hasCookie(c) && !isSame(bearer, key)) {
      return refuse(c, 401, 'no-pass', 'open the link that joinery ui printed', 'joinery ui');
    }
    await next();
    return;
  };
  return { ticket, key, guard };
}

/** Both texts are constants of ours: they contain nothing from the request. */
function refusalPage(message: string, hint: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Joinery</title></head><body><h1>Joinery</h1><p>Not let in: ${message}.</p><p>Next: <code>${hint}</code></p></body></html>`;
}

function isJson(c: Context): boolean {
  return /^application\/json\b/.test(c.req.header('content-type') ?? '');
}

function isSame(offered: string | undefined, expected: string): boolean {
  if (offered === undefined) return false;
  const [a, b] = [Buffer.from(offered), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
