import { knownSecrets, namedSecret, urlWithPassword } from './known-secrets.ts';

/** `author` is not a secret, `authorization` is. */
const secretName = /key|token|secret|pass|pwd|credential|auth(?!or(?!i[sz]))|cookie|dsn/i;
/** Query parameters whose names are too short or too common to count elsewhere. */
const secretParameter = /^(?:sig|signature|session|sid)$/i;
/** Shorter values are words that occur everywhere. */
const shortest = 8;
/** A word or a number: `production` in a sentence is not a secret, even if an allowed variable has that value. */
const plain = /^(?:[a-z]+|[\d.]+)$/i;

/** An argument or a part of a URL that is not an ordinary word: long, with letters and digits mixed. */
const tokenLike = /^(?=[^a-z]*[a-z])(?=\D*\d)[\w.~+-]{20,}=*$/i;

/** ['sk-123', 'API_KEY']: the name replaces the value. */
export type Secret = readonly [value: string, name: string];

/** Replaces secret values by their names, also inside JSON and URLs. */
export function redactorOf(secrets: readonly Secret[]): (text: string) => string {
  // Longer values first: they may contain shorter ones.
  const ordered = [...new Map(secrets.flatMap(spellings))].sort(([a], [b]) => b.length - a.length);
  return (text) => ordered.reduce((clean, [value, name]) => clean.replaceAll(value, `[${name}]`), text);
}

/** `--api-key=x`, `--api-key x`, `API_KEY=x`, `Authorization: Bearer x`, a URL, or the secret alone. */
export function secretsInArgument(server: string, arg: string, before = ''): Secret[] {
  const [, flag = '', value = ''] = /^-*(?!-)([\w.-]+)(?:=|:\s{0,200})(.*)$/s.exec(arg) ?? [];
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

/** Secret query parameters of a URL, and parts of its path that are keys. */
export function secretsInUrl(text: string): Secret[] {
  const start = text.search(/[a-z][a-z0-9+.-]{0,30}:\/\//i);
  const url = start < 0 ? null : URL.parse(text.slice(start));
  if (!url) return [];
  const asked = [...url.searchParams].flatMap(([name, value]) =>
    secretsIn(name, value, secretParameter.test(name) || tokenLike.test(value)),
  );
  const parts = url.pathname.split('/').filter((part) => tokenLike.test(part));
  return [...asked, ...parts.map((part) => [part, 'url'] as const)];
}

function isFolderName(name: string): boolean {
  return name === 'PWD' || name === 'OLDPWD';
}

export function secretsIn(name: string, value: string, isGiven: boolean): Secret[] {
  // The name of these reads like a password, and their value is a folder.
  const isSecret = (secretName.test(name) && !isFolderName(name)) || (isGiven && !plain.test(value));
  // `Bearer abc`: the text after the scheme is the secret.
  const wholes = isSecret ? [value, value.replace(/^(?:bearer|basic|token)\s+/i, '')] : [];
  return [...named(name, wholes), ...loginIn(name, value)];
}

/** The login in a URL: `https://user:password@host`. */
export function loginIn(name: string, value: string): Secret[] {
  const [, login = '', password = ''] = /\/\/([^/\s@:]*(?::([^/\s@]*))?)@/.exec(value) ?? [];
  // However short: followed by `@` it occurs nowhere else.
  return [
    ...named(name, [password, decoded(password)]),
    ...(login === '' ? [] : [[`${login}@`, name] as const]),
  ];
}

function named(name: string, values: readonly string[]): Secret[] {
  return values.filter((value) => value.length >= shortest).map((value) => [value, name]);
}

/** The plain value, and its forms in JSON and in a URL. */
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

/** Redacts every string of a JSON value. */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactValue(each, redact)]));
}

/** For logs: what has the form that an issuer gave its secrets, and passwords in addresses. Other long words stay, they may be hashes. */
export function redactKnown(text: string): string {
  const known = knownSecrets.reduce((left, { pattern }) => left.replace(pattern, hide), text);
  return known.replace(urlWithPassword, hide);
}

/** For text quoted from a repository: removes everything that could be a secret. */
export function redactSecrets(text: string): string {
  return redactKnown(text)
    .replace(namedSecret, hide)
    .replace(/[A-Za-z0-9+_=-]{16,}/g, (run) => (isJumble(run) ? redacted : run));
}

const redacted = '[redacted]';

function hide(match: string, ...rest: unknown[]): string {
  const groups = rest.at(-1) as { value?: string } | undefined;
  const value = typeof groups === 'object' ? groups.value : undefined;
  return value === undefined ? redacted : match.replace(value, () => redacted);
}

/** Letters and digits alternate more often than in any word. */
function isJumble(run: string): boolean {
  const turns = run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return turns >= 5 && /[A-Z]/.test(run) && /[a-z]/.test(run);
}
