import type { TypeName } from '../../facts.ts';
import { classBody } from './class-context.ts';
import { enumValue } from './literals.ts';
import { decoratorsOf, draft, headRange, type Placed, place, typeRange } from './placement.ts';
import { childIn, dottedName, has, keyName, type Reading } from './reading.ts';
import { callableIn, signatureOf } from './signatures.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { constructedNode, isWellKnownSymbol, memberName, typeNameOf } from './types.ts';

/** What members belong to. */
export interface Container {
  readonly path: string;
  readonly ambient: boolean;
}

/**
 * Each of these adds the members of a container to `found` and tells whether there may be more than these:
 * index signatures, computed names, spreads, a base that is not a name.
 */

export function classMembers(
  reading: Reading,
  classNode: number,
  container: Container,
  found: Placed[],
): boolean {
  const { tree } = reading;
  const { kind, after } = tree;
  const superclass = childIn(tree, classNode, Role.super);
  const known = found.length;
  let open = superclass >= 0 && dottedName(reading, superclass) === null;
  const body = classBody(tree, classNode);
  for (let member = body + 1; member < (after[body] as number); member = after[member] as number) {
    if (kind[member] === Kind.StaticBlock) continue;
    const key = childIn(tree, member, Role.key);
    if (key >= 0 && kind[key] === Kind.PrivateName) continue;
    const name = memberName(reading, member);
    if (name === null) open ||= !isWellKnownSymbol(reading, member);
    else if (kind[member] === Kind.Method) method(reading, member, name, container, found);
    else found.push(field(reading, member, name, container));
  }
  return reading.dialect === 'js'
    ? assignedFields(reading, classNode, container, found, known) || open
    : open;
}

function method(reading: Reading, member: number, name: string, container: Container, found: Placed[]): void {
  const { tree } = reading;
  const callable = childIn(tree, member, Role.value);
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const isAccessor = has(tree, member, Flag.getter | Flag.setter);
  const isConstructor = has(tree, member, Flag.constructor) && !has(tree, member, Flag.static);
  const kind = isConstructor ? 'constructor' : isAccessor ? 'accessor' : 'method';
  const made = draft(kind, name, container.path, member, from, container.ambient);
  made.signatureRange = headRange(reading, callable, from);
  made.signature = signatureOf(reading, callable);
  if (isAccessor) {
    made.type = typeNameOf(reading, childIn(tree, callable, Role.returns));
    made.half = has(tree, member, Flag.getter) ? 'getter' : 'setter';
  }
  made.async = has(tree, callable, Flag.async);
  made.static = has(tree, member, Flag.static);
  made.abstract = has(tree, member, Flag.abstract);
  made.overrides = saysOverride(reading, member);
  made.optional = has(tree, member, Flag.optional);
  made.decorators = decoratorsOf(reading, member);
  made.bodiless = has(tree, callable, Flag.bodiless);
  found.push(place(reading, made));
  if (isConstructor) parameterProperties(reading, callable, container, found);
}

function parameterProperties(
  reading: Reading,
  callable: number,
  container: Container,
  found: Placed[],
): void {
  const { tree, names } = reading;
  for (let node = callable + 1; node < (tree.after[callable] as number); node = tree.after[node] as number) {
    if (tree.role[node] !== Role.parameter || !has(tree, node, Flag.parameterProperty)) continue;
    const id = childIn(tree, node, Role.id);
    if (tree.kind[id] !== Kind.Binding) continue;
    const type = childIn(tree, node, Role.type);
    const name = names.ofNode(tree, id);
    const made = draft('field', name, container.path, node, tree.end[id] as number, container.ambient);
    made.signatureRange = typeRange(reading, type);
    made.type = typeNameOf(reading, type);
    made.optional = has(tree, node, Flag.optional);
    made.decorators = decoratorsOf(reading, node);
    found.push(place(reading, made));
  }
}

/** A field of a class, or a property of an interface or object type. */
function field(reading: Reading, member: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const type = childIn(tree, member, Role.type);
  const value = childIn(tree, member, Role.value);
  const callable = callableIn(reading, type < 0 ? value : type);
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const made = draft('field', name, container.path, member, from, container.ambient);
  if (type >= 0) made.signatureRange = typeRange(reading, type);
  if (callable >= 0) {
    if (type < 0) made.signatureRange = headRange(reading, callable, tree.start[callable] as number);
    made.signature = signatureOf(reading, callable);
    made.async = has(tree, callable, Flag.async);
  }
  made.type = valueType(reading, type, value);
  made.static = has(tree, member, Flag.static);
  made.abstract = has(tree, member, Flag.abstract);
  made.overrides = saysOverride(reading, member);
  made.optional = has(tree, member, Flag.optional);
  made.decorators = decoratorsOf(reading, member);
  return place(reading, made);
}

/** The tree does not keep the word `override`; it stands before the key. */
function saysOverride({ tree, text }: Reading, member: number): boolean {
  const key = childIn(tree, member, Role.key);
  return /\boverride\b/.test(text.slice(tree.start[member] as number, tree.start[key] as number));
}

