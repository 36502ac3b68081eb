import { loadParser } from '#code/languages/python/parser.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { type Edit, operatorBetween, otherNumber, swapped } from './edit.ts';

const idleKinds = new Set(['type', 'import_statement', 'import_from_statement', 'future_import_statement']);

/** Every edit of a Python text, in order; null if it does not parse. */
export async function pythonEdits(text: string): Promise<Edit[] | null> {
  const { tree, broken } = (await loadParser()).parse(text);
  if (broken !== null) return null;
  const edits: Edit[] = [];
  for (let node: NodeId = 0; node < tree.size; ) {
    const isIdle = idleKinds.has(tree.kind(node)) || isDocumentation(tree, node);
    if (!isIdle) edits.push(...valueEdits(tree, node), ...resultEdits(tree, node));
    node = isIdle ? tree.subtreeEnd(node) : node + 1;
  }
  return edits;
}

function isDocumentation(tree: SyntaxTree, node: NodeId): boolean {
  return tree.kind(node) === 'expression_statement' && tree.kind(tree.firstChild(node)) === 'string';
}

function valueEdits(tree: SyntaxTree, node: NodeId): Edit[] {
  const [start, end] = [tree.start(node), tree.end(node)];
  const whole = (becomes: string | null): Edit[] => (becomes === null ? [] : [{ start, end, becomes }]);
  switch (tree.kind(node)) {
    case 'binary_operator':
    case 'boolean_operator':
    case 'comparison_operator':
    case 'augmented_assignment':
      return operatorEdits(tree, node);
    case 'not_operator': {
      const operand = tree.firstChild(node);
      return operand === none ? [] : whole(`(${tree.textOf(operand)})`);
    }
    case 'integer':
    case 'float':
      return whole(otherNumber(tree.textOf(node)));
    case 'true':
      return whole('False');
    case 'false':
      return whole('True');
    case 'string':
      return isKey(tree, node) ? [] : whole(otherString(tree.textOf(node)));
    case 'raise_statement':
      return whole('pass');
    case 'expression_statement': {
      const [only, more] = tree.children(node);
      const kind = tree.kind(only ?? none);
      return more === undefined && (kind === 'call' || kind === 'await') ? whole('pass') : [];
    }
    default:
      return [];
  }
}

/** Edits of a chained comparison: `a < b <= c`. */
function operatorEdits(tree: SyntaxTree, node: NodeId): Edit[] {
  const operands = tree.children(node);
  return operands.slice(1).flatMap((right, index) => {
    const left = operands[index] as NodeId;
    const found = operatorBetween(tree.text, tree.end(left), tree.start(right), 'python');
    const becomes = found && swapped(found.written);
    return found && becomes ? [{ start: found.start, end: found.end, becomes }] : [];
  });
}

/** Edits of a node used as a condition or as the result of a function. */
function resultEdits(tree: SyntaxTree, node: NodeId): Edit[] {
  const [start, end] = [tree.start(node), tree.end(node)];
  const parent = tree.parent(node);
  const above = tree.kind(parent);
  const written = () => tree.text.slice(start, end);
  if (tree.field(node) === 'condition' && /^(if_statement|elif_clause|while_statement)$/.test(above))
    return [{ start, end, becomes: above === 'while_statement' ? 'False' : `not (${written()})` }];
  if (above === 'conditional_expression' && tree.children(parent)[1] === node)
    return [{ start, end, becomes: `(not (${written()}))` }];
  const isResult = above === 'return_statement' && written() !== 'None';
  return isResult ? [{ start, end, becomes: 'None' }] : [];
}

function isKey(tree: SyntaxTree, node: NodeId): boolean {
  return tree.field(node) === 'key' && tree.kind(tree.parent(node)) === 'pair';
}

/** The empty string for another one, `mutant` for the empty one; null if the text is not a string literal. */
function otherString(written: string): string | null {
  const [, prefix = '', quote = ''] = /^([a-zA-Z]{0,2})("""|'''|"|')/.exec(written) ?? [];
  if (quote === '') return null;
  const isEmpty = written.length === prefix.length + 2 * quote.length;
  return `${prefix}${quote}${isEmpty ? 'mutant' : ''}${quote}`;
}
