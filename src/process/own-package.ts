import { readFileSync } from 'node:fs';

interface OwnPackage {
  readonly version: string;
  readonly description: string;
  readonly engines: { readonly node: string };
}

/** Joinery's own package.json: two folders up from `src/cli` and from `dist/cli` alike. */
export function readOwnPackage(): OwnPackage {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}
