import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { parametersOf } from './parameters.ts';
import type { TokenKind, TokenSink } from './tokens.ts';

export interface BrokenRule {
  readonly offset: number;
  readonly message: string;
}

/**
 * The grammar accepts more than Python 3 does: Python 2 statements, missing blocks, loose indentation. Bad merges often look like that, so
 * the rules that a bad merge breaks are checked here and in `IndentationRules`.
 */
export function firstBrokenRule(tree: SyntaxTree, layout: IndentationRules): BrokenRule | null {
  const inTree = brokenStatement(tree);
  const inLayout = layout.broken;
  if (inTree === null || inLayout === null) return inTree ?? inLayout;
  return inTree.offset <= inLayout.offset ? inTree : inLayout;
}

/** Finds blocks in the token stream that open or close where they may not. */
export class IndentationRules implements TokenSink {
  broken: BrokenRule | null = null;
  readonly #text: string;
  #opensBlock = false;

  constructor(text: string) {
    this.#text = text;
  }

  token(kind: TokenKind, start: number, end: number): void {
    if (kind === 'indent' && !this.#opensBlock) this.#complain(start, 'unexpected indent');
    if (kind === 'newline' || kind === 'indent' || kind === 'dedent') return;
    this.#opensBlock = end - start === 1 && this.#text[start] === ':';
  }

  badDedent(offset: number): void {
    this.#complain(offset, 'unindent does not match any outer indentation level');
  }

  #complain(offset: number, message: string): void {
    this.broken ??= { offset, message };
  }
}

function brokenStatement(tree: SyntaxTree): BrokenRule | null {
  for (let node = 0; node < tree.size; node++) {
    const message = complaint(tree, node);
    if (message !== null) return { offset: tree.start(node), message };
  }
  return null;
}

function complaint(tree: SyntaxTree, node: NodeId): string | null {
  switch (tree.kind(node)) {
    case 'print_statement':
      // `print >>f, x` is a tuple in Python 3.
      return tree.childOfKind(node, 'chevron') === none ? 'print is a statement of Python 2' : null;
    case 'exec_statement':
      return 'exec is a statement of Python 2';
    case 'raise_statement':
      return tree.childOfKind(node, 'expression_list') === none ? null : 'raise with a comma is Python 2';
    case 'block':
      return tree.firstChild(node) === none ? 'expected an indented block' : null;
    case 'parameters':
    case 'lambda_parameters':
      return parameterComplaint(tree, node);
    case 'argument_list':
      return argumentComplaint(tree, node);
    case 'try_statement':
      return tryComplaint(tree, node);
    case 'return_statement':
      return isInside(tree, node, functions) ? null : 'return outside a function';
    case 'break_statement':
    case 'continue_statement':
      return isInside(tree, node, loops) ? null : 'break or continue outside a loop';
    case 'integer':
      return /^0[0-9_]*[1-9]/.test(tree.textOf(node)) ? 'leading zeros are not permitted' : null;
    default:
      return null;
  }
}

const functions = new Set(['function_definition']);
const loops = new Set(['for_statement', 'while_statement']);

/** Whether the innermost function, class or loop body around a statement is one of the wanted kinds. */
function isInside(tree: SyntaxTree, statement: NodeId, wanted: ReadonlySet<string>): boolean {
  for (let node = tree.parent(statement); node !== none; node = tree.parent(node)) {
    const kind = tree.kind(node);
    // Inside an error node the error itself is the finding.
    if (wanted.has(kind) || kind === 'ERROR') return true;
    if (kind === 'class_definition' || kind === 'function_definition') return false;
  }
  return false;
}

function parameterComplaint(tree: SyntaxTree, list: NodeId): string | null {
  const seen = new Set<string>();
  let hasDefault = false;
  for (const parameter of parametersOf(tree, tree.parent(list))) {
    if (parameter.name === none) return 'a parameter must be a name';
    const name = tree.textOf(parameter.name);
    if (seen.has(name)) return `duplicate parameter ${name}`;
    seen.add(name);
    if (parameter.kind !== 'positional' && parameter.kind !== 'positional-only') continue;
    if (parameter.default !== none) hasDefault = true;
    else if (hasDefault) return 'a parameter without a default follows one with a default';
  }
  return null;
}

function argumentComplaint(tree: SyntaxTree, list: NodeId): string | null {
  const seen = new Set<string>();
  let hasKeyword = false;
  let hasSpread = false;
  for (const argument of tree.children(list)) {
    switch (tree.kind(argument)) {
      case 'keyword_argument': {
        const name = tree.textOf(tree.child(argument, 'name'));
        if (seen.has(name)) return `keyword argument ${name} is repeated`;
        seen.add(name);
        hasKeyword = true;
        break;
      }
      case 'dictionary_splat':
        hasSpread = true;
        break;
      case 'list_splat':
      case 'parenthesized_list_splat':
        if (hasSpread) return 'a spread of arguments follows a spread of keywords';
        break;
      default:
        if (hasKeyword || hasSpread) return 'a positional argument follows a keyword argument';
    }
  }
  return null;
}

function tryComplaint(tree: SyntaxTree, node: NodeId): string | null {
  const clauses = tree.children(node).map((child) => tree.kind(child));
  return clauses.includes('except_clause') || clauses.includes('finally_clause')
    ? null
    : 'expected except or finally';
}
