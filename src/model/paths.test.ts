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

test('state lies apart from the cache, by repository', () => {
  const key = repoKey('/work/shop/.git');
  expect(stateDir(host({}), '/work/shop/.git')).toBe(`/home/me/.local/state/joinery/${key}`);
  expect(stateDir(host({ JOINERY_STATE_DIR: '/own' }), '/work/shop/.git')).toBe(`/own/${key}`);
});

test('a repository is known by its name and where it is', () => {
  expect(repoKey('/work/shop/.git')).toMatch(/^shop-[0-9a-f]{8}$/);
  expect(repoKey('/srv/shop.git')).toMatch(/^shop-[0-9a-f]{8}$/);
  expect(repoKey('/work/shop/.git')).not.toBe(repoKey('/home/shop/.git'));
  expect(repoKey('/work/my shop: new/.git')).toMatch(/^my-shop--new-[0-9a-f]{8}$/);
});
