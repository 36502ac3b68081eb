/** `npm run build`: what the published package runs. A checkout never needs it. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './root.ts';

const sources = join(root, 'src');
const target = join(root, 'dist');

rmSync(target, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
);
if (status !== 0) process.exit(1);

// Whatever modules read beside them at run time: queries, grammars.
for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  const isAsset = entry.isFile() && !/\.ts$/.test(entry.name) && !path.split(sep).includes('fixtures');
  if (isAsset) cpSync(path, join(target, path.slice(sources.length)));
}
