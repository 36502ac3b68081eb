import type { AgentEvent, AgentRequest } from './driver.ts';

const secretName = /key|token|secret|pass|pwd|credential|auth|cookie|dsn/i;
/** Shorter values are words that stand anywhere. */
const shortest = 8;
/** A word or a number: `production` in a sentence is no secret, though a variable that was let in may have that value. */
const plain = /^(?:[a-z]+|[\d.]+)$/i;

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
    ...Object.values(mcpServers).flatMap((server) =>
      Object.entries('url' in server ? { url: server.url, ...server.headers } : server.env).flatMap(
        ([name, value]) => secretsIn(name, value, name !== 'url'),
      ),
    ),
  ];
  // A longer one first: it may hold a shorter one.
  const ordered = [...new Map(secrets)].sort(([a], [b]) => b.length - a.length);
  return (text) => ordered.reduce((clean, [value, name]) => clean.replaceAll(value, `[${name}]`), text);
}

function secretsIn(name: string, value: string, isGiven: boolean): Secret[] {
  const isSecret = secretName.test(name) || (isGiven && !plain.test(value));
  // `Bearer abc`: what follows the scheme is the secret.
  const wholes = isSecret ? [value, value.replace(/^(?:bearer|basic|token)\s+/i, '')] : [];
  const [, login = '', password = ''] = /\/\/([^/\s@:]*:?([^/\s@]*))@/.exec(value) ?? [];
  return [
    ...[...wholes, password, decoded(password)].filter((text) => text.length >= shortest),
    // However short: with the sign behind it, it stands nowhere else.
    ...(login === '' ? [] : [`${login}@`]),
  ].map((text) => [text, name]);
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
