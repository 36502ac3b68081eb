import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/root.ts';
import { benchFolder } from './corpora.ts';

let executable: string | null = null;

/** The command as it is published: a checkout loads every module by itself, which no user pays for. */
export function publishedCommand(): string {
  executable ??= publish();
  return executable;
}

function publish(): string {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')]);
  const folder = mkdtempSync(join(benchFolder('published'), 'joinery-'));
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'bin', 'joinery.js');
}