/** The named type of a variable, parameter or field, from its annotation or from `new X()`. */
export function valueType(reading: Reading, type: number, value: number): TypeName | null {
  if (type >= 0) return typeNameOf(reading, type);
  const constructed = value < 0 ? -1 : constructedNode(reading, value);
  return constructed < 0 ? null : dottedName(reading, constructed);
}

/** Members of an interface or of an object type. */
export function typeMembers(reading: Reading, type: number, container: Container, found: Placed[]): boolean {
  const { tree } = reading;
  let open = false;
  for (let member = type + 1; member < (tree.after[type] as number); member = tree.after[member] as number) {
    if (tree.role[member] !== Role.member) continue;
    const name = memberName(reading, member);
    if (name === null) open ||= !isWellKnownSymbol(reading, member);
    else if (tree.kind[member] === Kind.PropertySignature)
      found.push(field(reading, member, name, container));
    else found.push(methodSignature(reading, member, name, container));
  }
  return open;
}

function methodSignature(reading: Reading, member: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const isAccessor = has(tree, member, Flag.getter | Flag.setter);
  const made = draft(
    isAccessor ? 'accessor' : 'method',
    name,
    container.path,
    member,
    from,
    container.ambient,
  );
  made.signatureRange = [from, tree.end[member] as number];
  made.signature = signatureOf(reading, member);
  if (isAccessor) {
    made.type = typeNameOf(reading, childIn(tree, member, Role.returns));
    made.half = has(tree, member, Flag.getter) ? 'getter' : 'setter';
  }
  made.optional = has(tree, member, Flag.optional);
  made.bodiless = true;
  return place(reading, made);
}

export function enumMembers(reading: Reading, node: number, container: Container, found: Placed[]): boolean {
  const { tree } = reading;
  let open = false;
  let value: string | null | undefined;
  for (let member = node + 1; member < (tree.after[node] as number); member = tree.after[member] as number) {
    if (tree.role[member] !== Role.member) continue;
    const key = childIn(tree, member, Role.key);
    const name = keyName(reading, key);
    value = enumValue(reading, member, value);
    if (name === null) open = true;
    else {
      const from = tree.end[key] as number;
      const made = draft('enum-member', name, container.path, member, from, container.ambient);
      if (value !== null) made.literals = [value];
      found.push(place(reading, made));
    }
  }
  return open;
}

/** The keys of an object literal. */
export function objectMembers(
  reading: Reading,
  object: number,
  container: Container,
  found: Placed[],
): boolean {
  const { tree } = reading;
  let open = false;
  for (
    let member = object + 1;
    member < (tree.after[object] as number);
    member = tree.after[member] as number
  ) {
    const name = tree.kind[member] === Kind.Property ? memberName(reading, member) : null;
    if (name === null) open = true;
    else found.push(objectKey(reading, member, name, container));
  }
  return open;
}

function objectKey(reading: Reading, property: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const value = childIn(tree, property, Role.value);
  const callable = callableIn(reading, value);
  const from = tree.end[childIn(tree, property, Role.key)] as number;
  const made = draft('field', name, container.path, property, from, container.ambient);
  if (callable >= 0) {
    made.signatureRange = headRange(reading, callable, tree.start[callable] as number);
    made.signature = signatureOf(reading, callable);
    made.async = has(tree, callable, Flag.async);
  } else made.type = valueType(reading, -1, value);
  return place(reading, made);
}

/**
 * JavaScript declares fields by assigning them: `this.name = name`. The members from `known` on are those that the class
 * declares itself.
 */
function assignedFields(
  reading: Reading,
  classNode: number,
  container: Container,
  found: Placed[],
  known: number,
): boolean {
  const { tree, names } = reading;
  const { kind, parent, role, after } = tree;
  const declared = new Set(found.slice(known).map((placed) => placed.definition.name));
  let open = false;
  for (let node = classNode + 1; node < (after[classNode] as number); node++) {
    if (kind[node] !== Kind.This) continue;
    const member = parent[node] as number;
    const assignment = parent[member] as number;
    const isTarget = kind[assignment] === Kind.Assignment && role[member] === Role.left;
    const isHandedOver = role[node] === Role.argument;
    if (!isHandedOver && !isTarget) continue;
    const owner = reading.thisOwners.get(node);
    if (owner?.classNode !== classNode || owner.isStatic) continue;
    if (isHandedOver || kind[member] === Kind.ComputedMember) open = true;
    else if (kind[member] === Kind.Member) {
      const name = names.ofNode(tree, after[node] as number);
      if (declared.has(name)) continue;
      declared.add(name);
      const from = tree.end[member] as number;
      const made = draft('field', name, container.path, assignment, from, container.ambient);
      made.type = valueType(reading, -1, childIn(tree, assignment, Role.right));
      found.push(place(reading, made));
    }
  }
  return open;
}
