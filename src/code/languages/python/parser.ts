import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language as Grammar, Parser, Tree, TreeCursor } from 'web-tree-sitter';
import { withoutDecoratorComments } from './decorator-comments.ts';
import { NONE, type NodeId, SyntaxTree, type TreeColumns } from './syntax-tree.ts';
import { isFormattedString } from './tokens.ts';
import { withoutTypeDefaults } from './type-defaults.ts';

/** A tree, always, and the first place that the grammar could not read. */
interface Parse {
  readonly tree: SyntaxTree;
  readonly broken: { readonly offset: number; readonly message: string } | null;
}

export interface PythonParser {
  parse(text: string): Parse;
}

let loading: Promise<PythonParser> | undefined;

export function loadParser(): Promise<PythonParser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<PythonParser> {
  const { Parser, Language } = await import('web-tree-sitter');
  const require = createRequire(import.meta.url);
  const engine = require.resolve('web-tree-sitter/web-tree-sitter.wasm');
  await Parser.init({ locateFile: () => engine });
  const grammars = dirname(require.resolve('@vscode/tree-sitter-wasm'));
  const grammar = await Language.load(join(grammars, 'tree-sitter-python.wasm'));
  const parser = new Parser().setLanguage(grammar);
  const kinds = new NodeKinds(grammar);
  return { parse: (text) => parse(parser, kinds, text) };
}

/**
 * Steps of the parser allowed per character. Real sources need one or two per hundred characters; a count, not a
 * clock, so that the same text always gives the same answer.
 */
const STEPS_PER_UNIT = 1;
const FREE_STEPS = 10_000;

function parse(parser: Parser, kinds: NodeKinds, text: string): Parse {
  const parsed = parseOnce(parser, kinds, text);
  if (parsed.broken === null) return parsed;
  const plainer = withoutWhatTheGrammarLacks(text);
  if (plainer === text) return parsed;
  const again = parseOnce(parser, kinds, plainer);
  return again.broken === null ? again : parsed;
}

/** The same text, offset by offset, with spaces for valid Python that the grammar takes for an error. */
function withoutWhatTheGrammarLacks(text: string): string {
  const plainer = withoutTypeDefaults(text) ?? text;
  return withoutDecoratorComments(plainer) ?? plainer;
}

function parseOnce(parser: Parser, kinds: NodeKinds, text: string): Parse {
  let steps = 0;
  const limit = FREE_STEPS + text.length * STEPS_PER_UNIT;
  const tree = parser.parse(text, null, { progressCallback: () => ++steps > limit });
  if (tree === null) {
    parser.reset();
    return { tree: emptyTree(text), broken: { offset: 0, message: 'too tangled to parse' } };
  }
  try {
    return { tree: flatten(tree, kinds, text), broken: firstBroken(tree) };
  } finally {
    tree.delete();
  }
}

function emptyTree(text: string): SyntaxTree {
  return new SyntaxTree({
    text,
    kinds: ['module'],
    fields: [null],
    starts: [0],
    ends: [text.length],
    parents: [NONE],
    after: [1],
  });
}

/** What the grammar says about a kind of node, so that the copy asks the parser as little as possible. */
interface NodeKind {
  readonly name: string;
  /** Named nodes are kept, except comments. */
  readonly isKept: boolean;
  readonly isLeaf: boolean;
  /** Whether anybody reads the fields of its children. */
  readonly hasFields: boolean;
}

class NodeKinds {
  readonly fieldNames: readonly (string | null)[];
  private readonly kinds: readonly NodeKind[];

  constructor(grammar: Grammar) {
    this.fieldNames = grammar.fields;
    this.kinds = grammar.types.map((name, id) => ({
      name,
      isKept: grammar.nodeTypeIsNamed(id) && name !== 'comment' && name !== 'line_continuation',
      isLeaf: LEAF_KINDS.has(name),
      hasFields: !FIELDLESS_KINDS.has(name),
    }));
  }

