/** The same for (a, b) and (b, a). A ref cannot hold a space. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** What matters most comes first. */
export const severities = ['blocking', 'important', 'minor', 'info'];

/** The one that matters more. */
export function worse(a: string | undefined, b: string): string {
  return a !== undefined && severities.indexOf(a) <= severities.indexOf(b) ? a : b;
}
