import { expect, test } from 'vitest';
import { GitTree } from '#git/trees/tree.ts';
import { outOfSync } from './locked-names.ts';

const manifest = JSON.stringify({
  dependencies: { react: '^19.0.0', zod: '^4.0.0' },
  devDependencies: { vitest: '^5.0.0', knip: '^6.0.0' },
});

const importers = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      react:
        specifier: ^19.0.0
        version: 19.1.0
      zod:
        specifier: ^3.0.0
        version: 3.25.0
    devDependencies:
      vitest:
        specifier: ^5.0.0
        version: 5.1.0

  packages/app:
    dependencies:
      knip:
        specifier: ^6.0.0
        version: 6.42.1
`;

const missing = (lock: string) =>
  outOfSync(
    async (_, path) => (path === 'package.json' ? manifest : lock),
    GitTree.of('', ''),
    'package.json',
    'pnpm-lock.yaml',
  );

test.each([importers, importers.replaceAll('\n', '\r\n'), importers.replace('  .:', "  '.':")])(
  'for a pnpm lock file only the entries of its own folder count',
  async (lock) => {
    expect([...(await missing(lock))].sort()).toEqual(['knip', 'zod']);
  },
);

test('thousands of locked packages are not parsed', async () => {
  const packages = Array.from(
    { length: 20_000 },
    (_, n) => `  p${n}@1.0.0:\n    resolution: {integrity: x}\n`,
  );
  const began = process.cpuUsage();
  expect((await missing(`${importers}\npackages:\n\n${packages.join('\n')}`)).size).toBe(2);
  // Parsing the whole file takes more than ten seconds.
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
});
