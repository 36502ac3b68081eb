import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { removeFolder } from './remove-folder.ts';

test('a folder with paths longer than the system accepts is removed', async () => {
  const folder = join(temporaryFolder(), 'worktree');
  mkdirSync(folder);
  const step = 'd'.repeat(200);
  execFileSync(
    '/bin/sh',
    ['-c', `for i in $(seq 40); do mkdir ${step} && cd -P ${step} || exit 1; done; echo x > file`],
    {
      cwd: folder,
    },
  );
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

test('a folder that may not be written is removed, and the target of a link stays', async () => {
  const root = temporaryFolder();
  const [folder, target] = [join(root, 'cache'), join(root, 'kept')];
  mkdirSync(join(folder, 'module'), { recursive: true });
  mkdirSync(target);
  writeFileSync(join(target, 'file'), '');
  writeFileSync(join(folder, 'module', 'file'), '');
  symlinkSync(target, join(folder, 'module', 'link'));
  // Root may write everywhere, so another user removes it.
  const isRoot = process.getuid?.() === 0;
  const nobody = 65534;
  const program = `import { removeFolder } from ${JSON.stringify(new URL('./remove-folder.ts', import.meta.url).href)};
${isRoot ? `process.setgid(${nobody}); process.setuid(${nobody});` : ''}
await removeFolder(${JSON.stringify(folder)});`;
  chmodSync(root, 0o777);
  if (isRoot) for (const path of ['', 'module', 'module/file']) chownSync(join(folder, path), nobody, nobody);
  chmodSync(join(folder, 'module'), 0o555);
  execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(join(target, 'file'))).toBe(true);
});
