import type { CallMismatch } from '#code/languages/dialect.ts';

/** Nothing is missing and nothing is too much. */
export function fits({ missing, unexpected, surplus }: CallMismatch): boolean {
  return missing.length + unexpected.length + surplus === 0;
}
