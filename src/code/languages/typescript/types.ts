import type { ObjectShape, TypeName } from '#code/facts/facts.ts';
import { childIn, childrenIn, dottedName, has, keyName, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** Wrappers that keep the member names of their argument, or some of them. */
export const sameMembers: ReadonlySet<string> = new Set([
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Omit',
  'Pick',
]);

/** Whether a name is one of these types of the language: the file has no type of its own with this name. */
export function isOfLanguage({ names, scopes }: Reading, name: number, types: ReadonlySet<string>): boolean {
  return types.has(names.ofNode(name)) && !scopes.bindsType(names.numberOf(name));
}

/** The name node of an annotation with exactly one named type, ignoring `null`, `undefined` and `Readonly`; else -1. */
function namedTypeNode(reading: Reading, type: number): number {
  const { tree } = reading;
  let node = type;
  for (;;) {
    if (tree.kind[node] === Kind.Union) {
      node = onlyType(reading, node);
      if (node < 0) return -1;
    } else if (tree.kind[node] === Kind.TypeReference) {
      const name = node + 1;
      if (tree.kind[name] !== Kind.Reference || !isOfLanguage(reading, name, sameMembers)) return name;
      const wrapped = childIn(tree, node, Role.typeArgument);
      if (wrapped < 0) return -1;
      node = wrapped;
    } else return -1;
  }
}

/** The one part of a union that is not `null` or `undefined`, or a type that is no union; -1 when there is none or more than one. */
export function onlyType({ tree }: Reading, union: number): number {
  if (union < 0 || tree.kind[union] !== Kind.Union) return union;
  let only = -1;
  const end = tree.after[union] as number;
  for (let part = union + 1; part < end; part = tree.after[part] as number) {
    if (tree.role[part] !== Role.type || tree.kind[part] === Kind.Nullish) continue;
    if (only >= 0) return -1;
    only = part;
  }
  return only;
}

/** Null for a type parameter as well, even when the file has a type of that name. */
export function typeNameOf(reading: Reading, type: number): TypeName | null {
  const name = type < 0 ? -1 : namedTypeNode(reading, type);
  return name < 0 || isTypeParameter(reading, name) ? null : dottedName(reading, name);
}

const beforeTypeParameters = new Set<number>([Role.decorator, Role.id, Role.key]);

function isTypeParameter({ tree, names }: Reading, name: number): boolean {
  if (tree.kind[name] !== Kind.Reference) return false;
  const { parent, after, role } = tree;
  const wanted = names.numberOf(name);
  for (let above = parent[name] as number; above >= 0; above = parent[above] as number) {
    for (let child = above + 1; child < (after[above] as number); child = after[child] as number) {
      if (role[child] === Role.typeParameter) {
        if (names.numberOf(childIn(tree, child, Role.id)) === wanted) return true;
      } else if (!beforeTypeParameters.has(role[child] as number)) break;
    }
  }
  return false;
}

/** The element type of a list, `User` for `User[]` and `Array<User>`; else -1. */
export function listElement(reading: Reading, type: number): number {
  const { tree, text } = reading;
  if (type < 0) return -1;
  if (tree.kind[type] === Kind.TypeOperator)
    return has(tree, type, Flag.readonly) ? listElement(reading, type + 1) : -1;
  if (tree.kind[type] === Kind.Other && text.endsWith('[]', tree.end[type]))
    return childIn(tree, type, Role.element);
  const isNamed = tree.kind[type] === Kind.TypeReference && tree.kind[type + 1] === Kind.Reference;
  return isNamed && isOfLanguage(reading, type + 1, lists) ? childIn(tree, type, Role.typeArgument) : -1;
}

const lists = new Set(['Array', 'ReadonlyArray']);

/** The node that names the class of `new X(…)`, ignoring `as const` and `satisfies` around it; else -1. */
export function constructedNode(reading: Reading, value: number): number {
  const node = unwrapped(reading, value);
  if (node < 0 || reading.tree.kind[node] !== Kind.New) return -1;
  return dottedName(reading, node + 1) === null ? -1 : node + 1;
}

/** An expression without `satisfies X`, `as const` and `Object.freeze(…)` around it. */
export function unwrapped(reading: Reading, value: number): number {
  const { tree } = reading;
  let node = value;
  while (node >= 0) {
    if (tree.kind[node] === Kind.Satisfies) node++;
    else if (tree.kind[node] === Kind.As && isConstCast(reading, node))
      node = childIn(tree, node, Role.expression);
    else if (tree.kind[node] === Kind.Call && isFreeze(reading, node + 1))
      node = childIn(tree, node, Role.argument);
    else return node;
  }
  return node;
}

function isFreeze(reading: Reading, callee: number): boolean {
  const { tree, names } = reading;
  if (tree.kind[callee] !== Kind.Member || tree.kind[callee + 1] !== Kind.Reference) return false;
  const isMethod = names.ofNode(tree.after[callee + 1] as number) === 'freeze';
  return isMethod && names.ofNode(callee + 1) === 'Object';
}

/** `store as any`, `<any>store` around the expression at `node`; -1 if there is none. */
export function castToAny({ tree, text }: Reading, node: number): number {
  const cast = tree.parent[node] as number;
  if (tree.kind[cast] !== Kind.As) return -1;
  const before = text.slice(tree.start[cast] as number, tree.start[node] as number);
  const after = text.slice(tree.end[node] as number, tree.end[cast] as number);
  return /^<\s*any\s*>/.test(before) || /^[\s)]*\bas\s+any$/.test(after) ? cast : -1;
}

