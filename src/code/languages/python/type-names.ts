import type { TypeName } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName, stringContent } from './expressions.ts';
import type { PythonParser } from './parser.ts';
import { collections, generators, opaqueForms, transparentForms } from './type-text.ts';

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

  /** The types of an annotation that allows several, ignoring None: `Opened` and `Closed` for `Opened | Closed`; null unless all are names. */
  typeNames(tree: SyntaxTree, annotation: NodeId): TypeName[] | null {
    const type =
      annotation !== none && tree.kind(annotation) === 'type' ? tree.firstChild(annotation) : annotation;
    if (type === none) return null;
    const kind = tree.kind(type);
    const isUnion = kind === 'binary_operator' || kind === 'union_type';
    const isForm =
      (kind === 'generic_type' || kind === 'subscript') &&
      dottedName(tree, tree.firstChild(type))?.at(-1) === 'Union';
    const parts = isUnion
      ? this.#alternatives(tree, type).reverse()
      : isForm
        ? subscriptArguments(tree, type)
        : [];
    const names = parts
      .filter((part) => tree.textOf(part) !== 'None')
      .map((part) => this.typeName(tree, part, 1));
    return names.length > 1 && names.every((name) => name !== null) ? names : null;
  }

  /** The element of an annotated collection: the node of `User` for `list[User]`. */
  elementOf(tree: SyntaxTree, annotation: NodeId): NodeId {
    const type = tree.kind(annotation) === 'type' ? tree.firstChild(annotation) : annotation;
    if (tree.kind(type) !== 'generic_type' && tree.kind(type) !== 'subscript') return none;
    const last = dottedName(tree, tree.firstChild(type))?.at(-1);
    const [element, ...others] = subscriptArguments(tree, type);
    if (last === undefined || element === undefined) return none;
    const isCollection = collections.has(last) && others.length === 0;
    return isCollection || generators.has(last) ? element : none;
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
    if (transparentForms.has(last)) return this.typeName(tree, args[0] ?? none, depth + 1);
    if (last === 'Union') return this.#single(tree, args, depth);
    return opaqueForms.has(last) ? null : name.join('.');
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
