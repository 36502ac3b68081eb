import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language as Grammar, Parser, Tree, TreeCursor } from 'web-tree-sitter';
import { NONE, type NodeId, SyntaxTree } from './syntax-tree.ts';

/** A tree, or why there is none. `broken` is the offset of the first place the grammar could not read. */
export interface Parse {
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

/** What the grammar says about a node kind, so that the copy asks the parser as little as possible per node. */
class NodeKinds {
  readonly names: readonly string[];
  readonly fieldNames: readonly (string | null)[];
  private readonly named: readonly boolean[];
  private readonly leaves: readonly boolean[];

  constructor(grammar: Grammar) {
    this.names = grammar.types;
    this.fieldNames = grammar.fields;
    this.named = grammar.types.map((_, id) => grammar.nodeTypeIsNamed(id));
    this.leaves = grammar.types.map((name, id) => !grammar.nodeTypeIsNamed(id) || LEAF_KINDS.has(name));
  }

  name(id: number): string {
    return this.names[id] ?? 'ERROR';
  }

  /** Unknown ids are errors, which are kept and have children. */
  isNamed(id: number): boolean {
    return this.named[id] ?? true;
  }

  isLeaf(id: number): boolean {
    return this.leaves[id] ?? false;
  }
}

const LEAF_KINDS = new Set([
  'identifier',
  'integer',
  'float',
  'true',
  'false',
  'none',
  'ellipsis',
  'comment',
  'line_continuation',
  'string_start',
  'string_end',
  'pass_statement',
  'break_statement',
  'continue_statement',
]);

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
  /** The open node at each depth; anonymous nodes repeat their parent so that depth stays in step with the cursor. */
  const open: NodeId[] = [];
  let parent: NodeId = NONE;
  for (;;) {
    const id = cursor.nodeTypeId;
    if (kinds.isNamed(id)) {
      const node = columns.kinds.length;
      columns.kinds.push(kinds.name(id));
      columns.fields.push(kinds.fieldNames[cursor.currentFieldId] ?? null);
      columns.starts.push(cursor.startIndex);
      columns.ends.push(cursor.endIndex);
      columns.parents.push(parent);
      columns.after.push(node + 1);
      if (!kinds.isLeaf(id) && cursor.gotoFirstChild()) {
        open.push(parent);
        parent = node;
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || parent === NONE) {
        cursor.delete();
        return new SyntaxTree(columns);
      }
      columns.after[parent] = columns.kinds.length;
      parent = open.pop() ?? NONE;
    }
  }
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
