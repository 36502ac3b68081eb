/** A written type, as far as values can be followed through it. Parts are texts again. */
export type TypeText =
  /** `Page<User>`; `by` of the other forms: the name that makes it one, which a module may define itself. */
  | { readonly is: 'name'; readonly name: string; readonly arguments: readonly string[] }
  /** `User[]`, `Array<User>`, `Set<User>`. */
  | { readonly is: 'list'; readonly of: string; readonly by: string | null }
  /** `Map<string, User>`: values are read by `get`. */
  | { readonly is: 'map'; readonly of: string; readonly by: string | null }
  /** `Record<string, User>`: values are read by key. */
  | { readonly is: 'record'; readonly of: string; readonly by: string | null }
  /** Without `null` and `undefined`. */
  | { readonly is: 'union'; readonly of: readonly string[] }
  | { readonly is: 'other' };

/** List methods that call a function with each element, and the position of the element among its parameters. */
export const elementParameter: ReadonlyMap<string, number> = new Map([
  ...['map', 'forEach', 'filter', 'find', 'findIndex', 'findLast', 'some', 'every', 'flatMap'].map(
    (name) => [name, 0] as const,
  ),
  ['reduce', 1],
]);

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
