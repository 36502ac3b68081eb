/** The same for (a, b) and (b, a). A ref cannot hold a space. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

const order = ['blocking', 'important', 'minor', 'info'];

/** The one that matters more. */
export function worse(a: string | undefined, b: string): string {
  return a !== undefined && order.indexOf(a) <= order.indexOf(b) ? a : b;
}
