import type { Parameter, Signature } from '../../facts.ts';
import type { Bound } from './binder.ts';
import { stringValue } from './expressions.ts';
import type { Names } from './names.ts';
import { decoratorsOf, parametersOf } from './parameters.ts';
import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.ts';

const MAX_DEFAULT = 80;
const MAX_TYPE = 200;

export function signatureOf(bound: Bound, names: Names, node: NodeId): Signature {
  const { tree } = bound;
  const scope = bound.scopeOf(node);
  const typeParameters = tree.child(node, 'type_parameters');
  const count = typeParameters === NONE ? 0 : tree.children(typeParameters).length;
  return {
    parameters: parametersFor(bound, names, node),
    returns: annotationText(tree, tree.child(node, 'return_type')),
    generator: scope?.isGenerator ?? false,
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
      required: parameter.default === NONE && !isRest,
      default: parameter.default === NONE ? null : flatText(tree, parameter.default, MAX_DEFAULT),
      type: annotationText(tree, parameter.annotation),
      typeName: isRest ? null : names.annotatedType(parameter.annotation),
      shape: null,
    };
  });
}

/** Source text of an annotation on one line; quotes around the whole of it do not count. */
function annotationText(tree: SyntaxTree, annotation: NodeId): string | null {
  if (annotation === NONE) return null;
  const inner = tree.firstChild(annotation);
  const quoted = inner === NONE ? null : stringValue(tree, inner);
  return quoted === null ? flatText(tree, annotation, MAX_TYPE) : flatten(quoted).slice(0, MAX_TYPE);
}

function flatText(tree: SyntaxTree, node: NodeId, limit: number): string {
  const text = tree.textOf(node);
  return flatten(text.length > limit * 4 ? text.slice(0, limit * 4) : text).slice(0, limit);
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
