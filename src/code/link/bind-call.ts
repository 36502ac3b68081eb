import type { CallShape, Signature } from '#code/facts/facts.ts';
import type { CallMismatch, CallRules } from '#code/languages/dialect.ts';
import { fits } from '#code/languages/shared/fits.ts';

/** Why a call cannot bind to a signature; null when it can. */
export function bindCall(signature: Signature, call: CallShape, rules: CallRules): CallMismatch | null {
  const mismatch = rules.bind(signature.parameters, call);
  return fits(mismatch) ? null : mismatch;
}

/** Compares the keys of an options object with the keys of its parameter. */
export function bindOptions(
  expected: readonly { readonly name: string; readonly required: boolean }[],
  given: { readonly keys: readonly string[]; readonly open: boolean },
): CallMismatch | null {
  if (given.open) return null;
  const known = new Set(expected.map(({ name }) => name));
  const present = new Set(given.keys);
  const missing = expected
    .filter(({ name, required }) => required && !present.has(name))
    .map(({ name }) => name);
  const unexpected = given.keys.filter((key) => !known.has(key));
  return missing.length + unexpected.length > 0 ? { missing, unexpected, surplus: 0 } : null;
}

/** `needs tenant and takes no timeout`. */
export function describeMismatch({ missing, unexpected, surplus }: CallMismatch): string {
  const parts = [
    missing.length > 0 ? `needs ${missing.join(', ')}` : '',
    unexpected.length > 0 ? `takes no ${unexpected.join(', ')}` : '',
    surplus > 0 ? `takes ${surplus} argument${surplus > 1 ? 's' : ''} less` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}
