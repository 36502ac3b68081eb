import type { CallResult } from '#code/facts/facts.ts';
import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.ts';

interface Fate {
  readonly result: CallResult;
  readonly unpacked: number | null;
}

const OTHER: Fate = { result: 'other', unpacked: null };
const MEMBER: Fate = { result: 'member', unpacked: null };
const TESTED: Fate = { result: 'tested', unpacked: null };
const DROPPED: Fate = { result: 'dropped', unpacked: null };

/** How far behind an assignment the next use of the name is looked for, in nodes. */
const REACH = 400;

/** What becomes of the value of a call. */
export function fateOf(tree: SyntaxTree, call: NodeId): Fate {
  let value = call;
  for (;;) {
    const kind = tree.kind(tree.parent(value));
    if (kind !== 'await' && kind !== 'parenthesized_expression') break;
    value = tree.parent(value);
  }
  const above = tree.parent(value);
  switch (tree.kind(above)) {
    case 'expression_statement':
      return DROPPED;
    case 'assignment':
      return fateOfTarget(tree, above);
    case 'named_expression':
      return fateOfExpression(tree, tree.parent(above));
    default:
      return fateOfExpression(tree, value);
  }
}

function fateOfExpression(tree: SyntaxTree, value: NodeId): Fate {
  const above = tree.parent(value);
  switch (tree.kind(above)) {
    case 'attribute':
      return tree.field(value) === 'object' ? MEMBER : OTHER;
    case 'subscript':
      return tree.field(value) === 'value' ? MEMBER : OTHER;
    case 'comparison_operator':
      return /\bNone\b/.test(tree.textOf(above)) ? TESTED : OTHER;
    case 'not_operator':
      return TESTED;
    case 'boolean_operator':
      return tree.firstChild(above) === value ? TESTED : OTHER;
    case 'conditional_expression':
      return tree.children(above)[1] === value ? TESTED : OTHER;
    case 'if_statement':
    case 'elif_clause':
    case 'while_statement':
      return tree.field(value) === 'condition' ? TESTED : OTHER;
    default:
      return OTHER;
  }
}

function fateOfTarget(tree: SyntaxTree, assignment: NodeId): Fate {
  const left = tree.child(assignment, 'left');
  const kind = tree.kind(left);
  if (kind === 'pattern_list' || kind === 'tuple_pattern' || kind === 'list_pattern') {
    const parts = tree.children(left);
    if (parts.some((part) => tree.kind(part) === 'list_splat_pattern')) return OTHER;
    return { result: 'other', unpacked: parts.length };
  }
  return kind === 'identifier' ? fateOfNextUse(tree, assignment, left) : OTHER;
}

/** The next mention of the name decides: it is read from, or first asked whether it is there. */
function fateOfNextUse(tree: SyntaxTree, assignment: NodeId, target: NodeId): Fate {
  const name = tree.textOf(target);
  const statement = tree.parent(assignment);
  const block = tree.parent(statement);
  if (block === NONE) return OTHER;
  const from = tree.subtreeEnd(statement);
  const end = Math.min(tree.subtreeEnd(block), from + REACH);
  for (let node = from; node < end; node++) {
    const isIt = tree.kind(node) === 'identifier' && tree.field(node) !== 'attribute';
    if (isIt && tree.textOf(node) === name) return fateOfExpression(tree, node);
  }
  return OTHER;
}
