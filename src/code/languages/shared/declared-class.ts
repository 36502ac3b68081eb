import type { Definition, TypeName } from '#code/facts/facts.ts';

/** The class that a method declares to return: not a list, nor a type parameter such as `T`. */
export function declaredClass({ kind, signature, async }: Definition): TypeName | null {
  if (kind !== 'method' || !signature || async || signature.typeParameters.max > 0) return null;
  const [, name] = /^([A-Z][A-Z\d_]*[a-z]\w*)\??$/.exec(signature.returns ?? '') ?? [];
  return name ?? null;
}
