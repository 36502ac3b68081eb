import type { NetworkInterfaceInfo } from 'node:os';

/** The names of a machine: its network interfaces, and its host name. */
export interface Machine {
  readonly interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;
  readonly name: string;
}

/** The host names that may address a server listening on `host`, as written in a URL; the first is used in the link. */
export function ownNames(host: string, { interfaces, name }: Machine): string[] {
  const any = { '0.0.0.0': ['IPv4'], '::': ['IPv4', 'IPv6'] }[host];
  // Browsers send names in lower case.
  if (any === undefined) return [inAddress(host.toLowerCase()), ...(isLoopback(host) ? ['localhost'] : [])];
  const addresses = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family }) => any.includes(family))
    .toSorted((a, b) => Number(a.internal) - Number(b.internal))
    .map(({ address }) => inAddress(address));
  return [...new Set([...addresses, name.toLowerCase(), '127.0.0.1', 'localhost'])];
}

/** What browsers send as Host for these names: they leave out the port that a URL has by default. */
export function hostsOf(names: readonly string[], port: number): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1';
}

function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
