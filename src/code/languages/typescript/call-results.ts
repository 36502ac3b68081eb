import type { CallResult } from '#code/facts/facts.ts';
import { isCondition } from './chains.ts';
import { childIn, has, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

interface Fate {
  readonly result: CallResult;
  readonly unpacked: number | null;
}

const other: Fate = { result: 'other', unpacked: null };
const member: Fate = { result: 'member', unpacked: null };
const tested: Fate = { result: 'tested', unpacked: null };
const chained: Fate = { result: 'chained', unpacked: null };
const dropped: Fate = { result: 'dropped', unpacked: null };

/** How far after a variable its next use is searched, in nodes. */
const reach = 400;

/** What happens to the value of a call. */
export function fateOf(reading: Reading, call: number): Fate {
  const { tree } = reading;
  if (isChained(reading, call)) return chained;
  let value = call;
  for (;;) {
    const kind = tree.kind[tree.parent[value] as number];
    if (kind !== Kind.Await && kind !== Kind.As && kind !== Kind.Satisfies) break;
    value = tree.parent[value] as number;
  }
  const above = tree.parent[value] as number;
  switch (tree.kind[above]) {
    case Kind.ExpressionStatement:
      return dropped;
    case Kind.Variable:
      return fateOfVariable(reading, above);
    case Kind.Assignment:
      return tree.kind[above + 1] === Kind.ArrayTarget ? unpackedInto(reading, above + 1) : other;
    default:
      return fateOfExpression(reading, value);
  }
}

const promiseMethods = new Set(['then', 'catch', 'finally']);

export function isPromiseMethod(name: string): boolean {
  return promiseMethods.has(name);
}

/** `f().then(…)`: the caller expects a promise. */
function isChained({ tree, names }: Reading, call: number): boolean {
  const above = tree.parent[call] as number;
  if (tree.kind[above] !== Kind.Member || tree.role[call] !== Role.object || has(tree, above, Flag.optional))
    return false;
  return isPromiseMethod(names.ofNode(tree.after[call] as number));
}

function fateOfExpression(reading: Reading, value: number): Fate {
  const { tree } = reading;
  const above = tree.parent[value] as number;
  switch (tree.kind[above]) {
    case Kind.Member:
    case Kind.ComputedMember:
      if (tree.role[value] !== Role.object) return other;
      return has(tree, above, Flag.optional) ? tested : member;
    case Kind.Binary:
      return isComparedWithNothing(reading, above) ? tested : other;
    default:
      return isCondition(reading, value) ? tested : other;
  }
}

function isComparedWithNothing({ tree, text }: Reading, binary: number): boolean {
  const left = binary + 1;
  const right = tree.after[left] as number;
  return [left, right].some((side) =>
    /^(?:null|undefined)$/.test(text.slice(tree.start[side] as number, tree.end[side] as number)),
  );
}

function fateOfVariable(reading: Reading, variable: number): Fate {
  const { tree } = reading;
  const id = childIn(tree, variable, Role.id);
  if (tree.kind[id] === Kind.ObjectPattern) return member;
  if (tree.kind[id] === Kind.ArrayPattern) return unpackedInto(reading, id);
  return tree.kind[id] === Kind.Binding ? fateOfNextUse(reading, variable, id) : other;
}

/** The next use of the local decides: it is read from, or tested for existence first. */
function fateOfNextUse(reading: Reading, variable: number, id: number): Fate {
  const { tree, names } = reading;
  const name = names.numberOf(id);
  const from = tree.after[variable] as number;
  const block = tree.parent[tree.parent[variable] as number] as number;
  const end = Math.min(tree.after[block] as number, from + reach);
  for (let node = from; node < end; node++) {
    if (tree.kind[node] === Kind.Reference && names.numberOf(node) === name)
      return fateOfExpression(reading, node);
  }
  return other;
}

/** A pattern with a rest element does not determine the length. */
function unpackedInto({ tree }: Reading, pattern: number): Fate {
  let count = 0;
  for (
    let child = pattern + 1;
    child < (tree.after[pattern] as number);
    child = tree.after[child] as number
  ) {
    if (tree.kind[child] === Kind.PatternRest || tree.kind[child] === Kind.TargetRest) return other;
    count++;
  }
  return { result: 'other', unpacked: count };
}
