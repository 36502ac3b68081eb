import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { errorEnvelope } from './problem.ts';

/** Who may come in: the browser that followed the link we printed, and programs that carry the key. */
export interface Door {
  /** Part of the opened link; good for one exchange. */
  readonly ticket: string;
  /** For programs: `Authorization: Bearer <key>`. */
  readonly key: string;
  readonly guard: MiddlewareHandler;
}

export interface DoorOptions {
  /** Hosts that requests may be addressed to, with port: '127.0.0.1:4711'. */
  readonly hosts: ReadonlySet<string>;
  readonly port: number;
  /** Where the exchanged link leads. */
  readonly page: string;
}

/** Cookies are shared by all ports of a host: each server has a name of its own. */
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
    // A page of another name that resolves to this machine carries that name: DNS rebinding ends here.
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
    // A program that only looks where the link leads does not use it up.
    if (offered !== undefined && c.req.path === '/' && c.req.method === 'GET') {
      // Who is in already may click on the link once more.
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

/** Both texts are ours: nothing of the request is in them. */
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
