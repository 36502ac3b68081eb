import { expect, test } from 'vitest';
import { allowedEnvironment, withholding } from './allowed-environment.ts';

test.each([
  'JOINERY_GITLAB_TOKEN',
  'JOINERY_MCP_TOKEN',
  'JOINERY_OTHER_SECRET',
  'GIT_TOKEN',
  'GIT_CONFIG_VALUE_0',
  'XDG_SECRET',
  'LC_SECRET',
  'ProgramFilesToken',
  'AWS_SECRET_ACCESS_KEY',
])('%s reaches no program of a task, whatever it begins with', (name) => {
  expect(allowedEnvironment({ [name]: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' });
});

test('a proxy keeps its address and loses its login, unless the variable is named', () => {
  const env = {
    HTTPS_PROXY: 'http://user:pw@proxy.example:3128',
    http_proxy: 'user:pw@proxy:80',
    ALL_PROXY: 'socks5://proxy:1',
  };
  expect(allowedEnvironment(env)).toEqual({
    HTTPS_PROXY: 'http://proxy.example:3128',
    http_proxy: 'proxy:80',
    ALL_PROXY: 'socks5://proxy:1',
  });
  expect(allowedEnvironment(env, ['HTTPS_PROXY']).HTTPS_PROXY).toBe(env.HTTPS_PROXY);
});

test('a log shows no secret of a known form, whatever its source', () => {
  const hide = withholding({}, {});
  const aws = `AKIA${'ABCDEFGHIJKLMNOP'}`;
  expect(hide(`key ${aws} of https://me:hunter2hunter2@host/x, commit 3f2a9c`)).toBe(
    'key [redacted] of https://me:[redacted]@host/x, commit 3f2a9c',
  );
});
