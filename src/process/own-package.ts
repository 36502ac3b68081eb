import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface OwnPackage {
  readonly version: string;
  readonly description: string;
  readonly engines: { readonly node: string };
}

/** Joinery's own package.json. */
export function readOwnPackage(): OwnPackage {
  return JSON.parse(readOwnFile('package.json'));
}

/** A file of Joinery's own package, which lies two folders up from here in `src` and in `dist` alike. */
export function readOwnFile(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The folder of the package: two folders up from `src/process` and from `dist/joinery` alike. */
export function ownRoot(): string {
  return fileURLToPath(new URL('../..', import.meta.url));
}
