import { narrowing } from '#code/languages/shared/type-text.ts';
import { childIn, childrenIn, has, isList, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** An unannotated parameter of a function that is passed as an argument. */
interface GivenParameter {
  readonly node: number;
  readonly argument: number;
  readonly parameter: number;
}

export function parametersGiven(reading: Reading, call: number): GivenParameter[] {
  const { tree } = reading;
  const found: GivenParameter[] = [];
  for (const [argument, value] of childrenIn(tree, call, Role.argument).entries()) {
    if (tree.kind[value] === Kind.Spread) break;
    for (const { node, parameter } of unannotated(reading, value)) found.push({ node, argument, parameter });
  }
  return found;
}

/** The parameters of a function expression that have no annotation. */
export function unannotated({ tree }: Reading, value: number): { node: number; parameter: number }[] {
  if (tree.kind[value] !== Kind.Arrow && tree.kind[value] !== Kind.Function) return [];
  return childrenIn(tree, value, Role.parameter).flatMap((node, parameter) =>
    tree.kind[node] === Kind.Parameter && childIn(tree, node, Role.type) < 0 ? [{ node, parameter }] : [],
  );
}

/** The list `[...users]` around `users`, which has the same elements; else the node itself. */
export function copiedInto(reading: Reading, node: number): number {
  const { tree } = reading;
  const spread = tree.parent[node] as number;
  if (tree.kind[spread] !== Kind.Spread) return node;
  const list = tree.parent[spread] as number;
  const isAlone = spread === list + 1 && tree.after[list] === tree.after[spread];
  return isAlone && isList(reading, list) ? list : node;
}

/** The variable of `for (const user of users)`. */
export function loopVariables({ tree, text }: Reading, loop: number): number[] {
  const left = childIn(tree, loop, Role.left);
  const right = childIn(tree, loop, Role.right);
  const between = text.slice(tree.end[left], tree.start[right]);
  if (tree.kind[left] !== Kind.Variables || !/\bof\b/.test(between)) return [];
  const variables = [];
  for (let node = left + 1; node < (tree.after[left] as number); node = tree.after[node] as number)
    if (tree.kind[node] === Kind.Variable && childIn(tree, node, Role.type) < 0) variables.push(node);
  return variables;
}

/** How many parameters a function expression requires. */
export function requiredParameters({ tree }: Reading, value: number): number {
  if (value < 0 || (tree.kind[value] !== Kind.Arrow && tree.kind[value] !== Kind.Function)) return 0;
  return childrenIn(tree, value, Role.parameter).filter(
    (node) =>
      tree.kind[node] === Kind.Parameter &&
      childIn(tree, node, Role.default) < 0 &&
      !has(tree, node, Flag.optional),
  ).length;
}

/** `users.filter(isAdmin)` may give a narrower type than that of the list; a function without an annotation hardly does. */
export function mayNarrow({ tree }: Reading, call: number, method: string): boolean {
  const test = narrowing.has(method) ? childIn(tree, call, Role.argument) : -1;
  if (test < 0) return false;
  const isWritten = tree.kind[test] === Kind.Arrow || tree.kind[test] === Kind.Function;
  return !isWritten || childIn(tree, test, Role.returns) >= 0;
}
