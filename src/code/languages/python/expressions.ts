import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

/** `a.b.c` as its parts; null when the expression is not a dotted name. */
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

/** The value of a plain string literal; null for f-strings, bytes, escapes and concatenations. */
export function stringValue(tree: SyntaxTree, node: NodeId): string | null {
  const content = stringContent(tree, node);
  return content === null ? null : tree.text.slice(content.start, content.end);
}

/** Position of the content of a plain string literal. Only f-strings have children in the tree. */
export function stringContent(tree: SyntaxTree, node: NodeId): { start: number; end: number } | null {
  if (tree.kind(node) !== 'string' || tree.firstChild(node) !== none) return null;
  const text = tree.textOf(node);
  const parts = /^[rRuU]?("""|'''|"|')(.*)\1$/s.exec(text);
  const [, quote = '', content = ''] = parts ?? [];
  if (parts === null || content.includes('\\')) return null;
  const start = tree.end(node) - quote.length - content.length;
  return { start, end: start + content.length };
}