function isConstCast(reading: Reading, node: number): boolean {
  const { tree, text } = reading;
  const type = childIn(tree, node, Role.type);
  return type > 0 && text.slice(tree.start[type] as number, tree.end[type] as number) === 'const';
}

/** The keys of an inline object type, null for any other type. */
export function objectShape(reading: Reading, type: number): ObjectShape | null {
  const { tree } = reading;
  const kind = tree.kind[type];
  if (kind === Kind.Intersection) {
    const parts = childrenIn(tree, type, Role.type).map((part) => objectShape(reading, part));
    if (!parts.some((part) => part !== null)) return null;
    return { keys: parts.flatMap((part) => part?.keys ?? []), open: true };
  }
  if (kind !== Kind.TypeLiteral) return null;
  const keys: { name: string; required: boolean }[] = [];
  let open = false;
  for (const member of childrenIn(tree, type, Role.member)) {
    const name = memberName(reading, member);
    if (name === null) open = true;
    else keys.push({ name, required: !has(tree, member, Flag.optional) });
  }
  return { keys, open };
}

/** The name of a member; null for index, call and construct signatures and for computed keys. */
export function memberName(reading: Reading, member: number): string | null {
  const { tree } = reading;
  const key = childIn(tree, member, Role.key);
  if (key < 0) return null;
  if (has(tree, member, Flag.computed) && tree.kind[key] !== Kind.String && tree.kind[key] !== Kind.Number)
    return null;
  return keyName(reading, key);
}

/** `[$mobx]`, named by a constant that is not a symbol of the language. */
export function isKeyed(reading: Reading, member: number): boolean {
  const key = childIn(reading.tree, member, Role.key);
  return (
    key >= 0 &&
    has(reading.tree, member, Flag.computed) &&
    dottedName(reading, key) !== null &&
    !isWellKnownSymbol(reading, member)
  );
}

/** `[Symbol.iterator]` can never be read by a name, so it hides no member. */
export function isWellKnownSymbol(reading: Reading, member: number): boolean {
  const key = childIn(reading.tree, member, Role.key);
  return key >= 0 && (dottedName(reading, key)?.startsWith('Symbol.') ?? false);
}

/** `[Symbol.iterator]`, as a member that a class cannot have twice; null for other computed keys. */
export function computedName(reading: Reading, member: number): string | null {
  const key = childIn(reading.tree, member, Role.key);
  if (key < 0 || !has(reading.tree, member, Flag.computed)) return null;
  const name = dottedName(reading, key);
  return name === null ? null : `[${name}]`;
}
