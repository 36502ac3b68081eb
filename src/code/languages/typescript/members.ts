import type { Members, TypeName } from '#code/facts/facts.ts';
import { elementOf } from '#code/languages/shared/results.ts';
import { classBody } from './class-context.ts';
import { failureOf } from './failures.ts';
import { keptType } from './kept-type.ts';
import { enumValue, literalUnion } from './literals.ts';
import { decoratorsOf, headRange, type Placed, place, signed, typeRange } from './placement.ts';
import { childIn, dottedName, has, keyName, type Reading } from './reading.ts';
import { callableIn, genericResult, signatureOf } from './signatures.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import {
  computedName,
  constructedNode,
  isKeyed,
  isWellKnownSymbol,
  listElement,
  memberName,
  onlyType,
} from './types.ts';

/** What members belong to. */
export interface Container {
  readonly path: string;
  readonly ambient: boolean;
}

/**
 * Each of these adds the members of a container to `found` and returns whether there may be more: index signatures, computed names,
 * spreads, a base that is not a name.
 */

export function classMembers(
  reading: Reading,
  classNode: number,
  container: Container,
  found: Placed[],
): Members {
  const { tree } = reading;
  const { kind, after } = tree;
  const superclass = childIn(tree, classNode, Role.super);
  const known = found.length;
  let open = superclass >= 0 && dottedName(reading, superclass) === null;
  let keyed = false;
  const body = classBody(tree, classNode);
  for (let member = body + 1; member < (after[body] as number); member = after[member] as number) {
    if (kind[member] === Kind.StaticBlock) continue;
    const key = childIn(tree, member, Role.key);
    if (key >= 0 && kind[key] === Kind.PrivateName) continue;
    const name = memberName(reading, member);
    if (name === null) {
      if (isKeyed(reading, member)) keyed = true;
      else open ||= !isWellKnownSymbol(reading, member);
    }
    const shown = name ?? computedName(reading, member);
    if (shown === null) continue;
    if (kind[member] === Kind.Method) method(reading, member, shown, container, found);
    else addField(reading, member, shown, container, found);
  }
  return reading.variant === 'js'
    ? { open: assignedFields(reading, classNode, container, found, known) || open || keyed }
    : membersWith(open, keyed);
}

export function membersWith(open: boolean, keyed: boolean): Members {
  return keyed && !open ? { open, keyed } : { open };
}

function method(reading: Reading, member: number, name: string, container: Container, found: Placed[]): void {
  const { tree } = reading;
  const callable = childIn(tree, member, Role.value);
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const isAccessor = has(tree, member, Flag.getter | Flag.setter);
  const isConstructor = has(tree, member, Flag.constructor) && !has(tree, member, Flag.static);
  const kind = isConstructor ? 'constructor' : isAccessor ? 'accessor' : 'method';
  const placed = place(reading, kind, name, container.path, member, from, container.ambient);
  const { definition } = placed;
  signed(reading, placed, headRange(reading, callable, from));
  definition.signature = signatureOf(reading, callable);
  definition.type = genericResult(reading, callable, definition.signature);
  if (isAccessor) {
    definition.type = keptType(reading, childIn(tree, callable, Role.returns));
    addHalf(reading, member, placed);
  }
  definition.async = has(tree, callable, Flag.async);
  definition.failure = failureOf(reading, callable);
  placed.bodiless = has(tree, callable, Flag.bodiless);
  addModifiers(reading, member, placed);
  found.push(placed);
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
    const from = tree.end[id] as number;
    const placed = place(reading, 'field', names.ofNode(id), container.path, node, from, container.ambient);
    signed(reading, placed, typeRange(reading, type));
    placed.definition.type = keptType(reading, type);
    addModifiers(reading, node, placed);
    found.push(placed);
  }
}

/** Deeper ones are left out. */
const mostLevels = 4;

/** With the members of an object type that is written in place, `{ duration: number }` or a list of such objects. */
function addField(
  reading: Reading,
  member: number,
  name: string,
  container: Container,
  found: Placed[],
): void {
  const placed = field(reading, member, name, container);
  found.push(placed);
  const type = onlyType(reading, childIn(reading.tree, member, Role.type));
  if (type < 0 || container.path.split('.').length >= mostLevels) return;
  const element = listElement(reading, type);
  const object = element < 0 ? type : element;
  if (reading.tree.kind[object] !== Kind.TypeLiteral || placed.definition.type !== null) return;
  let owner = placed;
  if (element >= 0) {
    const from = reading.tree.start[object] as number;
    owner = place(reading, 'type', elementOf, placed.path, member, from, container.ambient);
    found.push(owner);
  }
  owner.definition.members = typeMembers(reading, object, { ...container, path: owner.path }, found);
}

/** A field of a class, or a property of an interface or object type. */
function field(reading: Reading, member: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const type = childIn(tree, member, Role.type);
  const value = childIn(tree, member, Role.value);
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const placed = place(reading, 'field', name, container.path, member, from, container.ambient);
  const callable = callableIn(reading, type < 0 ? value : type);
  if (callable >= 0) addCallable(reading, callable, placed);
  if (type >= 0) signed(reading, placed, typeRange(reading, type));
  placed.definition.type = valueType(reading, type, value);
  if (type >= 0) placed.definition.literals = literalUnion(reading, type, { skipsNothing: true });
  addModifiers(reading, member, placed);
  return placed;
}

