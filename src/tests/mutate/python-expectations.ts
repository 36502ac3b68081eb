import { loadParser } from '#code/languages/python/parser.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { type Edit, operatorBetween } from './edit.ts';
import { type ExpectationEdit, type ExpectingTest, isNamedLikeAssertion, otherValue } from './expectation.ts';

/** Functions and methods called `test…`, and the expectations of each. */
export async function pythonExpectations(text: string): Promise<ExpectingTest[]> {
  const { tree, broken } = (await loadParser()).parse(text);
  if (broken !== null) return [];
  const found: ExpectingTest[] = [];
  for (let node: NodeId = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'function_definition') continue;
    const name = tree.child(node, 'name');
    if (!/^test/.test(tree.textOf(name))) continue;
    const isDecorated = tree.kind(tree.parent(node)) === 'decorated_definition';
    const whole = isDecorated ? tree.parent(node) : node;
    const rows = isDecorated ? rowsOf(tree, whole) : new Map<string, NodeId>();
    const edits: ExpectationEdit[] = [];
    for (let inner = node; inner < tree.subtreeEnd(node); inner++)
      edits.push(...expectedAt(tree, inner, rows));
    found.push({ ...spanOf(tree, whole), title: spanOf(tree, name), edits });
  }
  return found;
}

/** Of `@pytest.mark.parametrize("a, sum", [(1, 2), …])`, the first value of each name. */
function rowsOf(tree: SyntaxTree, decorated: NodeId): Map<string, NodeId> {
  const found = new Map<string, NodeId>();
  for (const decorator of tree.children(decorated)) {
    const call = tree.firstChild(decorator);
    if (tree.kind(call) !== 'call' || !/parametrize$/.test(tree.textOf(tree.child(call, 'function'))))
      continue;
    const [names = none, table = none] = tree.children(tree.child(call, 'arguments'));
    const first = tree.firstChild(table);
    const all = tree.textOf(names).match(/\w+/g) ?? [];
    const values = all.length > 1 ? tree.children(first) : [first];
    for (const [at, name] of all.entries()) found.set(name, values[at] ?? none);
  }
  return found;
}

const ofSecond = /\.assert\w*Equals?$|\.assertIs$/;
/** Assertions for which a close value may also be right. */
const rough = /\.assert(?:Greater|Less|Almost)/;

type Rows = ReadonlyMap<string, NodeId>;

function expectedAt(tree: SyntaxTree, node: NodeId, rows: Rows): ExpectationEdit[] {
  if (tree.kind(node) === 'assert_statement') return comparedIn(tree, tree.firstChild(node), rows);
  if (tree.kind(node) !== 'expression_statement' || tree.kind(tree.firstChild(node)) !== 'call') return [];
  const call = tree.firstChild(node);
  const callee = tree.textOf(tree.child(call, 'function'));
  const args = tree
    .children(tree.child(call, 'arguments'))
    .filter((arg) => tree.kind(arg) !== 'keyword_argument');
  if (/Not/.test(callee)) return [];
  if (/\.assertTrue$/.test(callee)) return comparedIn(tree, args[0] ?? none, rows);
  if (/\.assertIn$/.test(callee)) return heldIn(tree, args[1] ?? none);
  if (ofSecond.test(callee)) {
    const found = otherSide(tree, args[0] ?? none, args[1] ?? none, rows);
    return rough.test(callee) ? found.map((edit) => ({ ...edit, isRough: true })) : found;
  }
  // An assertion function of the project: `same(add(1, 2), 3)`.
  return isNamedLikeAssertion(callee) && /^\w+$/.test(callee) && args.length > 1
    ? valueIn(tree, args.at(-1) ?? none)
    : [];
}

/** `add(1, 2) == 3`; any other condition is negated. */
function comparedIn(tree: SyntaxTree, node: NodeId, rows: Rows): Edit[] {
  if (node === none) return [];
  const [left = none, right = none, more] = tree.children(node);
  if (tree.kind(node) === 'comparison_operator' && more === undefined) {
    const found = operatorBetween(tree.text, tree.end(left), tree.start(right), 'python');
    if (found?.written === '==') return otherSide(tree, left, right, rows);
  }
  const { start, end } = spanOf(tree, node);
  return [{ start, end, becomes: `not (${tree.text.slice(start, end)})` }];
}

/** The plain value on either side, the value of a row, or the right side wrapped in a list. */
function otherSide(tree: SyntaxTree, left: NodeId, right: NodeId, rows: Rows): Edit[] {
  const valued = [right, left].flatMap((side) => [
    ...valueIn(tree, side),
    ...valueIn(tree, rows.get(tree.textOf(side)) ?? none),
  ]);
  if (valued[0] || right === none) return valued.slice(0, 1);
  const { start, end } = spanOf(tree, right);
  return [{ start, end, becomes: `["other", ${tree.text.slice(start, end)}]` }];
}

/** Wraps the whole list of allowed values: if only one of them changed, the result could still be another one. */
function heldIn(tree: SyntaxTree, node: NodeId): Edit[] {
  if (node === none) return [];
  const { start, end } = spanOf(tree, node);
  return [{ start, end, becomes: `[["other", ${tree.text.slice(start, end)}]]` }];
}

/** The first plain value of a list or dictionary, or the value itself. */
function valueIn(tree: SyntaxTree, node: NodeId): Edit[] {
  const kind = tree.kind(node);
  const { start, end } = spanOf(tree, node);
  if (/^(integer|float|string|true|false|none)$/.test(kind)) {
    const becomes = otherValue(tree.text.slice(start, end));
    return becomes === null ? [] : [{ start, end, becomes }];
  }
  if (kind === 'pair') return valueIn(tree, tree.child(node, 'value'));
  if (!/^(list|tuple|dictionary|set|unary_operator|parenthesized_expression)$/.test(kind)) return [];
  for (const child of tree.children(node)) {
    const found = valueIn(tree, child);
    if (found.length > 0) return found;
  }
  return [];
}

function spanOf(tree: SyntaxTree, node: NodeId): { start: number; end: number } {
  return { start: tree.start(node), end: tree.end(node) };
}
