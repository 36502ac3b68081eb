import type { Span } from '#code/facts/facts.ts';
import type { LineIndex } from './line-index.ts';
import type { NodeId, SyntaxTree } from './syntax-tree.ts';

export function spanOf(tree: SyntaxTree, lines: LineIndex, node: NodeId): Span {
  const start = tree.start(node);
  return { line: lines.line(start), column: lines.column(start), endLine: lines.line(tree.end(node)) };
}
