import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Binding } from './scopes.ts';

/** Where a name is read, its class is not known. */
const doubtful = none;

/**
 * The expression that names the class of a value where it is read: `E` in `except E as error`, `Admin` below `if isinstance(user, Admin)`
 * and after `assert isinstance(user, Admin)`. The innermost test counts, and only if the name is not bound again after it.
 */
export function testedClass(tree: SyntaxTree, reference: NodeId, binding: Binding): NodeId {
  const name = tree.textOf(reference);
  const isBound = (from: number, to: number) =>
    binding.sites.some(({ form, node }) => form !== 'handler' && node >= from && node < to);
  let child = reference;
  for (let node = tree.parent(child); node !== none; child = node, node = tree.parent(child)) {
    const found = testedBy(tree, node, child, name);
    const kind = tree.kind(node);
    // The condition may bind it too: `if isinstance(x, A) and (x := next())`.
    const end = tree.subtreeEnd(kind === 'conditional_expression' ? node : child);
    if (found !== null) return isBound(node, end) ? doubtful : found;
    if (kind === 'block') {
      const earlier = testedBefore(tree, node, child, name);
      if (earlier !== null)
        return isBound(earlier.statement, tree.subtreeEnd(node)) ? doubtful : earlier.class;
    }
    if (kind === 'function_definition' || kind === 'lambda' || kind === 'class_definition') return doubtful;
  }
  return doubtful;
}

/** What a construct tells about a name in one of its parts; null when it tells nothing. */
function testedBy(tree: SyntaxTree, node: NodeId, part: NodeId, name: string): NodeId | null {
  switch (tree.kind(node)) {
    case 'except_clause':
      return tree.kind(part) === 'block' ? caughtClass(tree, node, name) : null;
    case 'if_statement':
    case 'elif_clause':
      return tree.field(part) === 'consequence'
        ? askedClass(tree, tree.child(node, 'condition'), name)
        : null;
    case 'conditional_expression': {
      const [value, condition = none] = tree.children(node);
      return value === part ? askedClass(tree, condition, name) : null;
    }
    case 'boolean_operator': {
      const [left = none, right = none] = tree.children(node);
      return right === part && isAnd(tree, left, right) ? askedClass(tree, left, name) : null;
    }
    default:
      return null;
  }
}

/** `except E as error`; several classes in parentheses are in doubt. */
function caughtClass(tree: SyntaxTree, clause: NodeId, name: string): NodeId | null {
  const pattern = tree.childOfKind(clause, 'as_pattern');
  const target = pattern === none ? none : tree.childOfKind(pattern, 'as_pattern_target');
  if (target === none || tree.textOf(target) !== name) return null;
  return named(tree, tree.firstChild(pattern));
}

/** `isinstance(name, C)`, alone or joined by `and`. */
function askedClass(tree: SyntaxTree, condition: NodeId, name: string): NodeId | null {
  switch (tree.kind(condition)) {
    case 'parenthesized_expression':
      return askedClass(tree, tree.firstChild(condition), name);
    case 'boolean_operator': {
      const [left = none, right = none] = tree.children(condition);
      if (!isAnd(tree, left, right)) return null;
      const [first, second] = [left, right].map((side) => askedClass(tree, side, name));
      // Of both classes at once: either of them may have the member.
      return first != null && second != null ? doubtful : (first ?? second ?? null);
    }
    case 'call': {
      if (tree.textOf(tree.child(condition, 'function')) !== 'isinstance') return null;
      const [value = none, type = none] = tree.children(tree.child(condition, 'arguments'));
      return tree.textOf(value) === name ? named(tree, type) : null;
    }
    default:
      return null;
  }
}

/** `assert isinstance(name, C)`, and `if not isinstance(name, C): return`, before a statement of the same block. */
function testedBefore(
  tree: SyntaxTree,
  block: NodeId,
  statement: NodeId,
  name: string,
): { readonly class: NodeId; readonly statement: NodeId } | null {
  let found: { readonly class: NodeId; readonly statement: NodeId } | null = null;
  for (const earlier of tree.children(block)) {
    if (earlier === statement) break;
    const type = assertedClass(tree, earlier, name);
    if (type !== null) found = { class: type, statement: earlier };
  }
  return found;
}

function assertedClass(tree: SyntaxTree, statement: NodeId, name: string): NodeId | null {
  if (tree.kind(statement) === 'assert_statement') return askedClass(tree, tree.firstChild(statement), name);
  if (tree.kind(statement) !== 'if_statement') return null;
  const condition = tree.child(statement, 'condition');
  const last = tree.children(tree.child(statement, 'consequence')).at(-1) ?? none;
  const isLast = tree.child(statement, 'alternative') === none;
  return tree.kind(condition) === 'not_operator' && isLast && leaves.has(tree.kind(last))
    ? askedClass(tree, tree.firstChild(condition), name)
    : null;
}

const leaves = new Set(['return_statement', 'raise_statement', 'continue_statement', 'break_statement']);

function named(tree: SyntaxTree, type: NodeId): NodeId {
  const kind = tree.kind(type);
  return kind === 'identifier' || kind === 'attribute' ? type : doubtful;
}

function isAnd(tree: SyntaxTree, left: NodeId, right: NodeId): boolean {
  return /\band\b/.test(tree.text.slice(tree.end(left), tree.start(right)));
}