/** Adds the signature of a function value to a definition. */
export function addCallable(reading: Reading, callable: number, placed: Placed): void {
  const { tree } = reading;
  signed(reading, placed, headRange(reading, callable, tree.start[callable] as number));
  const isDeclared = placed.definition.kind === 'function';
  // The type after `satisfies` determines what the function takes.
  const infersPatterns = isDeclared && tree.kind[tree.parent[callable] as number] !== Kind.Satisfies;
  const signature = signatureOf(reading, callable, placed.definition.name, { infersPatterns });
  placed.definition.signature = signature;
  // The type of a field is that of its value.
  if (isDeclared) placed.definition.type = genericResult(reading, callable, signature);
  placed.definition.async = has(tree, callable, Flag.async);
  placed.definition.failure = failureOf(reading, callable);
}

function addHalf(reading: Reading, member: number, placed: Placed): void {
  if (has(reading.tree, member, Flag.getter)) placed.half = 'getter';
  else if (has(reading.tree, member, Flag.setter)) placed.half = 'setter';
}

function addModifiers(reading: Reading, member: number, { definition }: Placed): void {
  const { tree } = reading;
  definition.static = has(tree, member, Flag.static);
  definition.abstract = has(tree, member, Flag.abstract);
  definition.overrides = saysOverride(reading, member);
  definition.optional = has(tree, member, Flag.optional);
  definition.decorators = decoratorsOf(reading, member);
}

/** The tree does not keep the keyword `override`, which precedes the name. */
function saysOverride({ tree, text }: Reading, member: number): boolean {
  const key = childIn(tree, member, Role.key);
  const name = key < 0 ? childIn(tree, member, Role.id) : key;
  if (name < 0) return false;
  const from = tree.start[member] as number;
  const to = tree.start[name] as number;
  // Most members start with their name.
  return from !== to && /\boverride\b/.test(text.slice(from, to));
}

/** The named type of a variable, parameter or field, from its annotation or from `new X()`. */
export function valueType(reading: Reading, type: number, value: number): TypeName | null {
  if (type >= 0) return keptType(reading, type);
  const constructed = value < 0 ? -1 : constructedNode(reading, value);
  return constructed < 0 ? null : dottedName(reading, constructed);
}

/** Members of an interface or of an object type. */
export function typeMembers(reading: Reading, type: number, container: Container, found: Placed[]): Members {
  const { tree } = reading;
  let open = false;
  let keyed = false;
  for (let member = type + 1; member < (tree.after[type] as number); member = tree.after[member] as number) {
    if (tree.role[member] !== Role.member) continue;
    const name = memberName(reading, member);
    if (name === null) {
      // A function has some members of its own.
      if (isKeyed(reading, member) || tree.kind[member] === Kind.CallSignature) keyed = true;
      else open ||= !isWellKnownSymbol(reading, member);
    } else if (tree.kind[member] === Kind.PropertySignature)
      addField(reading, member, name, container, found);
    else found.push(methodSignature(reading, member, name, container));
  }
  return membersWith(open, keyed);
}

function methodSignature(reading: Reading, member: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const isAccessor = has(tree, member, Flag.getter | Flag.setter);
  const kind = isAccessor ? 'accessor' : 'method';
  const placed = place(reading, kind, name, container.path, member, from, container.ambient);
  signed(reading, placed, [from, tree.end[member] as number]);
  placed.definition.signature = signatureOf(reading, member);
  placed.definition.type = genericResult(reading, member, placed.definition.signature);
  if (isAccessor) {
    placed.definition.type = keptType(reading, childIn(tree, member, Role.returns));
    addHalf(reading, member, placed);
  }
  placed.bodiless = true;
  addModifiers(reading, member, placed);
  return placed;
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
      const placed = place(reading, 'enum-member', name, container.path, member, from, container.ambient);
      if (value !== null) placed.definition.literals = [value];
      found.push(placed);
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
  const from = tree.end[childIn(tree, property, Role.key)] as number;
  const placed = place(reading, 'field', name, container.path, property, from, container.ambient);
  const callable = callableIn(reading, value);
  if (callable >= 0) addCallable(reading, callable, placed);
  else placed.definition.type = valueType(reading, -1, value);
  addHalf(reading, property, placed);
  return placed;
}

/**
 * JavaScript declares fields by assigning them: `this.name = name`. The members from index `known` on are those that the class declares.
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
      const name = names.ofNode(after[node] as number);
      if (declared.has(name)) continue;
      declared.add(name);
      const from = tree.end[member] as number;
      const placed = place(reading, 'field', name, container.path, assignment, from, container.ambient);
      placed.definition.type = valueType(reading, -1, childIn(tree, assignment, Role.right));
      found.push(placed);
    }
  }
  return open;
}
