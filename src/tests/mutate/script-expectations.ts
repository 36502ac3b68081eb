import { childIn, childrenIn, type Variant } from '#code/languages/typescript/reading.ts';
import type { FlatTree } from '#code/languages/typescript/tree/flat-tree.ts';
import { Kind, Role } from '#code/languages/typescript/tree/grammar.ts';
import { type Edit, operatorBetween } from './edit.ts';
import { type ExpectingTest, isNamedLikeAssertion, otherValue } from './expectation.ts';
import { scriptTree } from './script-tree.ts';

/** `test('adds', () => { … })` and `it(…)` with a plain title, and the expectations of each. */
export async function scriptExpectations(text: string, variant: Variant): Promise<ExpectingTest[]> {
  const tree = await scriptTree(text, variant);
  if (tree === null) return [];
  const found: ExpectingTest[] = [];
  for (let node = 0; node < tree.count; node++) {
    const test = tree.kind[node] === Kind.ExpressionStatement ? testAt(tree, text, node) : null;
    if (test) found.push(test);
  }
  return found;
}

function testAt(tree: FlatTree, text: string, statement: number): ExpectingTest | null {
  const call = calledIn(tree, statement);
  if (call < 0 || !/^(test|it)(\.each\b[\s\S]*)?$/.test(calleeOf(tree, text, call))) return null;
  const args = childrenIn(tree, call, Role.argument);
  const [title, body] = [args[0] ?? -1, args.at(-1) ?? -1];
  const isTest =
    tree.kind[title] === Kind.String && (tree.kind[body] === Kind.Arrow || tree.kind[body] === Kind.Function);
  if (!isTest) return null;
  const edits: Edit[] = [];
  for (let node = body; node < (tree.after[body] as number); node++) {
    const isStatement = tree.kind[node] === Kind.ExpressionStatement;
    const isOnly = tree.role[node] === Role.body && tree.parent[node] === body;
    const demand = isStatement ? calledIn(tree, node) : isOnly && tree.kind[node] === Kind.Call ? node : -1;
    if (demand >= 0) edits.push(...expectedIn(tree, text, demand));
  }
  return {
    ...spanOf(tree, statement),
    title: spanOf(tree, title),
    edits,
  };
}

/** The call that a statement consists of, awaited or not. */
function calledIn(tree: FlatTree, statement: number): number {
  const whole = childIn(tree, statement, Role.expression);
  const inner = whole >= 0 && tree.kind[whole] === Kind.Await ? childIn(tree, whole, Role.operand) : whole;
  return inner >= 0 && tree.kind[inner] === Kind.Call ? inner : -1;
}

function calleeOf(tree: FlatTree, text: string, call: number): string {
  const callee = childIn(tree, call, Role.callee);
  return callee < 0 ? '' : text.slice(tree.start[callee] as number, tree.end[callee] as number);
}

const negated = /\bnot\b|\bnot[A-Z]|doesNot/;
/** Matchers for which any other value is another expectation. */
const isEquality =
  /\.(equals?|strictEqual|deepEqual|deepStrictEqual|is|same|eql?|toBe|toEqual|toStrictEqual)$/;
const ofSecond = /\.(equals?|strictEqual|deepEqual|deepStrictEqual|is|same|match|include|eql?)$/;
const ofOnly = /\.(toBe|toEqual|toStrictEqual|toHaveLength|toContain|toMatch|toMatchObject|equal|eql?)$/;

/** What a call expects: its second argument, its only one after `expect`, or a comparison in it. */
function expectedIn(tree: FlatTree, text: string, call: number): Edit[] {
  const callee = calleeOf(tree, text, call);
  const args = childrenIn(tree, call, Role.argument);
  if (negated.test(callee.replace(/^([^(]*)\(.*\)/s, '$1')) || /^(test|it|describe)\b/.test(callee))
    return [];
  if (/^(assert|ok|assert\.ok)$/.test(callee)) return comparedIn(tree, text, args[0] ?? -1);
  const of = /^expect\b/.test(callee) ? (ofOnly.test(callee) ? 0 : -1) : ofSecond.test(callee) ? 1 : null;
  if (of !== null) {
    const value = valueIn(tree, text, args[of] ?? -1);
    return value.length === 0 && isEquality.test(callee) ? wrapped(tree, text, args[of] ?? -1) : value;
  }
  // An assertion function of the project: `same(add(1, 2), 3)`.
  return isNamedLikeAssertion(callee) && /^[\w$]+$/.test(callee) && args.length > 1
    ? valueIn(tree, text, args.at(-1) ?? -1)
    : [];
}

/** The first plain value of a list or object, or the value itself. */
function valueIn(tree: FlatTree, text: string, node: number): Edit[] {
  if (node < 0) return [];
  const { start, end } = spanOf(tree, node);
  const becomes = otherValue(text.slice(start, end));
  const isPlain = tree.kind[node] !== Kind.Reference || text.slice(start, end) === 'undefined';
  if (becomes !== null && isPlain) return [{ start, end, becomes }];
  const isList =
    tree.kind[node] === Kind.Object ||
    tree.kind[node] === Kind.Unary ||
    (tree.kind[node] === Kind.Other && text[start] === '[');
  if (!isList)
    return tree.kind[node] === Kind.Property ? valueIn(tree, text, childIn(tree, node, Role.value)) : [];
  for (let child = node + 1; child < (tree.after[node] as number); child = tree.after[child] as number) {
    const found = valueIn(tree, text, child);
    if (found.length > 0) return found;
  }
  return [];
}

/** For expressions without a plain value: `[sum, 'other']`. */
function wrapped(tree: FlatTree, text: string, node: number): Edit[] {
  if (node < 0) return [];
  const { start, end } = spanOf(tree, node);
  return [{ start, end, becomes: `[${text.slice(start, end)}, 'other']` }];
}

/** `add(1, 2) === 3`; any other condition is negated. */
function comparedIn(tree: FlatTree, text: string, node: number): Edit[] {
  if (node < 0) return [];
  const { start, end } = spanOf(tree, node);
  if (tree.kind[node] === Kind.Binary) {
    const [left, right] = [childIn(tree, node, Role.left), childIn(tree, node, Role.right)];
    const found = operatorBetween(text, tree.end[left] as number, tree.start[right] as number, 'script');
    const value = /^===?$/.test(found?.written ?? '') ? valueIn(tree, text, right) : [];
    if (value.length > 0) return value;
  }
  return [{ start, end, becomes: `!(${text.slice(start, end)})` }];
}

function spanOf(tree: FlatTree, node: number): { start: number; end: number } {
  return { start: tree.start[node] as number, end: tree.end[node] as number };
}
