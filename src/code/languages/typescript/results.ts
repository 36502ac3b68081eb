import type { TypeName } from '#code/facts/facts.ts';
import { awaitedResult, plainResult } from '#code/languages/shared/results.ts';
import { objectMembers, typeMembers } from './members.ts';
import { type Placed, place } from './placement.ts';
import { typeOfContext } from './react.ts';
import { childIn, childrenIn, dottedName, has, type Reading } from './reading.ts';
import { callableIn } from './signatures.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { memberName, unwrapped } from './types.ts';

/** Names of hooks and composables, whose callers read members of the result. */
const hook = /^use[A-Z]/;
/** Pinia creates such a function from a set-up function or from options. */
const storeMaker = 'defineStore';
const partsOfStore = new Set(['state', 'getters', 'actions']);

function isHook(name: string): boolean {
  return hook.test(name);
}

/** The type of `find(1)`, `find.()`, and of `await find(1)`, `find.(await)`; null for anything but a call of a name. */
export function resultType(reading: Reading, value: number): string | null {
  const { tree } = reading;
  const isAwaited = tree.kind[value] === Kind.Await;
  const call = isAwaited ? value + 1 : value;
  if (tree.kind[call] !== Kind.Call) return null;
  const context = isAwaited ? null : typeOfContext(reading, call);
  if (context !== null) return context;
  const callee = dottedName(reading, call + 1);
  return callee === null ? null : `${callee}.${isAwaited ? awaitedResult : plainResult}`;
}

/**
 * The members of what a function returns, as members of a type: of an object type that is written as its return type, and of a function
 * without a return type, when every `return` lists an object.
 */
export function returnedMembers(reading: Reading, callable: number, placed: Placed, found: Placed[]): void {
  const type = inlineResult(reading, callable);
  if (type >= 0) {
    addInlineResult(reading, placed, type, found);
    return;
  }
  if (has(reading.tree, callable, Flag.generator)) return;
  const objects = returnedObjects(reading, callable);
  if (objects !== null) addResult(reading, placed, objects, found);
  else if (isHook(placed.definition.name)) placed.definition.type ??= passedOn(reading, callable);
}

/** The type of a hook whose only `return` passes on the result of a call: `return useContext(ThemeContext)`, also by a constant. */
function passedOn(reading: Reading, callable: number): TypeName | null {
  const { tree, names, scopes } = reading;
  const [value = -1, ...others] = returnedValues(reading, callable) ?? [];
  if (value < 0 || others.length > 0) return null;
  const type = resultType(
    reading,
    tree.kind[value] === Kind.Reference ? constantIn(reading, callable, value) : value,
  );
  const root = type?.slice(0, type.indexOf('.'));
  return root === undefined || scopes.isBoundLocally(names.of(root)) ? null : type;
}

/** What a constant of a function holds; -1 if it is none, or if its type may be narrowed before it is returned. */
function constantIn({ tree, names }: Reading, callable: number, reference: number): number {
  const wanted = names.numberOf(reference);
  const body = childIn(tree, callable, Role.body);
  let bindings = 0;
  for (let node = body + 1; node < (tree.after[body] as number); node++) {
    // A block may have a constant of the same name.
    if (tree.kind[node] === Kind.Binding && names.numberOf(node) === wanted && ++bindings > 1) return -1;
    if (tree.kind[node] !== Kind.Reference || names.numberOf(node) !== wanted) continue;
    const isTested = has(tree, tree.parent[node] as number, Flag.instanceof | Flag.in);
    if (tree.role[node] === Role.argument || isTested) return -1;
  }
  for (const statement of childrenIn(tree, body, Role.statement)) {
    if (tree.kind[statement] !== Kind.Variables) continue;
    for (
      let node = statement + 1;
      node < (tree.after[statement] as number);
      node = tree.after[node] as number
    ) {
      const id = childIn(tree, node, Role.id);
      if (tree.kind[id] !== Kind.Binding || names.numberOf(id) !== wanted) continue;
      return childIn(tree, node, Role.type) < 0 ? childIn(tree, node, Role.init) : -1;
    }
  }
  return -1;
}

