import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { readFoundFile } from './read-found-file.ts';

test('only a regular file of bounded size is read', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('file'), 'ref: refs/heads/main\n');
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 1024 ** 3);
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('endless'));
  expect(readFoundFile(at('file'))).toBe('ref: refs/heads/main\n');
  for (const name of ['large', 'pipe', 'endless', 'missing', '.'])
    expect(readFoundFile(at(name)), name).toBeNull();
});
