import type { Resolution } from '#code/resolve/resolution.ts';
import type { Diagnostic } from './diagnostic-keys.ts';

/** A module is missing. Its name shows whether it is a package or a file that a branch removed. */
const missingModule =
  /^(?:TS2307|TS2792|mypy:import|mypy:import-not-found|mypy:import-untyped|pyright:reportMissingImports|go:import|javac:import)$/;

/**
 * Packages, their types, or the libraries of a language are missing. A compiler reports that once, and for which file
 * depends on what else it reads.
 */
const alwaysMissing = new Set([
  'TS2688', // Cannot find type definition file.
  'TS2875', // The JSX tag requires the module path 'react/jsx-runtime'.
  'TS7016', // Could not find a declaration file for module.
  'TS6053', // File not found.
  'TS2318', // Cannot find global type.
  'TS2468', // Cannot find global value.
  'TS2580', // Cannot find name 'process'. Do you need to install type definitions for node?
  'TS2581', // … for jQuery?
  'TS2582', // … for a test runner?
  'TS2591', // … and add them to the types field?
  'TS2592',
  'TS2593',
  'TS2867', // … for Bun?
  'TS2868',
  'TS2583', // Cannot find name 'Map'. Do you need to change your target library?
  'TS2584', // … include 'dom'?
  'TS2354', // The syntax requires an imported helper, but module 'tslib' cannot be found.
  'TS7026', // There is no interface JSX.IntrinsicElements.
  'pyright:reportMissingModuleSource',
  'pyright:reportMissingTypeStubs',
]);

/** Resolves a module from a file, in a tree that matters for the diagnostic. */
export type Resolve = (specifier: string, from: string) => Promise<Resolution>;

/** A package that is not installed is no evidence about branches, so such a diagnostic is not a finding. */
export async function isAboutSurroundings(
  { code, message, file }: Diagnostic,
  trees: readonly Resolve[],
): Promise<boolean> {
  if (alwaysMissing.has(code)) return true;
  if (!missingModule.test(code)) return false;
  const specifier = /['"]([^'"]+)['"]/.exec(message)?.[1];
  if (specifier === undefined) return true;
  for (const resolve of trees) {
    const { status } = await resolve(specifier, file);
    if (status === 'found' || status === 'missing') return false;
  }
  return true;
}

/** Cannot find module, no declaration file, and similar errors. */
const unresolvedImport =
  /^(?:TS(?:2307|2688|2732|2792|2875|7016)|mypy:import(?:-\w+)*|pyright:reportMissing\w+|(?:go|javac):import)$/;

/** Imports that a checker could not follow: types behind them are not checked. */
export function countUnresolvedImports(diagnostics: readonly Pick<Diagnostic, 'code'>[]): number {
  return diagnostics.filter(({ code }) => unresolvedImport.test(code)).length;
}
