import type { Facts } from './facts.ts';

/** What other modules can ask a module for: its exports, or all that a namespace defines. `*` stands for star exports. */
export function offeredNames({ module, definitions, exports }: Facts): string[] {
  const offered =
    module === 'namespace' ? definitions.filter(({ container }) => container === null) : exports;
  return offered.map(({ name }) => name);
}
