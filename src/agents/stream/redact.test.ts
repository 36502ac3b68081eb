import { expect, test } from 'vitest';
import { redactValue } from '#lib/redact.ts';
import { redactEvent, redactor } from './redact.ts';

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
      far: {
        url: 'https://far.example/hook/T0aB1cD2eF3gH4iJ5kL6mN/in?apiKey=short-key&session=q1w2e3r4t5&lang=english',
        headers: { 'X-Quote': 'with "quotes" in it' },
      },
      lab: {
        command: 'lab',
        args: [
          ...['--api-key=key-in-flag', '--password', 'hunter2hunter2', '--verbose', 'tools/docs-server.js'],
          ...['--header', 'Authorization: Bearer arg-header-secret', '--db', 'mysql://root:toor-toor@db/x'],
          ...[
            'MY_TOKEN=assigned-secret',
            'zX9cV8bN7mA6sD5fG4hJ3k',
            '--endpoint',
            'https://x.example/?sig=5ig-5ig-5ig',
          ],
          ...['--token', '--quiet', '--config=configuration', '--authorization=Digest abcdefgh'],
        ],
        env: { STORE: 'postgres://u:p@h/d' },
      },
      'keycloak-docs': {
        command: 'docs',
        args: [
          ...['src/mcp/server.ts', '--verbose-mode', '--author=Somebody', '--author', 'Somebody'],
          'https://keys.example/?project=src/login.ts&branch=feature/login&mode=read-only',
        ],
        env: {},
      },
      'auth-site': {
        url: 'https://auth.example/?project=src/auth.ts&branch=feature/auth&mode=write-only&state=a1b2c3d4e5f6g7h8i9j0k1',
        headers: {},
      },
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
  [
    'a parameter of an address',
    'https://far.example?apiKey=short-key',
    'https://far.example?apiKey=[apiKey]',
  ],
  ['who asks with an address', 'it is q1w2e3r4t5', 'it is [session]'],
  ['a parameter that is a key', 'it is a1b2c3d4e5f6g7h8i9j0k1', 'it is [state]'],
  ['a key in the path of an address', '/hook/T0aB1cD2eF3gH4iJ5kL6mN/in', '/hook/[url]/in'],
  ['the value of a flag', 'key-in-flag', '[api-key]'],
  ['what follows a flag', 'it says hunter2hunter2', 'it says [password]'],
  ['a header in an argument', 'curl -H "arg-header-secret"', 'curl -H "[Authorization]"'],
  ['who logs in, in an argument', 'mysql://root:toor-toor@db/x', 'mysql://[lab]db/x'],
  ['an authorization', 'it says Digest abcdefgh', 'it says [authorization]'],
  ['the password alone', 'toor-toor', '[lab]'],
  ['what is assigned in an argument', 'assigned-secret', '[MY_TOKEN]'],
  ['an argument that is a key', 'key zX9cV8bN7mA6sD5fG4hJ3k', 'key [lab]'],
  ['a parameter of an address in an argument', 'sig 5ig-5ig-5ig', 'sig [sig]'],
  ['a secret within JSON', JSON.stringify('with "quotes" in it'), '"[X-Quote]"'],
  ['a secret within an address', encodeURIComponent('with "quotes" in it'), '[X-Quote]'],
])('%s is redacted', (_, said, kept) => expect(redact(said)).toBe(kept));

test.each([
  'src/production.ts',
  'in 20260101.5',
  '/usr/bin:/bin',
  'proxy.example:80',
  'tools/docs-server.js --verbose --quiet',
  'the english configuration',
  'docs src/mcp/server.ts --verbose-mode --author=Somebody',
  'src/login.ts on feature/login is read-only',
  'src/auth.ts on feature/auth is write-only',
])('%s is not a secret', (said) => expect(redact(said)).toBe(said));

test('a handoff is redacted in any form', () => {
  const claim = { files: ['a.ts'], notes: 'header-secret', done: true, rest: null };
  expect(redactValue(claim, redact)).toEqual({ ...claim, notes: '[Authorization]' });
  expect(redactValue(undefined, redact)).toBeUndefined();
});

test('what an agent says about itself is redacted too: session, version and model', () => {
  const secret = 'header-secret';
  expect(redactEvent({ type: 'started', session: secret, version: secret, model: secret }, redact)).toEqual({
    ...{ type: 'started', session: '[Authorization]', version: '[Authorization]', model: '[Authorization]' },
  });
});
