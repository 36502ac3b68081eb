import { describe, expect, test } from 'vitest';
import { isTrustedLock } from './trusted-lock.ts';

const registry = 'https://registry.npmjs.org';
const archive = (name: string, version: string) =>
  `${registry}/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
const npm = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const vitest = { version: '5.0.0', resolved: archive('vitest', '5.0.0'), integrity: 'sha512-a' };
const locked = npm({ '': { name: 'p' }, 'node_modules/vitest': vitest });

test.each([
  ['adds one', { 'node_modules/@a/b': { version: '1.0.0', resolved: archive('@a/b', '1.0.0') } }],
  ['raises one', { 'node_modules/vitest': { version: '5.1.0', resolved: archive('vitest', '5.1.0') } }],
  [
    'adds one under another name',
    { 'node_modules/c': { name: 'b', version: '1.0.0', resolved: archive('b', '1.0.0') } },
  ],
  ['adds a package of the workspace', { 'node_modules/own': { resolved: 'packages/own', link: true } }],
])('an npm lock that %s is trusted', (_, more) => {
  const work = npm({ '': { name: 'p' }, 'node_modules/vitest': vitest, ...more });
  expect(isTrustedLock('package-lock.json', locked, work)).toBe(true);
});

test.each([
  ['an archive of the work', { ...vitest, resolved: 'file:runner.tgz' }],
  [
    'an archive elsewhere',
    { ...vitest, version: '5.1.0', resolved: 'https://evil.example/vitest/-/vitest-5.1.0.tgz' },
  ],
  ['another content of the same version', { ...vitest, integrity: 'sha512-b' }],
  ['another package', { ...vitest, version: '5.1.0', resolved: archive('evil', '5.1.0') }],
  ['another package under its name', { ...vitest, name: 'evil', resolved: archive('evil', '5.0.0') }],
  ['a folder of the work', { resolved: 'tools/runner', link: true }],
  ['a repository', { ...vitest, version: '5.1.0', resolved: 'git+ssh://git@github.com/a/vitest/-/b.git' }],
])('an npm lock that brings %s instead of a package of base is not', (_, entry) => {
  expect(isTrustedLock('a/package-lock.json', locked, npm({ 'node_modules/vitest': entry }))).toBe(false);
});

const pnpm = (version: string, more = '') =>
  `importers:\n  .:\n    devDependencies:\n      vitest:\n        specifier: ^5.0.0\n        version: ${version}\npackages:\n  vitest@5.0.0:\n    resolution: {integrity: sha512-a${more}}\n`;
const yarn = (name: string) =>
  `# yarn lockfile v1\n\n\nvitest@^5.0.0:\n  version "5.0.0"\n  resolved "${archive(name, '5.0.0')}#a"\n`;
const berry = (name: string) => `"vitest@npm:^5.0.0":\n  version: 5.0.0\n  resolution: "${name}@npm:5.0.0"\n`;
const bun = (name: string) =>
  `{\n  "packages": {\n    "vitest": ["${name}@5.0.0", "", {}, "sha512-a"],\n  }\n}\n`;

test.each([
  ['pnpm-lock.yaml', pnpm('5.0.0(vite@6.0.0)')],
  ['yarn.lock', yarn('vitest')],
  ['yarn.lock', berry('vitest')],
  ['bun.lock', bun('vitest')],
])('%s is trusted if packages have their own names', (path, work) => {
  expect(isTrustedLock(path, '', work)).toBe(true);
});

test.each([
  ['pnpm-lock.yaml', pnpm('evil@5.0.0')],
  ['pnpm-lock.yaml', pnpm('5.0.0', `, tarball: ${archive('evil', '5.0.0')}`)],
  ['pnpm-lock.yaml', 'importers: [\n'],
  ['yarn.lock', yarn('evil')],
  ['yarn.lock', berry('evil')],
  ['bun.lock', bun('evil')],
  ['bun.lockb', 'binary'],
])('%s is not trusted with others', (path, work) => {
  expect(isTrustedLock(path, '', work)).toBe(false);
});

describe('a pnpm lock file', () => {
  const base = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

overrides:
  diff@>=6.0.0 <8.0.3: 8.0.3

importers:

  .:
    devDependencies:
      '@scope/tool':
        specifier: ^1.0.0
        version: 1.0.0
      vitest:
        specifier: ^5.0.0
        version: 5.0.0(tinypool@1.0.0)

packages:

  '@scope/tool@1.0.0':
    resolution: {integrity: sha512-t}
    engines: {node: '>=18'}

  tinypool@1.0.0:
    resolution: {integrity: sha512-p}
    deprecated: |-
      Use another one:
        - or none

  vitest@5.0.0:
    resolution: {integrity: sha512-v}

snapshots:

  '@scope/tool@1.0.0': {}

  tinypool@1.0.0: {}

  vitest@5.0.0(tinypool@1.0.0):
    dependencies:
      tinypool: 1.0.0
    transitivePeerDependencies:
      - supports-color
`;
  const added = base.replace(
    'snapshots:',
    'snapshots:\n\n  cliui@8.0.2:\n    dependencies:\n      string-width-cjs: string-width@4.2.3',
  );

  test('may add packages, also under other names', () => {
    expect(isTrustedLock('pnpm-lock.yaml', base, base)).toBe(true);
    expect(isTrustedLock('pnpm-lock.yaml', base, added)).toBe(true);
  });

  test.each([
    [
      'another package for one that the runner uses',
      base.replace('tinypool: 1.0.0', 'tinypool: evil-pool@1.0.0'),
    ],
    [
      'another package in the format of version 6',
      "lockfileVersion: '6.0'\n\ndevDependencies:\n  vitest:\n    specifier: ^5.0.0\n    version: /evil@5.0.0\n",
    ],
    [
      'another package in the format of version 5',
      'lockfileVersion: 5.4\n\nspecifiers:\n  vitest: ^5.0.0\n\ndevDependencies:\n  vitest: /evil/5.0.0\n',
    ],
    [
      'dependencies in one line',
      base.replace('dependencies:\n      tinypool: 1.0.0', 'dependencies: {tinypool: evil-pool@1.0.0}'),
    ],
    [
      'quoted keys',
      base
        .replace('    devDependencies:', '    "devDependencies":')
        .replace('version: 5.0.0(', 'version: evil@5.0.0('),
    ],
    [
      'an anchor',
      base
        .replace('    devDependencies:', '    devDependencies: &a')
        .replace('version: 5.0.0(', 'version: evil@5.0.0('),
    ],
  ])('must not name %s', (_what, work) => {
    expect(isTrustedLock('pnpm-lock.yaml', base, work)).toBe(false);
  });

  test('is read in time', () => {
    const packages = Array.from(
      { length: 60_000 },
      (_, at) => `  k${at}@1.0.0:\n    resolution: {integrity: x}\n`,
    );
    const before = process.cpuUsage();
    expect(
      isTrustedLock('pnpm-lock.yaml', base, base.replace('snapshots:', `${packages.join('')}snapshots:`)),
    ).toBe(true);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  });
});
