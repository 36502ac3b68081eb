import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};
const entries = Object.entries(packages).filter(([path]) => path !== '');

test('the lockfile names no registry', () => {
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});

test('the lockfile contains the builds for every platform, so that npm ci works on all of them', () => {
  const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test('docs/dependencies.md lists every dependency and no other', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const page = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8');
  const described = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  expect(described).toEqual([
    ...Object.keys(dependencies),
    ...Object.keys(optionalDependencies),
    ...Object.keys(devDependencies),
  ]);
});
