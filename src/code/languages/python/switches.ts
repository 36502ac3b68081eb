import type { Switch } from '#code/facts/facts.ts';
import { spanOf } from '#code/languages/tree-sitter/spans.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName } from './expressions.ts';
import { literalOf } from './literals.ts';
import type { SourceFile } from './source-file.ts';

/** `match` statements over literals and members of enums. */
export function readSwitches(file: SourceFile): Switch[] {
  const { tree } = file.bound;
  const found: Switch[] = [];
  if (!tree.text.includes('match ')) return found;
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'match_statement') continue;
    const cases: string[] = [];
    let hasDefault = false;
    for (const clause of clausesOf(tree, node)) {
      if (tree.child(clause, 'guard') !== none) continue;
      const values = tree
        .children(clause)
        .filter((child) => tree.kind(child) === 'case_pattern')
        .flatMap((pattern) => alternatives(tree, pattern));
      if (values.includes(null)) hasDefault = true;
      else cases.push(...values.flatMap((value) => value ?? []));
    }
    if (cases.length > 0)
      found.push({
        ...spanOf(tree, file.lines, node),
        scope: file.bound.ownerAt(node),
        cases,
        hasDefault,
      });
  }
  return found;
}

function clausesOf(tree: SyntaxTree, match: NodeId): NodeId[] {
  return tree
    .children(match)
    .flatMap((child) => (tree.kind(child) === 'block' ? tree.children(child) : [child]))
    .filter((child) => tree.kind(child) === 'case_clause');
}

/** The values of a pattern; `null` for one that matches anything or is more than a value. */
function alternatives(tree: SyntaxTree, pattern: NodeId): (string | null)[] {
  const inner = tree.kind(pattern) === 'case_pattern' ? tree.firstChild(pattern) : pattern;
  if (inner === none) return [null];
  if (tree.kind(inner) === 'union_pattern')
    return tree.children(inner).flatMap((part) => alternatives(tree, part));
  const names = tree.kind(inner) === 'dotted_name' ? tree.textOf(inner).split('.') : dottedName(tree, inner);
  if (names) return [names.length > 1 ? names.join('.') : null];
  return [literalOf(tree, inner)];
}
