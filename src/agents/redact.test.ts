import { expect, test } from 'vitest';
import { redactor, redactValue } from './redact.ts';

const redact = redactor(
  {
    env: {
      PATH: '/usr/bin:/bin',
      DB_PASS: 'correct horse',
      PIP_INDEX_URL: 'https://pip.example/a1b2c3d4/simple',
      NODE_ENV: 'production',
      WORKERS: '20260101.5',
      HTTPS_PROXY: 'http://me:pw%21@proxy.example:80',
      HTTP_PROXY: 'http://me:long%21password@proxy.example:80',
    },
    mcpServers: {
      search: { url: 'https://me:pw@search.example', headers: { Authorization: 'Bearer header-secret' } },
      lab: { command: 'lab', args: [], env: { STORE: 'postgres://u:p@h/d' } },
    },
  },
  (name) => ['DB_PASS', 'PIP_INDEX_URL', 'NODE_ENV', 'WORKERS'].includes(name),
);

test.each([
  ['a variable with a name like a secret', 'correct horse', '[DB_PASS]'],
  ['any variable that was let in', 'from https://pip.example/a1b2c3d4/simple', 'from [PIP_INDEX_URL]'],
  ['who logs in to an address', 'http://me:pw%21@proxy.example:80', 'http://[HTTPS_PROXY]proxy.example:80'],
  ['a password as it is typed', 'it is long!password', 'it is [HTTP_PROXY]'],
  ['the header of a server', 'Authorization: Bearer header-secret', 'Authorization: [Authorization]'],
  ['the header without its scheme', 'header-secret', '[Authorization]'],
  ['a variable of a server', 'postgres://u:p@h/d', '[STORE]'],
  ['the address of a server', 'https://me:pw@search.example', 'https://[url]search.example'],
])('%s is not told', (_, said, kept) => expect(redact(said)).toBe(kept));

test.each(['src/production.ts', 'in 20260101.5', '/usr/bin:/bin', 'proxy.example:80'])(
  '%s is no secret',
  (said) => expect(redact(said)).toBe(said),
);

test('a claim is redacted in whatever form it comes', () => {
  const claim = { files: ['a.ts'], notes: 'header-secret', done: true, rest: null };
  expect(redactValue(claim, redact)).toEqual({ ...claim, notes: '[Authorization]' });
  expect(redactValue(undefined, redact)).toBeUndefined();
});
