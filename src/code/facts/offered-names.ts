import type { Facts } from './facts.ts';

/** The names that other modules can import: exports, or all definitions of a namespace. `*` means star exports. */
export function offeredNames({ module, definitions, exports }: Facts): string[] {
  const offered =
    module === 'namespace' ? definitions.filter(({ container }) => container === null) : exports;
  return offered.map(({ name }) => name);
}
