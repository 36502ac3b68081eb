import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import type { Checkout } from '#check/typecheck/containment/checkout.ts';

/** A compiler on this machine: the project's own, or the bundled one. Never one from a commit. */
export interface Rung {
  readonly kind: 'native' | 'classic';
  readonly origin: 'project' | 'joinery';
  readonly version: string;
  readonly packageDir: string;
}

/** Compilers to try for a project, in this order; the first that works is used. */
export async function rungsFor(checkout: Checkout, projectDir: string): Promise<Rung[]> {
  const own = checkout.dir === null ? null : await ownCompiler(checkout, checkout.dir, projectDir);
  const ours = ['typescript', 'typescript-5.9'].flatMap((name) => ourCompiler(name) ?? []);
  return own ? [own, ...ours.filter(({ version }) => version !== own.version)] : ours;
}

/** The one that Node finds from the project's folder: in the nearest node_modules up to the root of the checkout. */
async function ownCompiler(checkout: Checkout, root: string, projectDir: string): Promise<Rung | null> {
  const folders = upwards(projectDir).map((dir) => posix.join(dir, 'node_modules'));
  for (const [index, folder] of folders.entries()) {
    const path = posix.join(folder, 'typescript');
    checkout.looked.note(join(root, path, 'package.json'));
    const found = readPackage(join(root, path), 'project');
    if (!found) continue;
    // Also the folder it loads its own packages from: that can be as hostile as the compiler.
    for (const each of [path, ...folders.slice(index)]) if (await checkout.isTracked(each)) return null;
    return found;
  }
  return null;
}

/** `a/b`, `a`, `.`. */
function upwards(dir: string): string[] {
  const parent = posix.dirname(dir);
  return dir === '.' || dir === '' ? ['.'] : [dir, ...upwards(parent)];
}

function ourCompiler(name: string): Rung | null {
  try {
    const packageFile = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return readPackage(dirname(packageFile), 'joinery');
  } catch {
    return null; // Installed without optional dependencies.
  }
}

function readPackage(packageDir: string, origin: Rung['origin']): Rung | null {
  let version: unknown;
  try {
    version = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
  const major = Number(/^(\d+)\./.exec(String(version))?.[1] ?? 0);
  if (major < 4) return null;
  return { kind: major >= 7 ? 'native' : 'classic', origin, version: String(version), packageDir };
}
