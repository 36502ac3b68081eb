import type { CallShape } from '#code/facts/facts.ts';
import { fateOf } from './call-results.ts';
import { childrenIn, has, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { memberName } from './types.ts';

const noObjects: CallShape['objects'] = [];
const noKeywords: readonly string[] = [];

/** A call without arguments. */
export const noCall: CallShape = {
  positional: 0,
  keywords: noKeywords,
  spread: false,
  keywordSpread: false,
  objects: noObjects,
  awaited: false,
  result: 'other',
  unpacked: null,
};

/** How a call or `new` passes its arguments. */
export function callShape(reading: Reading, call: number): CallShape {
  const { tree } = reading;
  const { kind, role, after } = tree;
  let positional = 0;
  let spread = false;
  let index = 0;
  let objects: CallShape['objects'] = noObjects;
  const end = after[call] as number;
  for (let child = call + 1; child < end; child = after[child] as number) {
    if (role[child] !== Role.argument) continue;
    if (kind[child] === Kind.Spread) spread = true;
    else if (!spread) {
      positional++;
      if (kind[child] === Kind.Object) objects = [...objects, objectArgument(reading, child, index)];
    }
    index++;
  }
  const { result, unpacked } = fateOf(reading, call);
  return {
    positional,
    keywords: noKeywords,
    spread,
    keywordSpread: false,
    objects,
    awaited: result === 'chained' || isAwaited(reading.tree, call),
    result,
    unpacked,
  };
}

export function objectArgument(reading: Reading, object: number, index: number) {
  const { tree } = reading;
  const keys: string[] = [];
  let open = false;
  for (const property of childrenIn(tree, object, Role.member)) {
    const name = tree.kind[property] === Kind.Property ? memberName(reading, property) : null;
    if (name === null) open = true;
    else keys.push(name);
  }
  return { index, keys, open };
}

/** `await f()`: the caller expects a promise. */
function isAwaited(tree: Reading['tree'], call: number): boolean {
  return tree.kind[tree.parent[call] as number] === Kind.Await || isReturnedByAsync(tree, call);
}

/** An asynchronous function awaits what it returns. */
function isReturnedByAsync(tree: Reading['tree'], call: number): boolean {
  const above = tree.parent[call] as number;
  if (tree.kind[above] !== Kind.Return && tree.kind[above] !== Kind.Arrow) return false;
  for (let node = above; node > 0; node = tree.parent[node] as number) {
    if (tree.kind[node] === Kind.Arrow || tree.kind[node] === Kind.Function)
      return has(tree, node, Flag.async);
  }
  return false;
}
