import { awaitedResult, plainResult } from '#code/languages/shared/results.ts';
import { objectMembers } from './members.ts';
import { type Placed, place } from './placement.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { callableIn } from './signatures.ts';
import { Kind, Role } from './tree/grammar.ts';
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
  const callee = dottedName(reading, call + 1);
  return callee === null ? null : `${callee}.${isAwaited ? awaitedResult : plainResult}`;
}

/** The result of a hook without a return type, when every `return` lists an object: its keys, as members of a type. */
export function returnedMembers(reading: Reading, callable: number, placed: Placed, found: Placed[]): void {
  if (!isHook(placed.definition.name)) return;
  const objects = returnedObjects(reading, callable);
  if (objects !== null) addResult(reading, placed, objects, found);
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
  const { tree } = reading;
  const body = childIn(tree, callable, Role.body);
  if (body < 0 || childIn(tree, callable, Role.returns) >= 0) return null;
  if (tree.kind[body] !== Kind.FunctionBody) return objectsAt(reading, [body]);
  const returned: number[] = [];
  for (let node = body + 1; node < (tree.after[body] as number); node++) {
    const kind = tree.kind[node];
    if (kind === Kind.Function || kind === Kind.Arrow || kind === Kind.Class)
      node = (tree.after[node] as number) - 1;
    else if (kind === Kind.Return) returned.push(tree.after[node] === node + 1 ? -1 : node + 1);
  }
  return objectsAt(reading, returned);
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
