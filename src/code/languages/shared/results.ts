/**
 * The value of a call, as a member of what is called: `find.()` is the type of `find(1)`, and `find.(await)` that of
 * `await find(1)`.
 */
export const plainResult = '()';
export const awaitedResult = '(await)';

export function isResult(name: string): boolean {
  return name === plainResult || name === awaitedResult;
}
