import { createRequire } from 'node:module';

/** The YAML library, loaded on first use: loading takes a tenth of the time of a small check. */
export function yaml(): typeof import('yaml') {
  library ??= createRequire(import.meta.url)('yaml') as typeof import('yaml');
  return library;
}

let library: typeof import('yaml') | undefined;
