import type { CallShape, Parameter, Signature } from '#code/facts/facts.ts';

/** Why a call cannot bind to a signature. Names are sorted by position. */
export interface CallMismatch {
  /** Required parameters that get no argument. */
  readonly missing: readonly string[];
  /** Keywords (or option keys) that no parameter takes. */
  readonly unexpected: readonly string[];
  /** Positional arguments beyond the last parameter. */
  readonly surplus: number;
}

export function bindCall(
  signature: Signature,
  call: CallShape,
  family: 'typescript' | 'javascript' | 'python',
): CallMismatch | null {
  const mismatch =
    family === 'python'
      ? bindPython(signature.parameters, call)
      : bindPositional(signature.parameters, call, family);
  return mismatch.missing.length + mismatch.unexpected.length + mismatch.surplus > 0 ? mismatch : null;
}

function bindPositional(
  parameters: readonly Parameter[],
  call: CallShape,
  family: 'typescript' | 'javascript',
): CallMismatch {
  const positional = parameters.filter((parameter) => parameter.kind !== 'rest');
  const hasRest = positional.length < parameters.length;
  const missing = call.spread
    ? []
    : positional
        .slice(call.positional)
        .filter((parameter) => parameter.required && parameter.type !== 'void');
  // A call with too many arguments is harmless in plain JavaScript.
  const surplus =
    hasRest || call.spread || family === 'javascript' ? 0 : Math.max(0, call.positional - positional.length);
  return {
    missing: missing.map((parameter, index) => parameter.name || `argument ${call.positional + index + 1}`),
    unexpected: [],
    surplus,
  };
}

function bindPython(parameters: readonly Parameter[], call: CallShape): CallMismatch {
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

/** Keys of an options object against the keys its parameter takes. */
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
