import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleOf, flatIn } from '../scripts/bundle.ts';
import { publishInto } from '../scripts/published.ts';
import { root } from '../scripts/root.ts';
import { benchFolder } from './corpora.ts';

let executable: string | null = null;

/** The command as it is published: a checkout loads every module by itself, which no user pays for. */
export function publishedCommand(): string {
  executable ??= publishInto(temporary());
  return executable;
}

/** A program of the bench that runs code of ours in its own process, linked as that code is published. */
export async function linked(program: string, ...helpers: string[]): Promise<string> {
  const folder = temporary();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bundle = await rolldown(bundleOf([program, ...helpers]));
  await bundle.write(flatIn(folder));
  await bundle.close();
  return join(folder, `${basename(program, '.ts')}.js`);
}

/** Gone with this process. */
function temporary(): string {
  const folder = mkdtempSync(join(benchFolder('published'), 'joinery-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
