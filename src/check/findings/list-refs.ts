/** `a, b and c`. */
export function listRefs(sides: readonly { readonly ref: string }[]): string {
  const refs = sides.map(({ ref }) => ref).sort();
  return `${refs.slice(0, -1).join(', ')} and ${refs.at(-1)}`;
}
