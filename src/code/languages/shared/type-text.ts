/** A written type, as far as values can be followed through it. Parts are texts again. */
export type TypeText =
  /** `Page<User>`; `by` of the other forms: the name that makes it one, which a module may define itself. */
  | { readonly is: 'name'; readonly name: string; readonly arguments: readonly string[] }
  /** `User[]`, `Array<User>`, `Set<User>`. */
  | { readonly is: 'list'; readonly of: string }
  /** `Map<string, User>`: values are read by `get`. */
  | { readonly is: 'map'; readonly of: string }
  /** `Record<string, User>`: values are read by key. */
  | { readonly is: 'record'; readonly of: string }
  /** Without `null` and `undefined`. */
  | { readonly is: 'union'; readonly of: readonly string[] }
  /** `Common & { own: string }`. */
  | { readonly is: 'intersection'; readonly of: readonly string[] }
  | { readonly is: 'other' };

const calledWithEach = [
  'map',
  'forEach',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'some',
  'every',
  'flatMap',
];

/** List methods that call a function with elements, and their positions among its parameters. */
const elementParameters: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...calledWithEach.map((name): [string, readonly number[]] => [name, [0]]),
  ['reduce', [1]],
  ['sort', [0, 1]],
  ['toSorted', [0, 1]],
]);

/** Whether a list method passes an element at this position of the function it is given. */
export function passesElement(method: string, parameter: number): boolean {
  return elementParameters.get(method)?.includes(parameter) === true;
}

export function passesElements(method: string): boolean {
  return elementParameters.has(method);
}

/** List methods that give a list of the same elements, or one of them. */
export const sameElements: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'sort',
  'reverse',
  'toSorted',
  'toReversed',
  'values',
]);
export const oneElement: ReadonlySet<string> = new Set(['find', 'findLast', 'at', 'pop', 'shift']);

/** Those of them that may give a narrower type: `users.find((user) => isAdmin(user))`. */
export const narrowing: ReadonlySet<string> = new Set(['filter', 'find', 'findLast']);
