import { isBuiltin } from 'node:module';
import type { Family } from '#code/languages/index.ts';
import { STANDARD_LIBRARY } from '#code/languages/python/resolve/standard-library.ts';

/** A module that comes with the language: there is no package to install. */
export function isStandardLibrary(name: string, family: Family | undefined): boolean {
  return family === 'python' ? STANDARD_LIBRARY.has(name) : isBuiltin(name);
}
