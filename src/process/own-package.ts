import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface OwnPackage {
  readonly version: string;
  readonly description: string;
  readonly engines: { readonly node: string };
}

/** Joinery's package.json. */
export function readOwnPackage(): OwnPackage {
  return JSON.parse(readOwnFile('package.json'));
}

/** A file of Joinery's package, which is two folders up from here, both in `src` and in `dist`. */
export function readOwnFile(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The folder of the package: two folders up from `src/process` and from `dist/joinery`. */
export function ownRoot(): string {
  return fileURLToPath(new URL('../..', import.meta.url));
}
