import { describe, expect, test } from 'vitest';
import { groundedValues, statusOf } from '#test/support/grounded.ts';
import { findSecrets } from './find-secrets.ts';
import { redactSecrets } from './redact.ts';

/** Joined at run time: no scanner should take this file for a leak. */
const made = (...parts: string[]) => parts.join('');
const random36 = 'kQ7vR2mX9bT4nW8cY1zL5pD3sF6hJ0gA2eUu';
const base64Line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';

const real: readonly [kind: string, path: string, text: string][] = [
  ['an AWS access key', 'a.ts', made(`const id = 'AK`, `IAQX7M2NRT5VWYZ3LB';`)],
  ['an AWS secret key', 'a.env', made('AWS_SECRET_ACCESS_KEY=', 'wJ4lrXUtnFEM9K7MDENGbPxRfiCYz3q8sV2tHu1L')],
  ['a GitHub token', 'a.ts', made('g', `hp_${random36}`)],
  ['a GitLab token', 'a.yml', made('gl', 'pat-xK3vR9mQ2bT7nW5cY8zL')],
  ['a Slack token', 'a.ts', made('xo', 'xb-7391048265-K3vR9mQ2bT7nW5cY8z')],
  ['a Stripe key', 'a.py', made('key = "sk', '_live_4eC39HqLyjWDarjtT1zdp7dc"')],
  ['an Anthropic key', 'a.ts', made('sk-', 'ant-api03-kQ7vR2mX9bT4nW8cY1zL5pD3')],
  ['an API key', 'a.ts', made('sk-', 'proj-kQ7vR2mX9bT4nW8cY1zL5pD3sF6h')],
  ['a Google API key', 'a.js', made('AI', 'zaSyD3vR9mQ2bT7nW5cY8zLkQ7vR2mX9bT4nW')],
  ['an npm token', '.npmrc', made('//r/:_authToken=n', `pm_${random36}`)],
  ['a URL with a password', 'a.ts', made("'postgres://app:", "q8Vz2LmX9tRw@db.prod.internal/app'")],
  ['a secret', 'a.ts', made('const clientSecret = "', 'q8Vz2LmX9tRwK4nB7cYp1d"')],
  ['a secret', '.env', made('SESSION_SECRET=', 'q8Vz2LmX9tRwK4nB7cYp1d')],
  ['a secret', 'a.yaml', made('  api_key: ', 'q8Vz2LmX9tRwK4nB7cYp1d')],
  ['a Vault token', 'a.ts', made('hv', 's.CAESIJ3vR9mQ2bT7nW5cY8zLkQ7vR2mX9')],
  ['a Terraform token', 'a.ts', made('kQ7vR2mX9bT4nW.atlas', `v1.${random36}${random36}`)],
  ['a Heroku key', 'a.ts', made('HR', 'KU-AAxK3vR9mQ2bT7nW5cY8zLkQ7vR2mX9bT4nW8cY')],
  ['a Mailgun key', 'a.ts', made('ke', 'y-3ca6f0b1d27e4958a1c3d5e7f9024b6d')],
  ['a Twilio key', 'a.ts', made('S', 'K9f86d081884c7d659a2feaa0c55ad015')],
  ['a Discord bot token', 'a.ts', made('MTk4NjIyNDgzNDcxOTI1MjQ4', '.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs')],
  ['a Supabase token', 'a.ts', made('sb', 'p_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b')],
  ['a Docker token', 'a.ts', made('dckr', '_pat_kQ7vR2mX9bT4nW8cY1zL5pD3sF6')],
  ['a New Relic key', 'a.ts', made('NR', 'AK-KQ7VR2MX9BT4NW8CY1ZL5PD3SF6')],
  ['a Doppler token', 'a.ts', made('dp', `.pt.${random36}aB3dE6gH`)],
  ['a Pulumi token', 'a.ts', made('pu', 'l-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b')],
  ['a RubyGems key', 'a.ts', made('ruby', 'gems_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c')],
  ['a NuGet key', 'a.ts', made('oy', '2kq7vr2mx9bt4nw8cy1zl5pd3sf6hj0ga2euukq7vr2m')],
  ['an Azure AD secret', 'a.ts', made('"abC8', 'Q~kQ7vR2mX9bT4nW8cY1zL5pD3sF6hJ0gA2e"')],
  ['a LangSmith key', 'a.ts', made('lsv', '2_pt_9f86d081884c7d659a2feaa0c55ad015_a3bf4f1b2b')],
  ['a webhook secret', 'a.ts', made('wh', 'sec_kQ7vR2mX9bT4nW8cY1zL5pD3sF6hJ0')],
  [
    'a Slack app token',
    'a.ts',
    made('xa', 'pp-1-A01B2C3D4E5-7391048265123-9f86d081884c7d659a2feaa0c55ad0159f86'),
  ],
  ['a private key', 'a.json', made('"private_key": "-----BEGIN PRIV', `ATE KEY-----\\n${base64Line}"`)],
  ['a login', 'a.ts', made("Authorization: 'Ba", "sic ZGVwbG95OnE4VnoyTG1YOXRSdzRrTg=='")],
  ['a login', '.netrc', made('machine api.internal login deploy pass', 'word q8Vz2LmX9tRw')],
  ['a key of a cluster', 'config', made('    client-key-', `data: ${base64Line}${base64Line}`)],
  ['a secret', 'settings.xml', made('<pass', 'word>q8Vz2LmX9tRw4k</password>')],
  [
    'a token in an address',
    'a.ts',
    made("'https://api.internal/x?access_", "token=kQ7vR2mX9bT4nW8cY1zL5pD3'"),
  ],
];

