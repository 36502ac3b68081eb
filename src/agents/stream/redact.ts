import type { AgentEvent, AgentRequest } from '#agents/driver.ts';
import type { McpServer } from '#schema/agent.ts';

/** An author is none, an authorization is. */
const secretName = /key|token|secret|pass|pwd|credential|auth(?!or(?!i[sz]))|cookie|dsn/i;
/** What an address asks with, where the name is too short or too common to say so elsewhere. */
const secretParameter = /^(?:sig|signature|session|sid)$/i;
/** Shorter values are words that stand anywhere. */
const shortest = 8;
/** A word or a number: `production` in a sentence is no secret, though a variable that was let in may have that value. */
const plain = /^(?:[a-z]+|[\d.]+)$/i;

/** An argument or a part of an address that nobody would say by chance: long, and of letters and figures mixed. */
const tokenLike = /^(?=[^a-z]*[a-z])(?=\D*\d)[\w.~+-]{20,}=*$/i;

type Secret = readonly [value: string, name: string];

/**
 * Writes names where secret values stood: nothing an agent says may carry them into a log. Secret is what was let in
 * for this agent alone, what its MCP servers were handed, what has a secret's name, and who logs in to an address.
 */
export function redactor(
  { env, mcpServers }: Pick<AgentRequest, 'env' | 'mcpServers'>,
  isLetIn: (name: string) => boolean,
): (text: string) => string {
  const secrets = [
    ...Object.entries(env).flatMap(([name, value]) => secretsIn(name, value, isLetIn(name))),
    ...Object.entries(mcpServers).flatMap(([name, server]) => secretsOf(name, server)),
  ];
  // A longer one first: it may hold a shorter one.
  const ordered = [...new Map(secrets.flatMap(spellings))].sort(([a], [b]) => b.length - a.length);
  return (text) => ordered.reduce((clean, [value, name]) => clean.replaceAll(value, `[${name}]`), text);
}

function secretsOf(server: string, given: McpServer): Secret[] {
  const pairs = Object.entries('url' in given ? given.headers : given.env);
  const handed = pairs.flatMap(([name, value]) => secretsIn(name, value, true));
  if ('url' in given) return [...handed, ...loginIn('url', given.url), ...secretsInUrl(given.url)];
  return [...handed, ...given.args.flatMap((arg, n) => secretsInArgument(server, arg, given.args[n - 1]))];
}

/** `--api-key=x`, `--api-key x`, `API_KEY=x`, `Authorization: Bearer x`, an address, or the secret by itself. */
function secretsInArgument(server: string, arg: string, before = ''): Secret[] {
  const [, flag = '', value = ''] = /^-*([\w.-]+)(?:=|:\s*)(.*)$/s.exec(arg) ?? [];
  const isNamedBefore = /^-/.test(before) && !before.includes('=') && secretName.test(before);
  return [
    ...secretsIn(flag, value, false),
    ...secretsIn(before.replace(/^-+/, ''), isNamedBefore && !arg.startsWith('-') ? arg : '', false),
    ...loginIn(server, arg),
    ...(tokenLike.test(value) ? [[value, flag] as const] : []),
    ...(tokenLike.test(arg) ? [[arg, server] as const] : []),
    ...secretsInUrl(arg),
  ];
}

/** What an address asks with, and parts of its path that are keys. */
function secretsInUrl(text: string): Secret[] {
  const start = text.search(/[a-z][a-z0-9+.-]*:\/\//i);
  const url = start < 0 ? null : URL.parse(text.slice(start));
  if (!url) return [];
  const asked = [...url.searchParams].flatMap(([name, value]) =>
    secretsIn(name, value, secretParameter.test(name) || tokenLike.test(value)),
  );
  const parts = url.pathname.split('/').filter((part) => tokenLike.test(part));
  return [...asked, ...parts.map((part) => [part, 'url'] as const)];
}

function secretsIn(name: string, value: string, isGiven: boolean): Secret[] {
  const isSecret = secretName.test(name) || (isGiven && !plain.test(value));
  // `Bearer abc`: what follows the scheme is the secret.
  const wholes = isSecret ? [value, value.replace(/^(?:bearer|basic|token)\s+/i, '')] : [];
  return [...named(name, wholes), ...loginIn(name, value)];
}

/** Who logs in to an address. */
function loginIn(name: string, value: string): Secret[] {
  const [, login = '', password = ''] = /\/\/([^/\s@:]*:?([^/\s@]*))@/.exec(value) ?? [];
  // However short: with the sign behind it, it stands nowhere else.
  return [
    ...named(name, [password, decoded(password)]),
    ...(login === '' ? [] : [[`${login}@`, name] as const]),
  ];
}

function named(name: string, values: readonly string[]): Secret[] {
  return values.filter((value) => value.length >= shortest).map((value) => [value, name]);
}

/** As it is, within a text of JSON, and within an address. */
function spellings([value, name]: Secret): Secret[] {
  const inAddress = value.isWellFormed() ? encodeURIComponent(value) : value;
  const written = [value, JSON.stringify(value).slice(1, -1), inAddress];
  return [...new Set(written)].map((text) => [text, name]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Of a claim in any form: text, or what was made of it. */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactValue(each, redact)]));
}

export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'text':
      return { ...event, text: redact(event.text) };
    case 'tool':
    case 'permission':
      return { ...event, tool: redact(event.tool), detail: redact(event.detail) };
    case 'incident':
      return { ...event, detail: redact(event.detail) };
    case 'retry':
      return { ...event, reason: redact(event.reason) };
    case 'started':
    case 'alive':
    case 'turn':
    case 'usage':
      return event;
  }
}
