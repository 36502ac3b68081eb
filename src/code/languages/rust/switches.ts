import type { Switched } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { selfType } from './types.ts';

/** A `match` whose arms name variants by their enum: `Kind::Open => 1, Kind::Done | Kind::Gone => 2`. */
export function switched(tree: SyntaxTree, node: NodeId): Switched | null {
  if (tree.kind(node) !== 'match_expression') return null;
  const arms = tree
    .children(tree.child(node, 'body'))
    .filter((each) => tree.kind(each) === 'match_arm')
    .map((each) => tree.child(each, 'pattern'))
    // With a condition an arm covers nothing for sure.
    .filter((pattern) => tree.child(pattern, 'condition') === none);
  const cases: string[] = [];
  for (const pattern of arms) {
    const named = variants(tree, tree.firstChild(pattern));
    if (named === 'all') return { cases, hasDefault: true };
    if (named === null) return null;
    cases.push(...named);
  }
  return cases.length > 0 ? { cases, hasDefault: false } : null;
}

/** The variants that a pattern names; `all`: it matches anything; null: something else. */
function variants(tree: SyntaxTree, pattern: NodeId): string[] | 'all' | null {
  switch (tree.kind(pattern)) {
    case '':
      return 'all';
    case 'identifier':
      return /^[\p{Ll}_]/u.test(tree.textOf(pattern)) ? 'all' : null;
    case 'scoped_identifier':
    case 'scoped_type_identifier':
      return variantAt(tree, pattern);
    case 'tuple_struct_pattern':
    case 'struct_pattern':
      return variantAt(tree, tree.child(pattern, 'type'));
    case 'reference_pattern':
    case 'captured_pattern':
      return variants(tree, tree.children(pattern).at(-1) ?? none);
    case 'or_pattern':
      return either(tree.children(pattern).map((each) => variants(tree, each)));
    default:
      return null;
  }
}

function either(parts: readonly (string[] | 'all' | null)[]): string[] | 'all' | null {
  if (parts.includes('all')) return 'all';
  return parts.some((part) => part === null)
    ? null
    : parts.flatMap((part) => (Array.isArray(part) ? part : []));
}

function variantAt(tree: SyntaxTree, path: NodeId): string[] | null {
  const name = tree.textOf(path).replaceAll('::', '.');
  const full = name.startsWith('Self.') ? `${selfType(tree, path)}${name.slice('Self'.length)}` : name;
  return /^\w+(?:\.\w+)+$/.test(full) ? [full] : null;
}
