import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.ts';

/** `a.b.c` as its parts; null when the expression is anything but a dotted name. */
export function dottedName(tree: SyntaxTree, node: NodeId): string[] | null {
  const parts: string[] = [];
  let at = node;
  while (tree.kind(at) === 'attribute') {
    parts.push(tree.textOf(tree.child(at, 'attribute')));
    at = tree.child(at, 'object');
  }
  if (tree.kind(at) !== 'identifier') return null;
  parts.push(tree.textOf(at));
  return parts.reverse();
}

/** The identifier that `a.b.c` starts from. */
export function rootOf(tree: SyntaxTree, node: NodeId): NodeId {
  let at = node;
  while (tree.kind(at) === 'attribute') at = tree.child(at, 'object');
  return tree.kind(at) === 'identifier' ? at : NONE;
}

/** The value of a plain string literal; null for f-strings, bytes, escapes and concatenations. */
export function stringValue(tree: SyntaxTree, node: NodeId): string | null {
  const content = stringContent(tree, node);
  return content === null ? null : tree.text.slice(content.start, content.end);
}

export function stringContent(tree: SyntaxTree, node: NodeId): { start: number; end: number } | null {
  if (tree.kind(node) !== 'string') return null;
  const [open, ...rest] = tree.children(node);
  if (open === undefined || /[fFbBtT]/.test(tree.textOf(open))) return null;
  const close = rest.pop();
  if (close === undefined || tree.kind(close) !== 'string_end' || rest.length > 1) return null;
  const content = { start: tree.end(open), end: tree.start(close) };
  return tree.text.slice(content.start, content.end).includes('\\') ? null : content;
}
