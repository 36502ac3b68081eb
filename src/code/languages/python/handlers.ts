import type { Handler } from '#code/facts/facts.ts';
import { spanOf } from '#code/languages/tree-sitter/spans.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName } from './expressions.ts';
import type { SourceFile } from './source-file.ts';
import { visible } from './visible.ts';

/** Every `try` whose clauses all name what they catch, at least one of them not a class of Python. */
export function readHandlers(file: SourceFile): Handler[] | undefined {
  const { tree } = file.bound;
  if (!tree.text.includes('except')) return undefined;
  const found: Handler[] = [];
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'try_statement') continue;
    const catches = tree
      .children(node)
      .filter((child) => tree.kind(child) === 'except_clause')
      .map((clause) => caughtBy(tree, clause));
    const names = catches.flatMap((each) => each ?? []);
    if (catches.includes(null) || names.every((name) => visible.has(name))) continue;
    const body = tree.child(node, 'body');
    found.push({ ...spanOf(tree, file.lines, body), scope: file.bound.ownerAt(body), catches: names });
  }
  return found.length > 0 ? found : undefined;
}

/** The names in `except A`, `except (A, m.B) as error`; null for one that catches everything or something computed. */
function caughtBy(tree: SyntaxTree, clause: NodeId): string[] | null {
  let value = tree.firstChild(clause);
  if (tree.kind(value) === 'as_pattern') value = tree.firstChild(value);
  if (value === none || tree.kind(value) === 'block') return null;
  const parts = tree.kind(value) === 'tuple' ? tree.children(value) : [value];
  const names = parts.map((part) => dottedName(tree, part)?.join('.') ?? null);
  const isAll = names.some((name) => name === null || name === 'Exception' || name === 'BaseException');
  return isAll ? null : names.flatMap((name) => name ?? []);
}
