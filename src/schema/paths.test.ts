import { expect, test } from 'vitest';
import { cacheDir, repoKey, stateDir } from './paths.ts';

const host = (env: Record<string, string>, platform = 'linux') => ({ env, home: '/home/me', platform });

test.each([
  [{}, '/home/me/.cache/joinery'],
  [{ XDG_CACHE_HOME: '/xdg' }, '/xdg/joinery'],
  [{ XDG_CACHE_HOME: 'relative' }, '/home/me/.cache/joinery'],
  [{ XDG_CACHE_HOME: '/xdg', JOINERY_CACHE_DIR: '/own' }, '/own'],
])('with %o the cache is %s', (env, expected) => {
  expect(cacheDir(host(env))).toBe(expected);
});

test.each([
  { JOINERY_CACHE_DIR: '/proc/x' },
  { JOINERY_CACHE_DIR: '/tmp/../proc' },
  { XDG_CACHE_HOME: '/proc/self' },
])('with %o the cache is refused, because Node would never return from making it', (env) => {
  expect(() => cacheDir(host(env))).toThrow(
    expect.objectContaining({ exitCode: 5, hint: 'set JOINERY_CACHE_DIR to a writable folder' }),
  );
  expect(cacheDir(host(env, 'darwin'))).toMatch(/^\/proc/);
});

test('state is separate from the cache, by repository', () => {
  const key = repoKey('/projects/shop/.git');
  expect(stateDir(host({}), '/projects/shop/.git')).toBe(`/home/me/.local/state/joinery/${key}`);
  expect(stateDir(host({ JOINERY_STATE_DIR: '/own' }), '/projects/shop/.git')).toBe(`/own/${key}`);
});

test('a repository is identified by its name and its place', () => {
  expect(repoKey('/projects/shop/.git')).toMatch(/^shop-[0-9a-f]{8}$/);
  expect(repoKey('/srv/shop.git')).toMatch(/^shop-[0-9a-f]{8}$/);
  expect(repoKey('/projects/shop/.git')).not.toBe(repoKey('/home/shop/.git'));
  expect(repoKey('/projects/my shop: new/.git')).toMatch(/^my-shop--new-[0-9a-f]{8}$/);
});
