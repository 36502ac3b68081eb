/** The value of a call, as a member of the callee: `find.()` is the type of `find(1)`, and `find.(await)` that of `await find(1)`. */
export const plainResult = '()';
export const awaitedResult = '(await)';
/** What the value of a call holds: `find.(?)` is the type of `find(1)?`, and `find.(await?)` that of `find(1).await?`. */
export const unwrappedResult = '(?)';
export const unwrappedAwaited = '(await?)';

/** The keys of a dictionary, as a member of what gives it: `Context.{}` of a `TypedDict`, `load.{}` of what `load()` returns, `load.{await}` of `await load()`. */
export const givenKeys = '{}';
export const awaitedKeys = '{await}';

export function isKeys(name: string): boolean {
  return name === givenKeys || name === awaitedKeys;
}

/** A dictionary that a function returns, or a key of it: part of the body of the function. */
export function isPartOfResult({ name, container }: { name: string; container: string | null }): boolean {
  return name === givenKeys || container?.endsWith(`.${givenKeys}`) === true;
}

/** `load.{}` for the type `load.()`, and `Context.{}` for the type `Context`. */
export function keysOfValue(type: string): string {
  if (type.endsWith(`.${plainResult}`)) return `${type.slice(0, -plainResult.length)}${givenKeys}`;
  if (type.endsWith(`.${awaitedResult}`)) return `${type.slice(0, -awaitedResult.length)}${awaitedKeys}`;
  return `${type}.${givenKeys}`;
}

/** A value that was tested for its class or caught by it, as a member of the class: `Admin.(is)`. It may be of a subclass. */
export const testedValue = '(is)';

/** A name that functions of a file import, as a name of that file: `Store@`. */
export function importedInside(name: string): string {
  return `${name}@`;
}

export function readImportedInside(name: string): string | null {
  return name.endsWith('@') ? name.slice(0, -1) : null;
}

/** The value that a test runner passes for a fixture: `client.(fixture)`. */
export const fixtureValue = '(fixture)';

/** The value of a member, as a member of it: `Props.user.(held)` is `user` in `({ user }: Props) => …`. */
export const heldValue = '(held)';

/** The values of a React context, as a member of it: `ThemeContext.(context).(held)` is the type of `useContext(ThemeContext)`. */
export const contextValue = '(context)';

export function isResult(name: string): boolean {
  return name === plainResult || name === awaitedResult || isUnwrapped(name);
}

export function isUnwrapped(result: string): boolean {
  return result === unwrappedResult || result === unwrappedAwaited;
}

/** A parameter of a callback, as a member of the callee: `get.(1,0)` is `c` in `get('/', (c) => …)`. */
export function givenParameter(argument: number, parameter: number): string {
  return `(${argument},${parameter})`;
}

export function readGivenParameter(name: string): { argument: number; parameter: number } | null {
  const [, argument, parameter] = /^\((\d+),(\d+)\)$/.exec(name) ?? [];
  return argument === undefined ? null : { argument: Number(argument), parameter: Number(parameter) };
}

/** What a parameter takes, as a member of the function: `save.(=1)` is the type of the second argument of `save`. */
export function takenArgument(parameter: number): string {
  return `(=${parameter})`;
}

export function readTakenArgument(name: string): number | null {
  const [, parameter] = /^\(=(\d+)\)$/.exec(name) ?? [];
  return parameter === undefined ? null : Number(parameter);
}

/** One of several results, or an element of one, as a member of the callee: `find.(#1)`, `list.(#0[])`. */
export function resultPart(at: number, isElement = false): string {
  return `(#${at}${isElement ? elementOf : ''})`;
}

export function readResultPart(name: string): { at: number; isElement: boolean } | null {
  const [, at, element] = /^\(#(\d+)(\[\])?\)$/.exec(name) ?? [];
  return at === undefined ? null : { at: Number(at), isElement: element !== undefined };
}

/** The elements of a list, as a member of the list: `Order.items.[]`. The type of a field that holds one is `Item[]`. */
export const elementOf = '[]';

/** `Item` for `Item[]`; null for a type that is not a list, such as `Order.items.[]`. */
export function elementType(type: string | null): string | null {
  return type?.endsWith(elementOf) && !type.endsWith(`.${elementOf}`)
    ? type.slice(0, -elementOf.length)
    : null;
}
