import type { TypeName } from '../../facts.ts';
import type { Bound } from './binder.ts';
import { receiverClass } from './classes.ts';
import { stringValue } from './expressions.ts';
import type { Names } from './names.ts';
import type { AttributeWrite } from './recorder.ts';
import { type BindingSite, lookup, site } from './scopes.ts';
import { NONE, type NodeId } from './syntax-tree.ts';

/** An attribute that methods give to `self`. */
export interface InstanceField {
  readonly container: string;
  readonly name: string;
  readonly type: TypeName | null;
  /** Where it is first written. */
  readonly site: BindingSite;
}

/** One field per class and name; names that the class body defines itself are not repeated. */
export function instanceFields(bound: Bound, names: Names): InstanceField[] {
  const { tree } = bound;
  const declared = new Set(
    bound.declarations.map(({ scope, name }) => (scope.kind === 'class' ? `${scope.symbol}.${name}` : '')),
  );
  const writes = new Map<string, { container: string; name: string; writes: AttributeWrite[] }>();
  for (const write of [...bound.attributeWrites, ...setattrWrites(bound)]) {
    const isCall = tree.kind(write.attribute) === 'call';
    const container = receiverClass(bound, isCall ? write.site.node : tree.child(write.attribute, 'object'));
    if (container === null) continue;
    const name = isCall
      ? setattrName(bound, write.attribute)
      : tree.textOf(tree.child(write.attribute, 'attribute'));
    const key = `${container}.${name}`;
    if (declared.has(key)) continue;
    const field = writes.get(key) ?? { container, name, writes: [] };
    field.writes.push(write);
    writes.set(key, field);
  }
  return [...writes.values()].flatMap(({ container, name, writes: all }) => {
    const [first] = all;
    return first === undefined
      ? []
      : [{ container, name, type: commonType(bound, names, all), site: first.site }];
  });
}

/** `object.__setattr__(self, 'x', …)`, the way frozen dataclasses set their fields. */
function setattrWrites(bound: Bound): AttributeWrite[] {
  const { tree } = bound;
  const found: AttributeWrite[] = [];
  for (const node of bound.calls) {
    if (setattrName(bound, node) === '') continue;
    const target = tree.firstChild(tree.child(node, 'arguments'));
    if (target !== NONE) found.push({ attribute: node, site: site('target', target, target) });
  }
  return found;
}

function setattrName(bound: Bound, call: NodeId): string {
  const { tree } = bound;
  if (tree.textOf(tree.child(call, 'function')) !== 'object.__setattr__') return '';
  const name = tree.children(tree.child(call, 'arguments'))[1];
  return name === undefined ? '' : (stringValue(tree, name) ?? '');
}

function commonType(bound: Bound, names: Names, writes: readonly AttributeWrite[]): TypeName | null {
  const types = new Set<TypeName | null>();
  for (const write of writes) {
    const type = writtenType(bound, names, write);
    if (type !== undefined) types.add(type);
  }
  const [type] = types;
  return types.size === 1 ? (type ?? null) : null;
}

/** Type of an assigned value when it is annotated, constructed, or a parameter with an annotation. */
function writtenType(bound: Bound, names: Names, write: AttributeWrite): TypeName | null | undefined {
  const { tree } = bound;
  if (write.site.annotation !== NONE) return names.annotatedType(write.site.annotation);
  if (tree.kind(write.site.value) === 'none') return undefined;
  if (tree.kind(write.site.value) !== 'identifier') return names.constructedType(write.site.value);
  const name = tree.textOf(write.site.value);
  const scope = bound.scopeAt(write.site.value);
  if (lookup(name, scope)?.kind !== 'function') return null;
  const meaning = names.meaning(name, scope);
  return meaning.is === 'instance' ? meaning.type : null;
}