const harmless: readonly [why: string, path: string, text: string][] = [
  ['a commit id', 'a.ts', "const commit = '4c3fc7d0b1f2a3948576d0e1c2b3a4f5968778a9';"],
  ['a digest', 'a.json', '"sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'],
  [
    'lock file integrity',
    'package-lock.json',
    '"integrity": "sha512-q8Vz2LmX9tRwK4nB7cYp1dq8Vz2LmX9tRwK4nB7cYp1dq8Vz2LmX9tRwK4nB7cYp1dQ=="',
  ],
  ['the example of the documentation', 'a.md', made("aws_access_key_id = 'AK", "IAIOSFODNN7EXAMPLE'")],
  ['a gap to be filled in', 'a.env', 'API_KEY=your-api-key-goes-here-1234'],
  ['a reference', 'a.yml', `token: \${{ secrets.GITHUB_TOKEN_2026 }}`],
  ['a variable', 'a.ts', 'const token = process.env.API_TOKEN_PRODUCTION_1;'],
  ['a run of one character', 'a.ts', made('g', `hp_${'x'.repeat(36)}`)],
  [
    'a header that a program looks for',
    'a.ts',
    "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) read(text);",
  ],
  ['a public key', 'a.pem', '-----BEGIN PUBLIC KEY-----'],
  ['a local database', 'a.yml', 'DATABASE_URL: postgres://postgres:postgres@localhost:5432/app'],
  [
    'a key that only counts',
    'a.js',
    "throw new Error('it is like dotenv://:key_1234@dotenvx.com/vault/.env.vault')",
  ],
  ['a password anybody would try', 'a.test.ts', "login('admin', 'http://user:password@host.example.com')"],
  ['a name of a secret', 'a.ts', "const tokenHeader = 'x-authorization-token-v2';"],
  ['a UUID', 'a.ts', "const secretId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';"],
  ['a sentence', 'a.ts', "const passwordHint = 'at least 12 characters, 1 digit';"],
  ['an identifier', 'a.ts', "const tokenKind = 'refresh_token_for_session_2';"],
  [
    'a hash of a password',
    'a.sql',
    "password_hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'",
  ],
  [
    'a data URI',
    'a.css',
    "url('data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI')",
  ],
];

describe('secrets in added lines', () => {
  test.each(real)('%s in %s is found', (kind, path, text) => {
    expect(findSecrets(path, [{ line: 3, text }])).toContainEqual({ kind, line: 3, isCertain: true });
  });

  test.each(harmless)('%s is not a secret', (_, path, text) => {
    expect(findSecrets(path, [{ line: 1, text }])).toEqual([]);
  });

  test('a private key counts only when the key follows its header', () => {
    const header = made('-----BEGIN RSA PRIV', 'ATE KEY-----');
    const lines = [header, base64Line].map((text, index) => ({ line: index + 1, text }));
    expect(findSecrets('id_rsa', lines)).toContainEqual({ kind: 'a private key', line: 1, isCertain: true });
    const inline = [{ line: 1, text: `key = "${header}\\n${base64Line}\\n"` }];
    expect(findSecrets('a.json', inline)).toContainEqual({ kind: 'a private key', line: 1, isCertain: true });
  });

  test.each(real)('the value of %s in %s is never part of a report', (_kind, path, text) => {
    const base = {
      'src/a.test.ts': `test('x', () => {\n  expect(key).toBe(${JSON.stringify(text)});\n});\n`,
    };
    const changed = {
      [path]: `${text}\n`,
      'src/a.test.ts': "test('x', () => {\n  expect(key).toBeDefined();\n});\n",
    };
    const result = groundedValues(base, changed);
    expect(statusOf(result, 'secrets')).toBe('fail');
    const told = JSON.stringify(result);
    for (const piece of text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? [])
      if (/\d/.test(piece) && /[A-Z]/.test(piece)) expect(told).not.toContain(piece);
  });

  test('a secret that existed before or only moved is not reported', () => {
    const line = real[2]?.[2] ?? '';
    const result = groundedValues({ 'a.ts': `one\n${line}\ntwo\n` }, { 'a.ts': `${line}\none\nthree\n` });
    expect(statusOf(result, 'secrets')).toBe('pass');
  });

  test('files that the project declares free of secrets are not searched', () => {
    const changed = { 'test/keys.ts': `${real[2]?.[2]}\n` };
    expect(statusOf(groundedValues({}, changed), 'secrets')).toBe('fail');
    expect(statusOf(groundedValues({}, changed, { policy: { notSecret: ['test/**'] } }), 'secrets')).toBe(
      'pass',
    );
  });

  test('redaction leaves ordinary text alone', () => {
    const text =
      'src/a.test.ts:5: test "adds" has expect(sum(1,0)).toBeDefined() instead of expect(sum(1,0)).toBe(1)';
    expect(redactSecrets(text)).toBe(text);
  });
});
