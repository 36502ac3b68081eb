import type { NodeId } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { dottedName, stringValue } from './expressions.ts';
import { lookup } from './scopes.ts';

/** Why this module may have names that no statement binds. */
export function hiddenNames(bound: Bound): string[] {
  const reasons = new Set<string>();
  const { tree, module } = bound;
  if (module.bindings.has('__getattr__')) reasons.add('module __getattr__');
  for (const call of bound.calls) {
    const reason = namespaceCall(bound, call);
    if (reason !== null) reasons.add(reason);
  }
  if (tree.text.includes('sys.modules') && mentionsItself(bound)) reasons.add('sys.modules[__name__]');
  return [...reasons];
}

/** Every quoted identifier: `__getattr__` looks names up by their text. */
export function quotedNames({ tree }: Bound): string[] {
  const found = new Set<string>();
  for (let node = 0; node < tree.size; node++) {
    const text = tree.kind(node) === 'string' ? stringValue(tree, node) : null;
    if (text !== null && /^[A-Za-z_]\w*$/.test(text)) found.add(text);
  }
  return [...found];
}

function mentionsItself(bound: Bound): boolean {
  const { tree } = bound;
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) === 'subscript' && isOwnModule(bound, node)) return true;
  }
  return false;
}

function namespaceCall(bound: Bound, call: NodeId): string | null {
  const { tree } = bound;
  const callee = tree.child(call, 'function');
  if (tree.kind(callee) !== 'identifier') return null;
  const name = tree.textOf(callee);
  if (lookup(name, bound.scopeAt(call)) !== null) return null;
  const args = tree.children(tree.child(call, 'arguments'));
  if (name === 'exec')
    return args.length < 2 || /^(globals|vars|locals)\(\)$/.test(tree.textOf(args[1] ?? call))
      ? 'exec()'
      : null;
  if (args.length > 0) return null;
  const isNamespace =
    name === 'globals' || ((name === 'vars' || name === 'locals') && bound.scopeAt(call).kind === 'module');
  return isNamespace && !isOnlyRead(bound, call) ? `${name}()` : null;
}

/** `globals()['x']`, `globals().get('x')`, `'x' in globals()` only read. */
function isOnlyRead(bound: Bound, call: NodeId): boolean {
  const { tree } = bound;
  const parent = tree.parent(call);
  switch (tree.kind(parent)) {
    case 'subscript': {
      if (tree.field(call) !== 'value') return true;
      const statement = tree.parent(parent);
      const isTarget = tree.kind(statement).endsWith('assignment') && tree.field(parent) === 'left';
      return (
        !isTarget && tree.kind(statement) !== 'delete_statement' && tree.kind(statement) !== 'pattern_list'
      );
    }
    case 'attribute':
      return /^(get|keys|values|items|copy|__contains__)$/.test(tree.textOf(tree.child(parent, 'attribute')));
    case 'comparison_operator':
      return true;
    default:
      return false;
  }
}

function isOwnModule(bound: Bound, subscript: NodeId): boolean {
  const { tree } = bound;
  const value = tree.child(subscript, 'value');
  if (dottedName(tree, value)?.join('.') !== 'sys.modules') return false;
  return tree.textOf(tree.child(subscript, 'subscript')) === '__name__';
}
