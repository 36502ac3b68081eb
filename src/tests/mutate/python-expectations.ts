import { loadParser } from '#code/languages/python/parser.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { type Edit, operatorBetween } from './edit.ts';
import { type ExpectingTest, otherValue } from './expectation.ts';

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
    const edits: Edit[] = [];
    for (let inner = node; inner < tree.subtreeEnd(node); inner++) edits.push(...expectedAt(tree, inner));
    found.push({ ...spanOf(tree, whole), title: spanOf(tree, name), edits });
  }
  return found;
}

const ofSecond = /\.assert\w*Equals?$|\.assertIs$|\.assertIn$/;

function expectedAt(tree: SyntaxTree, node: NodeId): Edit[] {
  if (tree.kind(node) === 'assert_statement') return comparedIn(tree, tree.firstChild(node));
  if (tree.kind(node) !== 'expression_statement' || tree.kind(tree.firstChild(node)) !== 'call') return [];
  const call = tree.firstChild(node);
  const callee = tree.textOf(tree.child(call, 'function'));
  const args = tree
    .children(tree.child(call, 'arguments'))
    .filter((arg) => tree.kind(arg) !== 'keyword_argument');
  if (/Not/.test(callee)) return [];
  if (/\.assertTrue$/.test(callee)) return comparedIn(tree, args[0] ?? none);
  if (ofSecond.test(callee))
    return [...valueIn(tree, args[1] ?? none), ...valueIn(tree, args[0] ?? none)].slice(0, 1);
  // An assertion of the project's own: `same(add(1, 2), 3)`.
  return /^\w+$/.test(callee) && args.length > 1 ? valueIn(tree, args.at(-1) ?? none) : [];
}

/** `add(1, 2) == 3`, or any other condition, which is turned round. */
function comparedIn(tree: SyntaxTree, node: NodeId): Edit[] {
  if (node === none) return [];
  const [left = none, right = none, more] = tree.children(node);
  if (tree.kind(node) === 'comparison_operator' && more === undefined) {
    const found = operatorBetween(tree.text, tree.end(left), tree.start(right), 'python');
    const isEqual = found?.written === '==';
    const [value] = isEqual ? [...valueIn(tree, right), ...valueIn(tree, left)] : [];
    if (value) return [value];
  }
  const { start, end } = spanOf(tree, node);
  return [{ start, end, becomes: `not (${tree.text.slice(start, end)})` }];
}

/** The first plain value of a list, a dictionary or the value itself. */
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
