import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language as Grammar, Parser, Tree, TreeCursor } from 'web-tree-sitter';
import { type NodeId, none, SyntaxTree, type TreeColumns } from './syntax-tree.ts';

/** A tree, always, and the first position that the grammar rejects. */
export interface Parse {
  readonly tree: SyntaxTree;
  readonly broken: { readonly offset: number; readonly message: string } | null;
}

export interface GrammarParser {
  parse(text: string): Parse;
}

/** What is copied from the parser besides named nodes, and what is not. */
export interface GrammarOptions {
  /** Kinds whose children are not copied. */
  readonly leaves?: ReadonlySet<string>;
  /** Kinds whose children are copied without their fields. */
  readonly fieldless?: ReadonlySet<string>;
  /** Kinds that are left out with everything in them, like comments. */
  readonly skipped?: ReadonlySet<string>;
  /** Keywords that are kept as nodes: `this`. */
  readonly words?: ReadonlySet<string>;
  /** A text of the same length in which the grammar knows everything. Asked only about texts that it rejects. */
  adapt?(text: string): string;
  /** Whether the text of a node makes it a leaf. */
  isLeaf?(columns: TreeColumns, node: NodeId): boolean;
}

let engine: Promise<typeof import('web-tree-sitter')> | undefined;

/** Loads a grammar of `@vscode/tree-sitter-wasm`. */
export async function loadGrammar(name: string, options: GrammarOptions = {}): Promise<GrammarParser> {
  engine ??= startEngine();
  const { Parser, Language } = await engine;
  const require = createRequire(import.meta.url);
  const grammars = dirname(require.resolve('@vscode/tree-sitter-wasm'));
  const grammar = await Language.load(join(grammars, `tree-sitter-${name}.wasm`));
  const parser = new Parser().setLanguage(grammar);
  const kinds = new NodeKinds(grammar, options);
  return {
    parse: (text) => {
      const first = parse(parser, kinds, text);
      const adapted = first.broken ? (options.adapt?.(text) ?? text) : text;
      return adapted === text ? first : parse(parser, kinds, text, adapted);
    },
  };
}

async function startEngine(): Promise<typeof import('web-tree-sitter')> {
  const treeSitter = await import('web-tree-sitter');
  const require = createRequire(import.meta.url);
  const wasm = require.resolve('web-tree-sitter/web-tree-sitter.wasm');
  await treeSitter.Parser.init({ locateFile: () => wasm });
  return treeSitter;
}

/**
 * Steps of the parser allowed per character. Real sources need one or two per hundred characters; a count, not a
 * clock, so that the same text always gives the same answer.
 */
const stepsPerUnit = 1;
const freeSteps = 10_000;

/** `parsed` is what the parser gets; the tree shows the text. */
function parse(parser: Parser, kinds: NodeKinds, text: string, parsed = text): Parse {
  let steps = 0;
  const limit = freeSteps + text.length * stepsPerUnit;
  const tree = parser.parse(parsed, null, { progressCallback: () => ++steps > limit });
  if (tree === null) {
    parser.reset();
    return { tree: emptyTree(text), broken: { offset: 0, message: 'too tangled to parse' } };
  }
  try {
    return { tree: flatten(tree, kinds, text), broken: firstBroken(tree, text) };
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
    parents: [none],
    after: [1],
  });
}

/** What the grammar knows about a kind of node, so that copying needs few calls of the parser. */
interface NodeKind {
  readonly name: string;
  /** Named nodes are kept, except comments. */
  readonly isKept: boolean;
  readonly isLeaf: boolean;
  /** Whether the fields of its children are read. */
  readonly hasFields: boolean;
}

class NodeKinds {
  readonly fieldNames: readonly (string | null)[];
  readonly isLeaf: GrammarOptions['isLeaf'];
  readonly #kinds: readonly NodeKind[];

  constructor(grammar: Grammar, { leaves, fieldless, skipped, words, isLeaf }: GrammarOptions) {
    this.fieldNames = grammar.fields;
    this.isLeaf = isLeaf;
    this.#kinds = grammar.types.map((name, id) => ({
      name,
      isKept: grammar.nodeTypeIsNamed(id)
        ? !/comment$/.test(name) && skipped?.has(name) !== true
        : words?.has(name) === true,
      isLeaf: leaves?.has(name) === true,
      hasFields: fieldless?.has(name) !== true,
    }));
  }

  /** Ids unknown to the grammar are errors. */
  at(id: number): NodeKind {
    return this.#kinds[id] ?? errorKind;
  }
}

const errorKind: NodeKind = { name: 'ERROR', isKept: true, isLeaf: false, hasFields: false };

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
  /** Whether the fields of children are read, for each open node. */
  const withFields: boolean[] = [];
  const cursor = source.walk();
  let parent: NodeId = none;
  for (;;) {
    const kind = kinds.at(cursor.nodeTypeId);
    if (kind.isKept) {
      const node = columns.kinds.length;
      columns.kinds.push(kind.name);
      columns.fields.push(withFields.at(-1) ? (kinds.fieldNames[cursor.currentFieldId] ?? null) : null);
      columns.starts.push(cursor.startIndex);
      columns.ends.push(cursor.endIndex);
      columns.parents.push(parent);
      columns.after.push(node + 1);
      if (!kind.isLeaf && !kinds.isLeaf?.(columns, node) && cursor.gotoFirstChild()) {
        parent = node;
        withFields.push(kind.hasFields);
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || parent === none) {
        cursor.delete();
        return new SyntaxTree(columns);
      }
      columns.after[parent] = columns.kinds.length;
      parent = columns.parents[parent] ?? none;
      withFields.pop();
    }
  }
}

/** Follows the error marks from the root to the first node that is an error or was invented by the parser. */
function firstBroken(tree: Tree, text: string): Parse['broken'] {
  // Some grammars require at least one statement, but an empty file is valid in every language.
  if (!tree.rootNode.hasError || text.trim() === '') return null;
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
    // An error node includes the text before it, often the whole file: complete statements in it are not the cause.
    const isSuspect = node.isError
      ? () => cursor.currentNode.hasError || !/_(statement|definition)$|^comment$/.test(cursor.nodeType)
      : () => cursor.currentNode.hasError;
    while (!isSuspect()) if (!cursor.gotoNextSibling()) return { offset, message: 'invalid syntax' };
    if (!cursor.currentNode.hasError) return { offset: cursor.startIndex, message: 'invalid syntax' };
  }
}
