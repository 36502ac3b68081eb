import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

/** `op.add_column('users', sa.Column('name'), schema='x')`. */
export interface Call {
  readonly node: NodeId;
  /** `op.add_column`; empty when the callee is not a dotted name. */
  readonly name: string;
  readonly args: readonly NodeId[];
  readonly keywords: ReadonlyMap<string, NodeId>;
}

export function callAt(tree: SyntaxTree, node: NodeId): Call | null {
  if (tree.kind(node) !== 'call') return null;
  const args: NodeId[] = [];
  const keywords = new Map<string, NodeId>();
  const list = tree.child(node, 'arguments');
  for (const each of tree.kind(list) === 'argument_list' ? tree.children(list) : []) {
    if (tree.kind(each) === 'keyword_argument')
      keywords.set(tree.textOf(tree.child(each, 'name')), tree.child(each, 'value'));
    else args.push(each);
  }
  return { node, name: dotted(tree, tree.child(node, 'function')), args, keywords };
}

/** `op.add_column`; empty when it is not a dotted name. */
export function dotted(tree: SyntaxTree, node: NodeId): string {
  if (tree.kind(node) === 'identifier') return tree.textOf(node);
  if (tree.kind(node) !== 'attribute') return '';
  const object = dotted(tree, tree.child(node, 'object'));
  return object === '' ? '' : `${object}.${tree.textOf(tree.child(node, 'attribute'))}`;
}

/** The value of a string literal; null for anything else, formatted strings included. */
export function stringOf(tree: SyntaxTree, node: NodeId | undefined): string | null {
  if (node === undefined || node === none) return null;
  if (tree.kind(node) === 'concatenated_string') {
    const parts = tree.children(node).map((part) => stringOf(tree, part));
    return parts.includes(null) ? null : parts.join('');
  }
  if (tree.kind(node) !== 'string') return null;
  const [, prefix = '', quote = '', body = ''] =
    /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(tree.textOf(node)) ?? [];
  return quote === '' || /f/i.test(prefix) ? null : body;
}

/** A formatted string with each of its values replaced. */
export function formattedString(tree: SyntaxTree, node: NodeId, replacement: string): string | null {
  if (tree.kind(node) !== 'string') return null;
  const [, prefix = '', , body = ''] = /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(tree.textOf(node)) ?? [];
  return /f/i.test(prefix) ? body.replace(/\{[^{}]*\}/g, replacement) : body;
}

export function* descendants(tree: SyntaxTree, node: NodeId): Iterable<NodeId> {
  for (let each = node + 1; each < tree.subtreeEnd(node); each++) yield each;
}

/** Statements of a class body: `name = value`, `name: type = value`. */
export interface Assigned {
  readonly name: string;
  readonly type: string | null;
  readonly value: NodeId;
  readonly node: NodeId;
}

export function assignments(tree: SyntaxTree, block: NodeId): Assigned[] {
  return tree.children(block).flatMap((statement): Assigned[] => {
    const each = tree.kind(statement) === 'expression_statement' ? tree.firstChild(statement) : statement;
    if (tree.kind(each) !== 'assignment') return [];
    const left = tree.child(each, 'left');
    if (tree.kind(left) !== 'identifier') return [];
    const type = tree.child(each, 'type');
    return [
      {
        name: tree.textOf(left),
        type: type === none ? null : tree.textOf(type),
        value: tree.child(each, 'right'),
        node: each,
      },
    ];
  });
}

/** Explicit keys of a dictionary; `isOpen` when it may have more. */
export function dictionaryKeys(tree: SyntaxTree, node: NodeId): { keys: string[]; isOpen: boolean } | null {
  if (tree.kind(node) !== 'dictionary') return null;
  const keys: string[] = [];
  let isOpen = false;
  for (const pair of tree.children(node)) {
    const key = tree.kind(pair) === 'pair' ? stringOf(tree, tree.child(pair, 'key')) : null;
    if (key === null) isOpen = true;
    else keys.push(key);
  }
  return { keys: keys.sort(), isOpen };
}

/** The assignments and loops of a node. The loop of a comprehension comes first, although its text follows the expression that uses it. */
export function bindingsIn(tree: SyntaxTree, node: NodeId): readonly NodeId[] {
  switch (tree.kind(node)) {
    case 'assignment':
    case 'for_statement':
      return [node];
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return tree.children(node).filter((each) => tree.kind(each) === 'for_in_clause');
    default:
      return [];
  }
}
