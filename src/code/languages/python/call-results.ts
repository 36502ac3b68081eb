import type { CallResult } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

interface Fate {
  readonly result: CallResult;
  readonly unpacked: number | null;
}

const other: Fate = { result: 'other', unpacked: null };
const member: Fate = { result: 'member', unpacked: null };
const item: Fate = { result: 'item', unpacked: null };
const entered: Fate = { result: 'entered', unpacked: null };
const tested: Fate = { result: 'tested', unpacked: null };
const sized: Fate = { result: 'sized', unpacked: null };
const dropped: Fate = { result: 'dropped', unpacked: null };

/** Members of every list and tuple. */
const sequence = new Set(['count', 'index']);

/** Functions of the language that need a sequence, not just something to iterate over. */
const takesLength = new Set(['len', 'reversed']);

/** How far after an assignment the next use of the name is searched, in nodes. */
const reach = 400;

/** What happens to the value of a call. */
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
      return dropped;
    case 'assignment':
      return fateOfTarget(tree, above);
    case 'with_item':
      return entered;
    case 'as_pattern':
      return tree.kind(tree.parent(above)) === 'with_item' ? entered : other;
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
      if (tree.field(value) !== 'object') return other;
      return sequence.has(tree.textOf(tree.child(above, 'attribute'))) ? item : member;
    case 'subscript':
      if (tree.field(value) !== 'value') return other;
      return tree.kind(tree.child(above, 'subscript')) === 'string' ? member : item;
    case 'argument_list': {
      const callee = tree.textOf(tree.child(tree.parent(above), 'function'));
      return takesLength.has(callee) && !definesOwn(tree, callee) ? sized : other;
    }
    case 'for_statement':
    case 'for_in_clause': {
      const parts = tree.field(value) === 'right' ? partsOf(tree, tree.child(above, 'left')) : null;
      return parts === null ? other : { result: 'iterated', unpacked: parts };
    }
    case 'comparison_operator':
      return /\bNone\b/.test(tree.textOf(above)) ? tested : other;
    case 'not_operator':
      return tested;
    case 'boolean_operator':
      return tree.firstChild(above) === value ? tested : other;
    case 'conditional_expression':
      return tree.children(above)[1] === value ? tested : other;
    case 'if_statement':
    case 'elif_clause':
    case 'while_statement':
      return tree.field(value) === 'condition' ? tested : other;
    default:
      return other;
  }
}

/** The file may bind the name itself. */
function definesOwn(tree: SyntaxTree, name: string): boolean {
  let own = ownNames.get(tree);
  if (own === undefined) {
    own = new Set(
      tree.text.match(
        /(?<=\b(?:def|import|as)\s+|,\s*|^\s*)(?:len|reversed)\b(?!\s*\()|(?<=\bdef\s+)(?:len|reversed)\b/gm,
      ),
    );
    ownNames.set(tree, own);
  }
  return own.has(name);
}

const ownNames = new WeakMap<SyntaxTree, ReadonlySet<string>>();

function fateOfTarget(tree: SyntaxTree, assignment: NodeId): Fate {
  const left = tree.child(assignment, 'left');
  const parts = partsOf(tree, left);
  if (parts !== null) return { result: 'other', unpacked: parts };
  return tree.kind(left) === 'identifier' ? fateOfNextUse(tree, assignment, left) : other;
}

/** Into how many parts a target takes a value; null where it takes it as a whole, or any number. */
function partsOf(tree: SyntaxTree, target: NodeId): number | null {
  if (!/^(?:pattern_list|tuple_pattern|list_pattern)$/.test(tree.kind(target))) return null;
  const parts = tree.children(target);
  return parts.some((part) => tree.kind(part) === 'list_splat_pattern') ? null : parts.length;
}

/** The next use of the name decides: it is read from, or tested for existence first. */
function fateOfNextUse(tree: SyntaxTree, assignment: NodeId, target: NodeId): Fate {
  const name = tree.textOf(target);
  const statement = tree.parent(assignment);
  const block = tree.parent(statement);
  if (block === none) return other;
  const from = tree.subtreeEnd(statement);
  const end = Math.min(tree.subtreeEnd(block), from + reach);
  for (let node = from; node < end; node++) {
    const isIt = tree.kind(node) === 'identifier' && tree.field(node) !== 'attribute';
    if (isIt && tree.textOf(node) === name) return fateOfExpression(tree, node);
  }
  return other;
}
