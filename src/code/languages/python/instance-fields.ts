import type { TypeName } from '#code/facts/facts.ts';
import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { classNamed } from './classes.ts';
import { stringValue } from './expressions.ts';
import type { Names } from './names.ts';
import { type BindingSite, lookup, site } from './scopes.ts';

/** An attribute that statements outside the class body set on its instances. */
export interface InstanceField {
  readonly container: string;
  readonly name: string;
  readonly type: TypeName | null;
  /** Where it is first written. */
  readonly site: BindingSite;
}

interface FieldWrite {
  readonly container: string;
  readonly name: string;
  readonly site: BindingSite;
}

/** One field per class and name; names that the class body defines are not repeated. */
export function instanceFields(bound: Bound, names: Names): InstanceField[] {
  const declared = new Set<string>();
  const classes = new Set<string>();
  for (const { scope, name, site: bindingSite } of bound.declarations) {
    const symbol = scope.symbol === '' ? name : `${scope.symbol}.${name}`;
    if (scope.kind === 'class') declared.add(symbol);
    if (bindingSite.form === 'class') classes.add(symbol);
  }
  const fields = new Map<string, FieldWrite[]>();
  for (const write of fieldWrites(bound, names)) {
    const symbol = `${write.container}.${write.name}`;
    if (declared.has(symbol) || !classes.has(write.container)) continue;
    const writes = fields.get(symbol);
    if (writes === undefined) fields.set(symbol, [write]);
    else writes.push(write);
  }
  const found: InstanceField[] = [];
  for (const writes of fields.values()) {
    const [first] = writes;
    if (first !== undefined) found.push({ ...first, type: commonType(bound, names, writes) });
  }
  return found;
}

function fieldWrites(bound: Bound, names: Names): FieldWrite[] {
  const { tree } = bound;
  const found: FieldWrite[] = [];
  for (const { scope, name, site: bindingSite } of bound.declarations) {
    if (name !== '__slots__' || scope.kind !== 'class' || scope.symbol === null) continue;
    for (const slot of slotNodes(bound, bindingSite.value)) {
      const slotName = stringValue(tree, slot);
      if (slotName !== null)
        found.push({ container: scope.symbol, name: slotName, site: site('declaration', slot, slot) });
    }
  }
  for (const { attribute, site: bindingSite } of bound.attributeWrites) {
    const object = tree.child(attribute, 'object');
    const container = names.classOf(object) ?? classNamed(bound, object);
    const name = tree.textOf(tree.child(attribute, 'attribute'));
    if (container !== null) found.push({ container, name, site: bindingSite });
  }
  for (const call of bound.calls) {
    const write = setattrWrite(bound, names, call);
    if (write !== null) found.push(write);
  }
  return found;
}

/** `object.__setattr__(self, 'x', …)`, the way frozen dataclasses set their fields, and `setattr(self, 'x', …)`. */
function setattrWrite({ tree }: Bound, names: Names, call: NodeId): FieldWrite | null {
  const callee = tree.textOf(tree.child(call, 'function'));
  if (callee !== 'object.__setattr__' && callee !== 'setattr') return null;
  const [target, nameNode] = tree.children(tree.child(call, 'arguments'));
  const name = nameNode === undefined ? null : stringValue(tree, nameNode);
  const container = target === undefined ? null : names.classOf(target);
  if (target === undefined || name === null || container === null) return null;
  return { container, name, site: site('target', target, target) };
}

/** `__slots__ = 'x', 'y'` in any of its literal forms. */
function slotNodes({ tree }: Bound, value: NodeId): NodeId[] {
  switch (tree.kind(value)) {
    case 'string':
      return [value];
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
      return tree.children(value);
    default:
      return [];
  }
}

function commonType(bound: Bound, names: Names, writes: readonly FieldWrite[]): TypeName | null {
  const types = new Set<TypeName | null>();
  const isList = writes.some(
    ({ site }) => site.annotation !== none && names.annotatedList(site.annotation) !== null,
  );
  for (const write of writes) {
    if (write.site.form === 'declaration' && write.site.annotation === none) continue;
    // `self.steps = []` says nothing new about `self.steps: list[Step] = []`.
    if (isList && write.site.annotation === none && /^(?:list|set)/.test(bound.tree.kind(write.site.value)))
      continue;
    const type = writtenType(bound, names, write.site);
    if (type !== undefined) types.add(type);
  }
  const [type] = types;
  return types.size === 1 ? (type ?? null) : null;
}

/** Type of an assigned value when it is annotated, constructed, or a parameter with an annotation. */
function writtenType(bound: Bound, names: Names, write: BindingSite): TypeName | null | undefined {
  const { tree } = bound;
  if (write.annotation !== none)
    return (
      names.annotatedType(write.annotation) ??
      names.annotatedUnion(write.annotation) ??
      names.annotatedList(write.annotation)
    );
  if (tree.kind(write.value) === 'none') return undefined;
  if (tree.kind(write.value) !== 'identifier') return names.constructedType(write.value);
  const name = tree.textOf(write.value);
  const scope = bound.scopeAt(write.value);
  if (lookup(name, scope)?.kind !== 'function') return null;
  const meaning = names.meaning(name, scope);
  return meaning.is === 'instance' ? meaning.type : null;
}
