import type { NetworkInterfaceInfo } from 'node:os';

/** What a machine is called: its network interfaces, and its name. */
export interface Machine {
  readonly interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;
  readonly name: string;
}

/** The names under which a server that listens on `host` is asked, as they stand in an address; the first is for the link. */
export function ownNames(host: string, { interfaces, name }: Machine): string[] {
  const any = { '0.0.0.0': ['IPv4'], '::': ['IPv4', 'IPv6'] }[host];
  if (any === undefined) return [inAddress(host), ...(isLoopback(host) ? ['localhost'] : [])];
  const addresses = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family }) => any.includes(family))
    .toSorted((a, b) => Number(a.internal) - Number(b.internal))
    .map(({ address }) => inAddress(address));
  return [...new Set([...addresses, name.toLowerCase(), '127.0.0.1', 'localhost'])];
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1';
}

function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
