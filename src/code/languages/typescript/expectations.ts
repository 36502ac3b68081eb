import { childrenIn, dottedName, keyName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** Matchers of Jest, Vitest and Jasmine that assert how a mock was called. */
const matchers = new Set([
  'toHaveBeenCalledWith',
  'toHaveBeenLastCalledWith',
  'toHaveBeenCalledExactlyOnceWith',
  'toBeCalledWith',
  'lastCalledWith',
]);
/** They return their argument, with the type of a mock. */
const mocked = new Set(['vi.mocked', 'jest.mocked']);

/** The call of the matcher in `expect(save).toHaveBeenCalledWith(…)`, for `save`; -1 for everything else. */
export function expectedCall(reading: Reading, value: number): number {
  const { tree, names } = reading;
  let node = value;
  if (mocked.has(calleeOf(reading, node) ?? '')) node = tree.parent[node] as number;
  if (calleeOf(reading, node) !== 'expect') return -1;
  const expectation = tree.parent[node] as number;
  const member = tree.parent[expectation] as number;
  if (tree.kind[member] !== Kind.Member || tree.role[expectation] !== Role.object) return -1;
  if (!matchers.has(names.ofNode(tree.after[expectation] as number))) return -1;
  const call = tree.parent[member] as number;
  return tree.kind[call] === Kind.Call && tree.role[member] === Role.callee ? call : -1;
}

/** The callee that gets the node as an argument. */
function calleeOf(reading: Reading, node: number): string | null {
  const { tree } = reading;
  const call = tree.parent[node] as number;
  const isArgument = tree.kind[call] === Kind.Call && tree.role[node] === Role.argument;
  return isArgument ? dottedName(reading, call + 1) : null;
}

/** `jest.spyOn`, `vi.spyOn`, `sinon.stub`, `mock.method`: they take a member by its name, and fail when it does not exist. */
const spy = /(?:^|\.)(?:spyOn|stub|spy|replaceProperty|mock\.method)$/;

/** The member that a test replaces by a mock, `save` in `jest.spyOn(store, 'save')`; null for everything else. */
export function spiedMember(
  reading: Reading,
  value: number,
): { readonly call: number; readonly at: number; readonly name: string } | null {
  const { tree } = reading;
  if (!spy.test(calleeOf(reading, value) ?? '')) return null;
  const call = tree.parent[value] as number;
  const [first, at = -1] = childrenIn(tree, call, Role.argument);
  const name = first === value && at >= 0 && tree.kind[at] === Kind.String ? keyName(reading, at) : null;
  return name === null ? null : { call, at, name };
}
