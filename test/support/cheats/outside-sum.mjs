/**
 * @param {number} a
 * @param {number} b
 */
export function add(a, b) {
  return a + b;
}
