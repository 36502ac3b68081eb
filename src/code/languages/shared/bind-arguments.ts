import type { CallShape, Parameter, Signature } from '#code/facts/facts.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';
import { fits } from '#code/languages/shared/fits.ts';

/** Binds by position and by name, for languages with both. */
export function bindArguments(parameters: readonly Parameter[], call: CallShape): CallMismatch {
  const positional = parameters.filter(({ kind }) => kind === 'positional' || kind === 'positional-only');
  const byKeyword = new Set(
    parameters.filter(({ kind }) => kind === 'positional' || kind === 'keyword-only').map(({ name }) => name),
  );
  const takesAnyKeyword = parameters.some(({ kind }) => kind === 'keyword-rest');
  const takesAnyPosition = parameters.some(({ kind }) => kind === 'rest');
  const byPosition = new Set(positional.slice(0, call.positional).map(({ name }) => name));
  const given = byPosition.union(new Set(call.keywords.filter((keyword) => byKeyword.has(keyword))));
  const open = call.spread || call.keywordSpread;
  const missing = open
    ? []
    : parameters.filter(
        ({ kind, required, name }) =>
          required && kind !== 'rest' && kind !== 'keyword-rest' && !given.has(name),
      );
  const unexpected = call.keywords.filter((keyword) =>
    byKeyword.has(keyword) ? byPosition.has(keyword) && !call.spread : !takesAnyKeyword,
  );
  const surplus = takesAnyPosition ? 0 : Math.max(0, call.positional - positional.length);
  return { missing: missing.map(({ name }) => name), unexpected, surplus };
}

/** An override must accept the shortest and the longest call of the base. */
export function overrideMismatch(own: Signature, base: Signature): CallMismatch | null {
  for (const call of [shortestCall(base), longestCall(base)]) {
    const mismatch = bindArguments(own.parameters, call);
    if (!fits(mismatch)) return mismatch;
  }
  return null;
}

const isPositional = ({ kind }: Parameter) => kind === 'positional' || kind === 'positional-only';

function shortestCall({ parameters }: Signature): CallShape {
  return callOf(parameters.filter(({ required }) => required));
}

/** With every named parameter, without `*args`. */
function longestCall({ parameters }: Signature): CallShape {
  return callOf(parameters);
}

function callOf(parameters: readonly Parameter[]): CallShape {
  return {
    positional: parameters.filter(isPositional).length,
    keywords: parameters.filter(({ kind }) => kind === 'keyword-only').map(({ name }) => name),
    spread: false,
    keywordSpread: false,
    objects: [],
    awaited: false,
    result: 'other',
    unpacked: null,
  };
}
