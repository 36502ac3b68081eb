import type { Called } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { valueType } from './types.ts';

/** A call, or a struct that is written or taken apart field by field: `User { name, ..base }`. */
export function call(tree: SyntaxTree, node: NodeId): Called | null {
  switch (tree.kind(node)) {
    case 'call_expression': {
      const positional = tree.children(tree.child(node, 'arguments')).length;
      return { callee: named(tree, tree.child(node, 'function')), kind: 'call', positional };
    }
    case 'struct_expression':
    case 'struct_pattern': {
      const parts = partsOf(tree, node);
      const isOpen = parts.some((each) =>
        /^(?:base_field_initializer|remaining_field_pattern)$/.test(tree.kind(each)),
      );
      const keywords = parts.flatMap((each) => {
        const field = fieldOf(tree, each);
        return field === none ? [] : [tree.textOf(field)];
      });
      return {
        callee: named(tree, nameOf(tree, node)),
        kind: 'new',
        positional: 0,
        keywords,
        keywordSpread: isOpen,
      };
    }
    default:
      return null;
  }
}

/** The fields that a literal or a pattern names. */
export function namedMembers(tree: SyntaxTree, node: NodeId): { type: string; member: NodeId }[] {
  if (!/^struct_(?:expression|pattern)$/.test(tree.kind(node))) return [];
  const type = valueType(tree, nameOf(tree, node));
  if (type === null) return [];
  return partsOf(tree, node).flatMap((each) => {
    const member = fieldOf(tree, each);
    return member === none ? [] : [{ type, member }];
  });
}

function nameOf(tree: SyntaxTree, node: NodeId): NodeId {
  return tree.child(node, tree.kind(node) === 'struct_pattern' ? 'type' : 'name');
}

function partsOf(tree: SyntaxTree, node: NodeId): NodeId[] {
  return tree.children(tree.kind(node) === 'struct_pattern' ? node : tree.child(node, 'body'));
}

/** `name` in `name: value`, `name` and `ref name`. */
function fieldOf(tree: SyntaxTree, part: NodeId): NodeId {
  switch (tree.kind(part)) {
    case 'field_initializer':
      return tree.child(part, 'field');
    case 'field_pattern':
      return tree.child(part, 'name');
    case 'shorthand_field_initializer':
      // The name is that of a variable too: only the node around it stands for the field.
      return tree.children(part).length === 1 ? part : none;
    default:
      return none;
  }
}

/** `make` in `make::<u8>`. */
function named(tree: SyntaxTree, callee: NodeId): NodeId {
  switch (tree.kind(callee)) {
    case 'generic_function':
      return tree.child(callee, 'function');
    case 'generic_type_with_turbofish':
      return tree.child(callee, 'type');
    default:
      return callee;
  }
}
