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
