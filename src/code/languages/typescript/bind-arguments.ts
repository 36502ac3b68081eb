import type { CallShape, Parameter, Signature } from '#code/facts/facts.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';

export function bindPositional(parameters: readonly Parameter[], call: CallShape): CallMismatch {
  const positional = parameters.filter((parameter) => parameter.kind !== 'rest');
  const hasRest = positional.length < parameters.length;
  const missing = call.spread
    ? []
    : positional.slice(call.positional).filter((parameter) => isNeeded(parameter));
  return {
    missing: missing.map((parameter, index) => parameter.name || `argument ${call.positional + index + 1}`),
    unexpected: [],
    surplus: hasRest || call.spread ? 0 : Math.max(0, call.positional - positional.length),
  };
}

/** Plain JavaScript ignores surplus arguments. */
export function bindLeniently(parameters: readonly Parameter[], call: CallShape): CallMismatch {
  return { ...bindPositional(parameters, call), surplus: 0 };
}

/** TypeScript lets an override ignore parameters, but not require more than the base gets. */
export function surplusOfRequired(own: Signature, base: Signature): CallMismatch | null {
  if (base.parameters.some(({ kind }) => kind === 'rest')) return null;
  const missing = own.parameters.slice(base.parameters.length).filter(isNeeded);
  if (missing.length === 0) return null;
  return { missing: missing.map(({ name }) => name || 'a parameter'), unexpected: [], surplus: 0 };
}

/** An argument may also be left out for `void` and `string | void`. */
function isNeeded({ required, type }: Parameter): boolean {
  return required && (type === null || type.includes('=>') || !/(?:^|\|) ?void(?: ?\||$)/.test(type));
}
