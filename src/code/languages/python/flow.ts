import { Mark, type Surroundings } from './surroundings.ts';
import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.ts';

const BRANCHES = new Set(['block', 'else_clause', 'elif_clause']);

/** The bodies of a loop, `match` or `if` may not run. */
export function markBranches(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  for (const child of tree.children(node)) {
    if (BRANCHES.has(tree.kind(child))) around.mark(child, Mark.conditional);
  }
}

export function markIf(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  markBranches(tree, around, node);
  const isTypeChecking = /^(\w+\.)?TYPE_CHECKING$/.test(tree.textOf(tree.child(node, 'condition')));
  if (isTypeChecking) around.mark(tree.child(node, 'consequence'), Mark.typeChecking);
}

const MISSING_NAME = /\b(AttributeError|NameError)\b/;

/** Everything in a `try` but its `finally` may not run; catching a missing name guards the names in its body. */
export function markTry(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  let catchesMissing = false;
  for (const child of tree.children(node)) {
    const kind = tree.kind(child);
    if (kind !== 'finally_clause') around.mark(child, Mark.conditional);
    if (kind === 'except_clause') catchesMissing ||= MISSING_NAME.test(headerOf(tree, child));
  }
  if (catchesMissing) around.mark(tree.child(node, 'body'), Mark.guarded);
}

/** `with suppress(AttributeError):` is a `try` in disguise. */
export function markWith(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  const header = headerOf(tree, node);
  if (!/\bsuppress\(/.test(header)) return;
  const body = tree.child(node, 'body');
  around.mark(body, MISSING_NAME.test(header) ? Mark.conditional | Mark.guarded : Mark.conditional);
}

/** The text of a compound statement up to its block. */
function headerOf(tree: SyntaxTree, node: NodeId): string {
  const body = tree.childOfKind(node, 'block');
  return tree.text.slice(tree.start(node), body === NONE ? tree.end(node) : tree.start(body));
}
