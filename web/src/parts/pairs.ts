import type { CheckView } from '../api.ts';

/** The same key for (a, b) and (b, a). A ref cannot contain a space. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** The most severe first. */
export const severities = ['blocking', 'important', 'minor', 'info'];

/** The more severe one. */
export function worse(a: string | undefined, b: string): string {
  return a !== undefined && severities.indexOf(a) <= severities.indexOf(b) ? a : b;
}

/** Why two branches without a finding between them are coloured as they are: a branch that conflicts with base met base only. */
export function withoutFinding(
  { base, branches }: Pick<CheckView['report'], 'base' | 'branches'>,
  a: string,
  b: string,
): 'fits' | 'not compared' {
  const states = new Map(branches.map(({ ref, state }) => [ref, state]));
  const isMet = (ref: string) => ref === base.ref || states.get(ref) === 'checked';
  const isWithBase = a === base.ref || b === base.ref;
  return isWithBase || (isMet(a) && isMet(b)) ? 'fits' : 'not compared';
}
