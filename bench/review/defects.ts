/** A small module, its defect, and the test that shows it. */
export interface Defect {
  readonly name: string;
  readonly code: string;
  /** A test that passes despite the defect, which is why it was not noticed. */
  readonly green: string;
  readonly line: number;
  readonly symbol: string;
  readonly issue: string;
  /** Fails because of the defect. */
  readonly red: string;
}

function defect(
  symbol: string,
  code: string,
  line: number,
  issue: string,
  green: string,
  red: string,
): Defect {
  return { name: symbol, code, line, symbol, issue, green, red };
}

export const defects: readonly Defect[] = [
  defect(
    'mean',
    'export function mean(list) {\n  return list.reduce((a, b) => a + b, 0) / list.length;\n}\n',
    2,
    'The mean of an empty list is NaN.',
    'assert.equal(mean([1, 3]), 2)',
    'assert.equal(mean([]), 0)',
  ),
  defect(
    'last',
    'export function last(list) {\n  return list[list.length];\n}\n',
    2,
    'It reads behind the end of the list.',
    'assert.equal(last([]), undefined)',
    'assert.equal(last([1, 2]), 2)',
  ),
  defect(
    'clamp',
    'export function clamp(value, low, high) {\n  return Math.max(high, Math.min(low, value));\n}\n',
    2,
    'Minimum and maximum are swapped.',
    'assert.equal(clamp(2, 2, 2), 2)',
    'assert.equal(clamp(-5, 0, 3), 0)',
  ),
  defect(
    'wrap',
    'export function wrap(index, size) {\n  return index % size;\n}\n',
    2,
    'A negative index stays negative.',
    'assert.equal(wrap(5, 3), 2)',
    'assert.equal(wrap(-1, 3), 2)',
  ),
  defect(
    'retries',
    'export function retries(options) {\n  return options.retries || 3;\n}\n',
    2,
    'No retries (0) becomes three.',
    'assert.equal(retries({}), 3)',
    'assert.equal(retries({ retries: 0 }), 0)',
  ),
  defect(
    'ordered',
    'export function ordered(list) {\n  return [...list].sort();\n}\n',
    2,
    'Numbers are ordered as texts.',
    'assert.deepEqual(ordered([2, 1]), [1, 2])',
    'assert.deepEqual(ordered([10, 9]), [9, 10])',
  ),
  defect(
    'reversed',
    'export function reversed(list) {\n  return list.reverse();\n}\n',
    2,
    'It changes the list of the caller.',
    'assert.deepEqual(reversed([1, 2]), [2, 1])',
    'const list = [1, 2]; reversed(list); assert.deepEqual(list, [1, 2])',
  ),
  defect(
    'initials',
    "export function initials(name) {\n  return name.split(' ').map((word) => word.charAt(0)).join('.');\n}\n",
    2,
    'Two spaces in a row leave an empty part.',
    "assert.equal(initials('Ada Lovelace'), 'A.L')",
    "assert.equal(initials('Ada  Lovelace'), 'A.L')",
  ),
];

/** The same module without its defect, for a change without problems. */
export const sound: Defect = defect(
  'total',
  'export function total(list) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
  2,
  'The sum may overflow.',
  'assert.equal(total([1, 2]), 3)',
  'assert.equal(total([]), 0)',
);