  /** Ids that the grammar does not know are errors. */
  at(id: number): NodeKind {
    return this.kinds[id] ?? ERROR;
  }
}

const ERROR: NodeKind = { name: 'ERROR', isKept: true, isLeaf: false, hasFields: false };

const LEAF_KINDS = new Set(
  'identifier integer float true false none ellipsis string_start string_end'
    .split(' ')
    .concat('pass_statement', 'break_statement', 'continue_statement'),
);

const FIELDLESS_KINDS = new Set(
  'module block expression_statement argument_list parameters lambda_parameters list tuple set dictionary'
    .split(' ')
    .concat(
      'expression_list',
      'pattern_list',
      'tuple_pattern',
      'dotted_name',
      'type',
      'type_parameter',
      'generic_type',
    )
    .concat(
      'parenthesized_expression',
      'boolean_operator',
      'binary_operator',
      'comparison_operator',
      'not_operator',
    )
    .concat('unary_operator', 'conditional_expression', 'return_statement', 'string', 'concatenated_string'),
);

function flatten(source: Tree, kinds: NodeKinds, text: string): SyntaxTree {
  const columns = {
    text,
    kinds: [] as string[],
    fields: [] as (string | null)[],
    starts: [] as number[],
    ends: [] as number[],
    parents: [] as NodeId[],
    after: [] as NodeId[],
  };
  const cursor = source.walk();
  let parent: NodeId = NONE;
  let parentHasFields = false;
  for (;;) {
    const kind = kinds.at(cursor.nodeTypeId);
    if (kind.isKept) {
      const node = columns.kinds.length;
      columns.kinds.push(kind.name);
      columns.fields.push(parentHasFields ? (kinds.fieldNames[cursor.currentFieldId] ?? null) : null);
      columns.starts.push(cursor.startIndex);
      columns.ends.push(cursor.endIndex);
      columns.parents.push(parent);
      columns.after.push(node + 1);
      if (!kind.isLeaf && !isPlainString(columns, node) && cursor.gotoFirstChild()) {
        parent = node;
        parentHasFields = kind.hasFields;
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || parent === NONE) {
        cursor.delete();
        return new SyntaxTree(columns);
      }
      columns.after[parent] = columns.kinds.length;
      parent = columns.parents[parent] ?? NONE;
      parentHasFields = parent !== NONE && !FIELDLESS_KINDS.has(columns.kinds[parent] ?? '');
    }
  }
}

/** Strings are a tenth of all nodes; only those with fields have anything in them to read. */
function isPlainString(columns: TreeColumns, node: NodeId): boolean {
  return columns.kinds[node] === 'string' && !isFormattedString(columns.text, columns.starts[node] ?? 0);
}

/** Follows the error marks down from the root to the first place that is an error or was made up by the parser. */
function firstBroken(tree: Tree): Parse['broken'] {
  if (!tree.rootNode.hasError) return null;
  const cursor = tree.walk();
  try {
    return descendToError(cursor);
  } finally {
    cursor.delete();
  }
}

function descendToError(cursor: TreeCursor): Parse['broken'] {
  for (;;) {
    const node = cursor.currentNode;
    if (node.isMissing) return { offset: node.startIndex, message: `expected ${node.type}` };
    const offset = node.startIndex;
    if (!cursor.gotoFirstChild()) return { offset, message: 'invalid syntax' };
    // An error swallows what stands before it, often the whole file: complete statements in it are not to blame.
    const isSuspect = node.isError
      ? () => cursor.currentNode.hasError || !/_(statement|definition)$|^comment$/.test(cursor.nodeType)
      : () => cursor.currentNode.hasError;
    while (!isSuspect()) if (!cursor.gotoNextSibling()) return { offset, message: 'invalid syntax' };
    if (!cursor.currentNode.hasError) return { offset: cursor.startIndex, message: 'invalid syntax' };
  }
}
