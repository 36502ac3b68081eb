import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName } from './expressions.ts';
import { type BindingSite, type Scope, site } from './scopes.ts';

export interface ParameterNode {
  readonly node: NodeId;
  /** The identifier, `none` for Python 2 tuple parameters. */
  readonly name: NodeId;
  readonly kind: 'positional-only' | 'positional' | 'keyword-only' | 'rest' | 'keyword-rest';
  readonly annotation: NodeId;
  readonly default: NodeId;
}

/** The parameters of a function or lambda in order; the markers `/` and `*` are folded into the kinds. */
export function parametersOf(tree: SyntaxTree, functionNode: NodeId): ParameterNode[] {
  const list = tree.child(functionNode, 'parameters');
  const found: ParameterNode[] = [];
  let keywordOnly = false;
  for (const node of list === none ? [] : tree.children(list)) {
    const shape = tree.kind(node);
    if (shape === 'positional_separator') {
      found.forEach((parameter, index) => {
        found[index] = { ...parameter, kind: 'positional-only' };
      });
      continue;
    }
    if (shape === 'keyword_separator') {
      keywordOnly = true;
      continue;
    }
    const parameter = parameterAt(tree, node, keywordOnly);
    if (parameter.kind === 'rest') keywordOnly = true;
    found.push(parameter);
  }
  return found;
}

function parameterAt(tree: SyntaxTree, node: NodeId, keywordOnly: boolean): ParameterNode {
  const isPlain = tree.kind(node) === 'identifier';
  const isSplat = tree.kind(node).endsWith('splat_pattern');
  const named = isPlain || isSplat ? node : tree.child(node, 'name');
  const target = named === none ? tree.firstChild(node) : named;
  const targetKind = tree.kind(target);
  const name = targetKind.endsWith('splat_pattern') ? tree.firstChild(target) : target;
  return {
    node,
    name: tree.kind(name) === 'identifier' ? name : none,
    kind:
      targetKind === 'list_splat_pattern'
        ? 'rest'
        : targetKind === 'dictionary_splat_pattern'
          ? 'keyword-rest'
          : keywordOnly
            ? 'keyword-only'
            : 'positional',
    annotation: isPlain ? none : tree.child(node, 'type'),
    default: isPlain ? none : tree.child(node, 'value'),
  };
}

/** Names of the decorators of a function or class, as written: `dataclass`, `app.route`. */
export function decoratorsOf(tree: SyntaxTree, definition: NodeId): string[] {
  const wrapper = tree.parent(definition);
  if (tree.kind(wrapper) !== 'decorated_definition') return [];
  const names: string[] = [];
  for (const decorator of tree.children(wrapper)) {
    if (tree.kind(decorator) !== 'decorator') continue;
    let expression = tree.firstChild(decorator);
    if (tree.kind(expression) === 'call') expression = tree.child(expression, 'function');
    names.push(dottedName(tree, expression)?.join('.') ?? tree.textOf(expression).replace(/\s+/g, ' '));
  }
  return names;
}

const implicitClassMethods = new Set(['__new__', '__init_subclass__', '__class_getitem__']);

/** What the first parameter of a method refers to; null when it is an ordinary parameter. */
function receiverOf(
  name: string,
  firstParameter: string,
  decorators: readonly string[],
): 'instance' | 'class' | null {
  if (decorators.includes('staticmethod')) return null;
  if (decorators.includes('classmethod') || implicitClassMethods.has(name)) return 'class';
  // An undecorated method with `cls` belongs to a metaclass, whose instances are classes with other members.
  if (decorators.length === 0) return firstParameter === 'cls' ? null : 'instance';
  // Decorators such as pydantic's validators pass the class; the conventional names decide.
  if (firstParameter === 'cls') return 'class';
  return firstParameter === 'self' ? 'instance' : null;
}

export function bindParameters(
  tree: SyntaxTree,
  functionNode: NodeId,
  scope: Scope,
  isMethod: boolean,
  label: (identifier: NodeId) => void,
): void {
  const parameters = parametersOf(tree, functionNode);
  for (const [index, parameter] of parameters.entries()) {
    const { name, node, annotation } = parameter;
    if (name === none) {
      bindTupleParameter(tree, node, scope, label);
      continue;
    }
    label(name);
    // `*args: User` annotates the elements, not the tuple.
    const isRest = parameter.kind === 'rest' || parameter.kind === 'keyword-rest';
    const bound: BindingSite = {
      form: 'parameter',
      name,
      node,
      annotation: isRest ? none : annotation,
      value: none,
      origin: none,
    };
    const binding = scope.bind(tree.textOf(name), bound);
    if (index > 0 || !isMethod || isRest) continue;
    const method = tree.textOf(tree.child(functionNode, 'name'));
    binding.receiver = receiverOf(method, tree.textOf(name), decoratorsOf(tree, functionNode));
  }
}

function bindTupleParameter(
  tree: SyntaxTree,
  node: NodeId,
  scope: Scope,
  label: (identifier: NodeId) => void,
): void {
  const end = tree.subtreeEnd(tree.child(node, 'name'));
  for (let inner = node; inner < end; inner++) {
    if (tree.kind(inner) !== 'identifier') continue;
    label(inner);
    scope.bind(tree.textOf(inner), site('target', inner, node));
  }
}
