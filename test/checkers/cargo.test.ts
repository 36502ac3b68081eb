import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Errors,
  hasFiles,
  isForCompilers,
  mergeCases,
  proveCase,
  writeCases,
} from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';
import { chance } from '../support/seed.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-cargo-'));
afterAll(() => rm(root, { recursive: true, force: true }), 300_000);

/** What Rust's compiler says of the packages of one tree, tests included; without positions, because merging moves lines. */
function errorsIn(folder: string): Set<string> {
  const dir = join(root, 'trees', folder);
  const manifests = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?:^|[\\/])Cargo\.toml$/.test(path),
  );
  const tops = manifests.includes('Cargo.toml') ? ['Cargo.toml'] : manifests;
  return new Set(
    tops.flatMap((manifest) => {
      const { status, stderr } = spawnSync(
        'cargo',
        ['check', '--offline', '--workspace', '--all-targets', '--quiet', '--message-format', 'short'],
        {
          cwd: dirname(join(dir, manifest)),
          // Cargo takes a package of the same name in another folder for an older build of this one.
          env: { ...process.env, CARGO_TARGET_DIR: join(root, 'output', folder), CARGO_TERM_COLOR: 'never' },
          encoding: 'utf8',
        },
      );
      const found = stderr
        .split('\n')
        .filter((line) => /\berror(?:\[E\d+\])?: /.test(line) && !/^error: could not compile/.test(line))
        .map((line) => line.replaceAll(dir, '').replace(/:\d+:\d+: error/, ': error'));
      // A package without a target is not compiled at all.
      expect(stderr, dir).not.toMatch(/no targets specified|can't find .* at path/);
      expect(found.length > 0, `cargo check in ${dir}:\n${stderr}`).toBe(status !== 0);
      return found;
    }),
  );
}

/** Rules whose conflicts a compiler rejects; the order of parameters (S06), clones and text may compile. */
const isRejected = /^S(?!06)/;

// `cargo check` runs build scripts and macros of a tree, so Joinery itself asks it with `--confirm build` alone.
describe('Rust agrees', async () => {
  const scenarios = readScenarios().filter(({ name }) => name.includes('/rust-'));
  const { git, cases } = await mergeCases(scenarios, root);
  const own = cases.filter((entry) => isForCompilers(entry) && hasFiles(entry, /\.rs$/));
  const sizes = { normal: 4, wide: own.length, soak: own.length };
  const chosen = chance('scenarios that cargo compiles', sizes).pick(own);
  const errors: Errors = new Map(
    (await writeCases(git, chosen, join(root, 'trees'))).map((folder) => [folder, errorsIn(folder)]),
  );
  test.each(chosen)('with $scenario.name', (entry) => {
    const { rule, expected } = entry.scenario;
    const errorsOf = (name: string) => [...(errors.get(entry.trees.get(name) ?? '') ?? ['not merged'])];
    expect(errorsOf('base'), 'base').toEqual([]);
    // A twin of S21 is about names that only seem to be missing: a side may still need what the other adds.
    if (rule === 'S21' && expected.findings.length === 0) expect(errorsOf('union')).toEqual([]);
    else proveCase(entry, errors);
    // Joinery calls a missing field or method likely, because a trait may bring it: the compiler knows.
    const isAboutNames = expected.findings.some((finding) => isRejected.test(finding.rule));
    if (isAboutNames && entry.trees.has('union')) expect(errorsOf('union'), 'broken union').not.toEqual([]);
  });
  test('there are scenarios', () => expect(own.length).toBeGreaterThan(30));
});
