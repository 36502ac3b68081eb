import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { checkerFolder } from '#scripts/contract-checkers.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

/** Each branch is green alone; together the price of `a` breaks the test of `b`. */
interface Shop {
  readonly runner: string;
  readonly base: Files;
  readonly a: Files;
  readonly b: Files;
  /** Installed packages, which are not tracked. */
  readonly modules?: string;
}

const shops: readonly Shop[] = [
  {
    runner: 'jest',
    base: {
      'package.json': lines(
        '{',
        '  "scripts": { "test": "jest" },',
        '  "devDependencies": { "jest": "30" }',
        '}',
      ),
      '.gitignore': lines('node_modules'),
      'src/price.js': lines('exports.of = (pieces) => pieces * 10;'),
    },
    a: { 'src/price.js': lines('exports.of = (pieces) => pieces * 12;') },
    b: {
      'src/coupon.js': lines(
        "const price = require('./price');",
        '',
        'exports.of = (pieces) => price.of(pieces) - 5;',
      ),
      'src/coupon.test.js': lines(
        "const coupon = require('./coupon');",
        '',
        "test('takes five off', () => {",
        '  expect(coupon.of(2)).toBe(15);',
        '});',
      ),
    },
    modules: join(checkerFolder('jest'), 'node_modules'),
  },
  {
    runner: 'go test',
    base: {
      'go.mod': lines('module example.com/shop', '', 'go 1.19'),
      'price/price.go': lines('package price', '', 'func Of(pieces int) int { return pieces * 10 }'),
    },
    a: {
      'price/price.go': lines('package price', '', 'func Of(pieces int) int { return pieces * 12 }'),
    },
    b: {
      'coupon/coupon.go': lines(
        'package coupon',
        '',
        'import "example.com/shop/price"',
        '',
        'func Of(pieces int) int { return price.Of(pieces) - 5 }',
      ),
      'coupon/coupon_test.go': lines(
        'package coupon',
        '',
        'import "testing"',
        '',
        'func TestTakesFiveOff(t *testing.T) {',
        '\tif Of(2) != 15 {',
        '\t\tt.Fatal(Of(2))',
        '\t}',
        '}',
      ),
    },
  },
  {
    runner: 'cargo test',
    base: {
      'Cargo.toml': lines('[package]', 'name = "shop"', 'version = "0.1.0"', 'edition = "2021"'),
      '.gitignore': lines('target'),
      'src/lib.rs': lines('pub mod coupon;', 'pub mod price;'),
      'src/price.rs': lines('pub fn of(pieces: u32) -> u32 {', '    pieces * 10', '}'),
      'src/coupon.rs': lines('pub fn none() {}'),
    },
    a: { 'src/price.rs': lines('pub fn of(pieces: u32) -> u32 {', '    pieces * 12', '}') },
    b: {
      'src/coupon.rs': lines(
        'pub fn none() {}',
        '',
        'pub fn of(pieces: u32) -> u32 {',
        '    crate::price::of(pieces) - 5',
        '}',
        '',
        '#[cfg(test)]',
        'mod tests {',
        '    #[test]',
        '    fn takes_five_off() {',
        '        assert_eq!(super::of(2), 15);',
        '    }',
        '}',
      ),
    },
  },
];

async function check({ base, a, b, modules }: Omit<Shop, 'runner'>, confirm: string) {
  const repository = new GitRepository();
  repository.commit(base);
  if (modules !== undefined) symlinkSync(modules, join(repository.dir, 'node_modules'));
  repository.branch('a', a);
  repository.branch('b', b);
  const folder = temporaryFolder();
  const { code, stdout, stderr } = await joinery(
    ['check', 'main', 'a', 'b', '--confirm', confirm, '--json'],
    {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: folder, JOINERY_STATE_DIR: folder },
    },
  );
  const { findings } = CheckReport.parse(JSON.parse(stdout));
  return {
    code,
    stderr,
    found: findings.map(({ rule, severity, branches }) => [rule, severity, ...branches]),
  };
}

describe('a branch', () => {
  test.each(shops)('is judged by its own tests: $runner', async (shop) => {
    const { code, found, stderr } = await check(shop, 'tests');
    expect({ code, found }, stderr).toEqual({ code: 1, found: [['V03', 'blocking', 'a', 'b']] });
  });

  test.each(shops)('has no alarm when all prices stay: $runner', async (shop) => {
    const kept = Object.entries(shop.a).map(([path, text]) => [
      path,
      text?.replace('* 12', '* (5 + 5)') ?? null,
    ]);
    const { code, found, stderr } = await check({ ...shop, a: Object.fromEntries(kept) }, 'tests');
    expect({ code, found }, stderr).toEqual({ code: 0, found: [] });
  });

  test('is judged by the compiler where that runs its code: cargo check with --confirm build', async () => {
    const shop = shops.find(({ runner }) => runner === 'cargo test');
    const changed = {
      'src/price.rs': lines('pub fn of(pieces: u32) -> u64 {', '    u64::from(pieces) * 10', '}'),
    };
    const { code, found, stderr } = await check(
      { base: shop?.base ?? {}, a: changed, b: shop?.b ?? {} },
      'build',
    );
    expect({ code, found }, stderr).toEqual({ code: 1, found: [['V04', 'blocking', 'a', 'b']] });
    expect(stderr).toMatch(/--confirm build runs code of the branches/);
  });
});
