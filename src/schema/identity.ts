import { createHash } from 'node:crypto';

function shortHash(value: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** One cause, however many places it breaks: a removed symbol is one root cause with k sites. */
export function rootCauseId(rule: string, providerKey: string): string {
  return shortHash(['rc1', rule, providerKey]);
}

/** Finding ids depend on the cause and the guilty set, never on file, line or wording. */
export function findingId(rootCause: string, refs: readonly string[]): string {
  return shortHash(['fp1', rootCause, refs.toSorted()]);
}

/** `<posix path>#<Container.>name`; the module itself is `<path>#`. */
export function symbolId(path: string, symbolPath: string): string {
  return `${path}#${symbolPath}`;
}
