import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { ownNames } from './own-names.ts';

const address = (at: string, internal: boolean) =>
  ({ address: at, internal, family: at.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo;
const machine = {
  interfaces: { lo: [address('127.0.0.1', true), address('::1', true)], eth0: [address('10.0.0.7', false)] },
  name: 'Desk',
};

test.each([
  ['127.0.0.1', ['127.0.0.1', 'localhost']],
  ['::1', ['[::1]', 'localhost']],
  ['10.0.0.7', ['10.0.0.7']],
  ['0.0.0.0', ['10.0.0.7', '127.0.0.1', 'desk', 'localhost']],
  ['::', ['10.0.0.7', '127.0.0.1', '[::1]', 'desk', 'localhost']],
])('a server on %s is asked as %j', (host, names) => {
  expect(ownNames(host, machine)).toEqual(names);
});
