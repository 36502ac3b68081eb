import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleOf, flatIn } from '../scripts/bundle.ts';
import { publishInto } from '../scripts/published.ts';
import { root } from '../scripts/root.ts';
import { benchFolder } from './corpora.ts';

let executable: string | null = null;

/** The published form of the command: a checkout loads every module separately, which users do not pay for. */
export function publishedCommand(): string {
  executable ??= publishInto(temporary());
  return executable;
}

/** A bench program that runs product code in its own process, bundled as that code is published. */
export async function linked(program: string, ...helpers: string[]): Promise<string> {
  const folder = temporary();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bundle = await rolldown(bundleOf([program, ...helpers]));
  await bundle.write(flatIn(folder));
  await bundle.close();
  return join(folder, `${basename(program, '.ts')}.js`);
}

/** Removed when this process exits. */
function temporary(): string {
  const folder = mkdtempSync(join(benchFolder('published'), 'joinery-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
