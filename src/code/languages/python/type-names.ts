import type { TypeName } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName, stringContent } from './expressions.ts';
import type { PythonParser } from './parser.ts';

/** Special forms whose first argument is the relevant type. */
const transparent = new Set([
  'Optional',
  'Annotated',
  'Final',
  'ClassVar',
  'Required',
  'NotRequired',
  'ReadOnly',
  'InitVar',
]);
/** Subscripted forms of `typing` that do not name the class of the value. */
const opaque = new Set([
  'Literal',
  'Callable',
  'Type',
  'type',
  'Tuple',
  'tuple',
  'Concatenate',
  'TypeGuard',
  'TypeIs',
  'Unpack',
]);
/** Iterating over one of these gives values of the first argument. */
const collections = new Set([
  'list',
  'List',
  'set',
  'Set',
  'frozenset',
  'FrozenSet',
  'Sequence',
  'MutableSequence',
  'Iterable',
  'Iterator',
  'Collection',
  'AbstractSet',
  'MutableSet',
  'deque',
  'Deque',
]);
/** Their arguments: yielded, sent and returned type. */
const generators = new Set(['Generator', 'AsyncGenerator', 'AsyncIterator', 'AsyncIterable']);
const maxDepth = 12;

/** Reads annotations as types; quoted annotations are parsed like others. */
export class Annotations {
  readonly #parser: PythonParser;

  constructor(parser: PythonParser) {
    this.#parser = parser;
  }

  /** The one named type of an annotation, ignoring None: `User` for `Optional[User]`. */
  typeName(tree: SyntaxTree, annotation: NodeId, depth = 0): TypeName | null {
    if (annotation === none || depth > maxDepth) return null;
    switch (tree.kind(annotation)) {
      case 'type':
      case 'parenthesized_expression':
        return this.typeName(tree, tree.firstChild(annotation), depth + 1);
      case 'identifier':
      case 'attribute':
        return dottedName(tree, annotation)?.join('.') ?? null;
      case 'string':
        return this.#quoted(tree, annotation, depth);
      case 'generic_type':
      case 'subscript':
        return this.#subscripted(tree, annotation, depth);
      case 'binary_operator':
      case 'union_type':
        return this.#single(tree, this.#alternatives(tree, annotation), depth);
      default:
        return null;
    }
  }

  /** The one named element type of an annotated collection: `User` for `list[User]`. */
  elementName(tree: SyntaxTree, annotation: NodeId): TypeName | null {
    const type = tree.kind(annotation) === 'type' ? tree.firstChild(annotation) : annotation;
    if (tree.kind(type) !== 'generic_type' && tree.kind(type) !== 'subscript') return null;
    const last = dottedName(tree, tree.firstChild(type))?.at(-1);
    const [element, ...others] = subscriptArguments(tree, type);
    if (last === undefined || element === undefined) return null;
    const isCollection = collections.has(last) && others.length === 0;
    if (!isCollection && !generators.has(last)) return null;
    return this.typeName(tree, element, 1);
  }

  /** The tree of a quoted annotation and where its text starts; null when it is not an annotation. */
  parseQuoted(tree: SyntaxTree, string: NodeId): { tree: SyntaxTree; offset: number } | null {
    const content = stringContent(tree, string);
    if (content === null) return null;
    const text = tree.text.slice(content.start, content.end);
    if (text.length > 500 || /^\s|[\n\r]/.test(text)) return null;
    const parsed = this.#parser.parse(text);
    return parsed.broken === null ? { tree: parsed.tree, offset: content.start } : null;
  }

  #quoted(tree: SyntaxTree, string: NodeId, depth: number): TypeName | null {
    const parsed = this.parseQuoted(tree, string);
    if (parsed === null) return null;
    const statement = parsed.tree.firstChild(0);
    if (statement === none || parsed.tree.kind(statement) !== 'expression_statement') return null;
    return this.typeName(parsed.tree, parsed.tree.firstChild(statement), depth + 1);
  }

  #subscripted(tree: SyntaxTree, node: NodeId, depth: number): TypeName | null {
    const head = tree.firstChild(node);
    const name = dottedName(tree, head);
    const last = name?.at(-1);
    if (name === null || last === undefined) return null;
    const args = subscriptArguments(tree, node);
    if (transparent.has(last)) return this.typeName(tree, args[0] ?? none, depth + 1);
    if (last === 'Union') return this.#single(tree, args, depth);
    return opaque.has(last) ? null : name.join('.');
  }

  #alternatives(tree: SyntaxTree, node: NodeId): NodeId[] {
    const found: NodeId[] = [];
    let at = node;
    while (tree.kind(at) === 'binary_operator' || tree.kind(at) === 'union_type') {
      const [left, right] = tree.children(at);
      if (left === undefined || right === undefined) return [];
      if (!tree.text.slice(tree.end(left), tree.start(right)).includes('|')) return [];
      found.push(right);
      at = left;
    }
    return [...found, at];
  }

  #single(tree: SyntaxTree, alternatives: readonly NodeId[], depth: number): TypeName | null {
    const named = alternatives.filter((node) => tree.textOf(node) !== 'None');
    return named.length === 1 ? this.typeName(tree, named[0] ?? none, depth + 1) : null;
  }
}

/** The arguments of `X[a, b]`, in annotations and in expressions. */
export function subscriptArguments(tree: SyntaxTree, node: NodeId): NodeId[] {
  const [, ...rest] = tree.children(node);
  const [only] = rest;
  if (only !== undefined && tree.kind(only) === 'type_parameter') return tree.children(only);
  return rest;
}
