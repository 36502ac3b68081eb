import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GitRepository } from '#test/support/git-repository.ts';
import { sample } from '#test/support/sampling.ts';
import { IgnoreRules } from './ignore-rules.ts';

const folders = ['', 'a', 'a/d', 'ab', 'b'];
const names = [
  'a',
  'b',
  'ab',
  'a.b',
  'b.c',
  '#a',
  '!b',
  ' a',
  'a ',
  'A',
  '[a]',
  'a\\b',
  'a-b',
  '\u00e4',
  '*a',
];

const piece = fc.constantFrom(
  ...['a', 'b', 'ab', '.', '/', '*', '**', '**/', '/**', '/**/', '?', ' ', '\\ ', '\\', '\\a', '!', '#', '-'],
  ...[
    '[ab]',
    '[!a]',
    '[^b]',
    '[a-c]',
    '[]a]',
    '[a',
    '[[:alpha:]]',
    '[[:upper:]]',
    '[[:nope:]]',
    '[a-]',
    'A',
    '\u00e4',
  ],
  ...['[\\]]', '[!]', '[\\', '***', '\r'],
);
const line = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const file = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));

/** The paths that a walk leaves out which does not enter ignored folders. */
function ignored(root: IgnoreRules, texts: ReadonlyMap<string, string>, paths: readonly string[]): string[] {
  const bytes = (text: string) => Buffer.from(text).toString('latin1');
  return paths.filter((path) => {
    let rules = root;
    const parts = path.split('/');
    for (const [index] of parts.entries()) {
      const folder = parts.slice(0, index).join('/');
      rules = rules.with(bytes(folder), bytes(texts.get(folder) ?? ''));
      const isFolder = index < parts.length - 1;
      if (rules.ignores(bytes(parts.slice(0, index + 1).join('/')), isFolder)) return true;
    }
    return false;
  });
}

describe('the ignored files', () => {
  test.each([false, true])('are the ones git ignores (case folded: %s)', (isCaseFolded) => {
    const repository = new GitRepository();
    repository.git('config', 'core.ignoreCase', String(isCaseFolded));
    const paths = folders.flatMap((folder) =>
      names.map((name) => (folder === '' ? `${name}x` : `${folder}/${name}`)),
    );
    for (const path of paths) {
      mkdirSync(join(repository.dir, dirname(path)), { recursive: true });
      writeFileSync(join(repository.dir, path), '');
    }
    const { seed, numRuns } = sample('rules of what is ignored', { normal: 100, soak: 5000 });
    fc.assert(
      fc.property(file, file, file, (top, below, outside) => {
        const texts = new Map([
          ['', top],
          ['a', below],
        ]);
        for (const [folder, text] of texts) writeFileSync(join(repository.dir, folder, '.gitignore'), text);
        repository.write({ '.git/info/exclude': outside });
        const asked = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
          cwd: repository.dir,
          input: paths.join('\0'),
          env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
        });
        const byGit = asked.stdout.toString('utf8').split('\0').slice(0, -1);
        const rules = IgnoreRules.from([Buffer.from(outside).toString('latin1')], isCaseFolded);
        expect(ignored(rules, texts, paths)).toEqual(byGit);
      }),
      { seed, numRuns },
    );
  });

  test('are found in time, whatever the pattern', () => {
    const rules = IgnoreRules.from([`${'**/a*'.repeat(200)}/x\n${'*a'.repeat(500)}b\n`]);
    const began = process.cpuUsage();
    expect(rules.ignores(`${'a'.repeat(2000)}/${'a'.repeat(2000)}`, false)).toBe(false);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});
