import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Looked } from '#check/cache/looked.ts';
import { rungsFor } from './ladder.ts';

/** A checkout in which these folders contain an installed compiler. */
function checkoutWith(compilers: Readonly<Record<string, string>>, tracked: readonly string[] = []) {
  const dir = mkdtempSync(join(tmpdir(), 'joinery-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [folder, version] of Object.entries(compilers)) {
    const at = join(dir, folder, 'node_modules/typescript');
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'typescript', version }));
  }
  return {
    dir,
    looked: new Looked(),
    worktrees: [dir],
    isTracked: async (path: string) => tracked.includes(path),
  };
}

async function versions(...args: Parameters<typeof rungsFor>): Promise<string[]> {
  return (await rungsFor(...args)).map(({ kind, origin, version }) => `${kind} ${origin} ${version}`);
}

const ours = ['native joinery 7.0.2', 'classic joinery 5.9.3'];

test('without a checkout only the bundled compilers are available', async () => {
  expect(
    await versions({ dir: null, looked: new Looked(), worktrees: [], isTracked: async () => false }, '.'),
  ).toEqual(ours);
});

test("the nearest compiler of the project comes first, by its version's kind", async () => {
  const checkout = checkoutWith({ '.': '5.4.5', 'packages/new': '7.1.0' });
  expect(await versions(checkout, 'packages/new/app')).toEqual(['native project 7.1.0', ...ours]);
  expect(await versions(checkout, 'packages/old')).toEqual(['classic project 5.4.5', ...ours]);
});

test('the same version is not tried twice, and one older than 4 not at all', async () => {
  expect(await versions(checkoutWith({ '.': '7.0.2' }), '.')).toEqual(['native project 7.0.2', ours[1]]);
  expect(await versions(checkoutWith({ '.': '3.9.10' }), '.')).toEqual(ours);
});

test('a compiler that is part of the repository does not count as installed', async () => {
  for (const tracked of ['node_modules', 'node_modules/typescript'])
    expect(await versions(checkoutWith({ '.': '5.4.5' }, [tracked]), '.')).toEqual(ours);
  const inner = checkoutWith({ 'packages/new': '7.1.0' }, ['node_modules']);
  expect(await versions(inner, 'packages/new')).toEqual(ours);
});
