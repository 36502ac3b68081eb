import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleOf, flatIn } from '../scripts/bundle.ts';
import { root } from '../scripts/root.ts';
import { benchFolder } from './corpora.ts';

let executable: string | null = null;

/** The command as it is published: a checkout loads every module by itself, which no user pays for. */
export function publishedCommand(): string {
  executable ??= publish();
  return executable;
}

/** A program of the bench that runs code of ours in its own process, linked as that code is published. */
export async function linked(program: string, ...helpers: string[]): Promise<string> {
  const folder = temporary();
  const bundle = await rolldown(bundleOf([program, ...helpers]));
  await bundle.write(flatIn(folder));
  await bundle.close();
  return join(folder, `${basename(program, '.ts')}.js`);
}

function publish(): string {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')]);
  const folder = temporary();
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  return join(folder, 'bin', 'joinery.js');
}

/** Where the packages of the checkout are found; gone with this process. */
function temporary(): string {
  const folder = mkdtempSync(join(benchFolder('published'), 'joinery-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
