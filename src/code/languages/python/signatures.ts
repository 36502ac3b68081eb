import type { Parameter, Signature } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { stringValue } from './expressions.ts';
import type { Names } from './names.ts';
import { decoratorsOf, parametersOf } from './parameters.ts';
import { passedKeywords } from './passed-keywords.ts';

const maxDefault = 80;
const maxType = 200;

export function signatureOf(bound: Bound, names: Names, node: NodeId): Signature {
  const { tree } = bound;
  const scope = bound.scopeOf(node);
  const typeParameters = tree.child(node, 'type_parameters');
  const count = typeParameters === none ? 0 : tree.children(typeParameters).length;
  const generator = scope?.isGenerator ?? false;
  // Callers of a generator do not get what it returns.
  const written = generator || !scope ? null : returnedTuple(tree, scope.returns);
  return {
    parameters: parametersFor(bound, names, node),
    returns: annotationText(tree, tree.child(node, 'return_type')) ?? written,
    generator,
    typeParameters: { min: count, max: count },
  };
}

function parametersFor(bound: Bound, names: Names, node: NodeId): Parameter[] {
  const { tree } = bound;
  const nodes = parametersOf(tree, node);
  const [first] = nodes;
  const isBound = bound.scopeAt(node).kind === 'class' && !decoratorsOf(tree, node).includes('staticmethod');
  if (isBound && (first?.kind === 'positional' || first?.kind === 'positional-only')) nodes.shift();
  return nodes.map((parameter): Parameter => {
    const isRest = parameter.kind === 'rest' || parameter.kind === 'keyword-rest';
    return {
      name: tree.textOf(parameter.name),
      kind: parameter.kind,
      required: parameter.default === none && !isRest,
      default: parameter.default === none ? null : flatText(tree, parameter.default, maxDefault),
      type: annotationText(tree, parameter.annotation),
      typeName: isRest ? null : names.annotatedType(parameter.annotation),
      shape: null,
      ...(parameter.kind === 'keyword-rest' && parameter.name !== none
        ? passedKeywords(bound, names, node, tree.textOf(parameter.name))
        : {}),
    };
  });
}

/** `tuple[?, ?]` when every `return` lists two values: as good as an annotation for callers that unpack it. */
function returnedTuple(tree: SyntaxTree, returns: readonly NodeId[]): string | null {
  let length: number | null = null;
  for (const node of returns) {
    const values = writtenValues(tree, tree.firstChild(node));
    if (values === null || (length !== null && length !== values)) return null;
    length = values;
  }
  return length === null ? null : `tuple[${Array.from({ length }, () => '?').join(', ')}]`;
}

function writtenValues(tree: SyntaxTree, value: NodeId): number | null {
  if (tree.kind(value) !== 'expression_list' && tree.kind(value) !== 'tuple') return null;
  const parts = tree.children(value);
  return parts.some((part) => tree.kind(part) === 'list_splat') ? null : parts.length;
}

/** Source text of an annotation on one line, without quotes around the whole. */
export function annotationText(tree: SyntaxTree, annotation: NodeId): string | null {
  if (annotation === none) return null;
  const inner = tree.firstChild(annotation);
  const quoted = inner === none ? null : stringValue(tree, inner);
  return quoted === null ? flatText(tree, annotation, maxType) : flatten(quoted).slice(0, maxType);
}

function flatText(tree: SyntaxTree, node: NodeId, limit: number): string {
  const text = tree.textOf(node);
  return flatten(text.length > limit * 4 ? text.slice(0, limit * 4) : text).slice(0, limit);
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
