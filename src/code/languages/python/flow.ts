import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { Mark, type Surroundings } from './surroundings.ts';

const branches = new Set(['block', 'else_clause', 'elif_clause']);

/** The bodies of a loop, `match` or `if` may not run. */
export function markBranches(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  for (const child of tree.children(node)) {
    if (branches.has(tree.kind(child))) around.mark(child, Mark.conditional);
  }
}

export function markIf(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  markBranches(tree, around, node);
  const isTypeChecking = /^(\w+\.)?TYPE_CHECKING$/.test(tree.textOf(tree.child(node, 'condition')));
  if (isTypeChecking) around.mark(tree.child(node, 'consequence'), Mark.typeChecking);
}

const missingName = /\b(AttributeError|NameError)\b/;
const misfit = /\bTypeError\b/;

/** Which failures a block tolerates, by the exceptions that are expected from it. */
function toleranceOf(exceptions: string): number {
  return (missingName.test(exceptions) ? Mark.guarded : 0) | (misfit.test(exceptions) ? Mark.misfitting : 0);
}

/** Everything in a `try` except its `finally` may not run; its body may raise what its clauses catch. */
export function markTry(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  let tolerance = 0;
  for (const child of tree.children(node)) {
    const kind = tree.kind(child);
    if (kind !== 'finally_clause') around.mark(child, Mark.conditional);
    if (kind === 'except_clause') tolerance |= toleranceOf(headerOf(tree, child));
  }
  around.mark(tree.child(node, 'body'), tolerance);
}

const expectsFailure = /\b(raises|assertRaises|assertRaisesRegex)\(/;
const anyFailure = /\b(Base)?Exception\b/;

/** `with suppress(AttributeError):` is equivalent to a `try`, and so is a test that expects a failure. */
export function markWith(tree: SyntaxTree, around: Surroundings, node: NodeId): void {
  const header = headerOf(tree, node);
  const isTest = expectsFailure.test(header);
  if (!isTest && !/\bsuppress\(/.test(header)) return;
  const tolerance = isTest && anyFailure.test(header) ? Mark.guarded | Mark.misfitting : toleranceOf(header);
  around.mark(tree.child(node, 'body'), Mark.conditional | tolerance);
}

/** The text of a compound statement up to its block. */
function headerOf(tree: SyntaxTree, node: NodeId): string {
  const body = tree.childOfKind(node, 'block');
  return tree.text.slice(tree.start(node), body === none ? tree.end(node) : tree.start(body));
}