/** `defineStore('users', () => …)` and `defineStore('users', { state, getters, actions })`. */
export function storeMembers(reading: Reading, call: number, placed: Placed, found: Placed[]): void {
  const { tree } = reading;
  if (dottedName(reading, call + 1) !== storeMaker) return;
  const argument = childrenIn(tree, call, Role.argument).at(-1) ?? -1;
  const isOptions = argument >= 0 && tree.kind[argument] === Kind.Object;
  const objects = isOptions ? objectsOfStore(reading, argument) : returnedBy(reading, argument);
  if (objects !== null) addResult(reading, placed, objects, found);
}

/** `(): { name: string }` and `async (): Promise<{ name: string }>`; else -1. */
function inlineResult({ tree, names }: Reading, callable: number): number {
  const returns = childIn(tree, callable, Role.returns);
  if (returns < 0 || !has(tree, callable, Flag.async))
    return returns >= 0 && tree.kind[returns] === Kind.TypeLiteral ? returns : -1;
  const isPromise =
    tree.kind[returns] === Kind.TypeReference &&
    tree.kind[returns + 1] === Kind.Reference &&
    names.ofNode(returns + 1) === 'Promise';
  const type = isPromise ? childIn(tree, returns, Role.typeArgument) : -1;
  return type >= 0 && tree.kind[type] === Kind.TypeLiteral ? type : -1;
}

function addInlineResult(reading: Reading, of: Placed, type: number, found: Placed[]): void {
  const result = place(
    reading,
    'type',
    plainResult,
    of.path,
    of.node,
    reading.tree.start[type] as number,
    false,
  );
  found.push(result);
  result.definition.members = typeMembers(reading, type, { path: result.path, ambient: false }, found);
}

function addResult(reading: Reading, of: Placed, objects: readonly number[], found: Placed[]): void {
  const from = reading.tree.start[objects[0] ?? of.node] as number;
  const result = place(reading, 'type', plainResult, of.path, of.node, from, false);
  const container = { path: result.path, ambient: false };
  found.push(result);
  const members: Placed[] = [];
  const isOpen = objects.map((object) => objectMembers(reading, object, container, members));
  // Two returns may have a key in common.
  found.push(...new Map(members.map((member) => [member.definition.name, member])).values());
  result.definition.members = { open: isOpen.includes(true) };
}

function returnedBy(reading: Reading, value: number): number[] | null {
  const callable = callableIn(reading, value);
  return callable < 0 ? null : returnedObjects(reading, callable);
}

/** Null when a `return` returns something else, or nothing. */
function returnedObjects(reading: Reading, callable: number): number[] | null {
  const returned = returnedValues(reading, callable);
  return returned === null ? null : objectsAt(reading, returned);
}

/** The values of all `return` statements, -1 for none; null where a return type is declared. */
function returnedValues({ tree }: Reading, callable: number): number[] | null {
  const body = childIn(tree, callable, Role.body);
  if (body < 0 || childIn(tree, callable, Role.returns) >= 0) return null;
  if (tree.kind[body] !== Kind.FunctionBody) return [body];
  const returned: number[] = [];
  for (let node = body + 1; node < (tree.after[body] as number); node++) {
    const kind = tree.kind[node];
    if (kind === Kind.Function || kind === Kind.Arrow || kind === Kind.Class)
      node = (tree.after[node] as number) - 1;
    else if (kind === Kind.Return) returned.push(tree.after[node] === node + 1 ? -1 : node + 1);
  }
  return returned;
}

function objectsAt(reading: Reading, values: readonly number[]): number[] | null {
  const objects = values.map((value) => (value < 0 ? -1 : unwrapped(reading, value)));
  const areWritten = objects.length > 0 && objects.every((node) => reading.tree.kind[node] === Kind.Object);
  return areWritten ? objects : null;
}

/** The objects with the members of a store, null when a part of it has another form. */
function objectsOfStore(reading: Reading, options: number): number[] | null {
  const { tree } = reading;
  const found: number[] = [];
  const end = tree.after[options] as number;
  for (let property = options + 1; property < end; property = tree.after[property] as number) {
    const name = tree.kind[property] === Kind.Property ? memberName(reading, property) : null;
    if (name === null) return null;
    if (!partsOfStore.has(name)) continue;
    const value = childIn(tree, property, Role.value);
    const objects = name === 'state' ? returnedBy(reading, value) : objectsAt(reading, [value]);
    if (objects === null) return null;
    found.push(...objects);
  }
  return found.length > 0 ? found : null;
}
