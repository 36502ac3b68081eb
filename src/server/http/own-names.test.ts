import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { hostsOf, ownNames } from './own-names.ts';

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
  ['Desk.local', ['desk.local']],
  ['0.0.0.0', ['10.0.0.7', '127.0.0.1', 'desk', 'localhost']],
  ['::', ['10.0.0.7', '127.0.0.1', '[::1]', 'desk', 'localhost']],
])('a server on %s is addressed as %j', (host, names) => {
  expect(ownNames(host, machine)).toEqual(names);
});

test('a browser leaves out port 80', () => {
  expect([...hostsOf(['desk'], 4711)]).toEqual(['desk:4711']);
  expect([...hostsOf(['desk'], 80)]).toEqual(['desk:80', 'desk']);
});
