import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import type { Checkout } from '#check/typecheck/containment/checkout.ts';

/** A compiler on this machine: the project's own, or the one that came with us. Never one from a commit. */
export interface Rung {
  readonly kind: 'native' | 'classic';
  readonly origin: 'project' | 'joinery';
  readonly version: string;
  readonly packageDir: string;
}

/** Compilers to try for a project, in this order; the first that works is used. */
export function rungsFor(checkout: Checkout | null, projectDir: string): Rung[] {
  const own = checkout === null ? null : ownCompiler(checkout, projectDir);
  const ours = ['typescript', 'typescript-5.9'].flatMap((name) => ourCompiler(name) ?? []);
  return own ? [own, ...ours.filter(({ version }) => version !== own.version)] : ours;
}

/** The one that Node finds from the project's folder: the nearest node_modules up to the top of the checkout. */
function ownCompiler(checkout: Checkout, projectDir: string): Rung | null {
  for (let dir = projectDir; ; dir = posix.dirname(dir)) {
    const path = posix.join(dir, 'node_modules/typescript');
    const found = readPackage(join(checkout.dir, path), 'project');
    if (found) return checkout.isTracked(path) ? null : found;
    if (dir === '.' || dir === '') return null;
  }
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
