import type { Members } from '../../facts.ts';
import { classBody, thisOwner } from './class-context.ts';
import { decoratorsOf, headRange, type Placed, place, typeRange } from './placement.ts';
import { childIn, childrenIn, dottedName, has, keyName, type Reading } from './reading.ts';
import { callableIn, signatureOf } from './signatures.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { constructedNode, isWellKnownSymbol, memberName, typeNameOf } from './types.ts';

/** The members of one container, and whether there may be more than these. */
export interface MemberList extends Members {
  readonly placed: readonly Placed[];
}

export interface Container {
  readonly path: string;
  readonly ambient: boolean;
}

export function classMembers(reading: Reading, classNode: number, container: Container): MemberList {
  const { tree } = reading;
  const placed: Placed[] = [];
  const superclass = childIn(tree, classNode, Role.super);
  let open = superclass >= 0 && dottedName(reading, superclass) === null;
  for (const member of childrenIn(tree, classBody(tree, classNode), Role.member)) {
    const kind = tree.kind[member];
    if (kind === Kind.StaticBlock || isPrivate(reading, member)) continue;
    const name = kind === Kind.IndexSignature ? null : memberName(reading, member);
    if (name === null) {
      open ||= kind === Kind.IndexSignature || !isWellKnownSymbol(reading, member);
    } else if (kind === Kind.Method) {
      placed.push(...methodOf(reading, member, name, container));
    } else placed.push(fieldOf(reading, member, name, container));
  }
  if (reading.dialect !== 'js') return { placed, open };
  const assigned = assignedFields(reading, classNode, container, new Set(placed.map(({ path }) => path)));
  return { placed: [...placed, ...assigned.placed], open: open || assigned.open };
}

function methodOf(reading: Reading, member: number, name: string, container: Container): Placed[] {
  const { tree } = reading;
  const callable = childIn(tree, member, Role.value);
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const isAccessor = has(tree, member, Flag.getter | Flag.setter);
  const isConstructor = has(tree, member, Flag.constructor) && !has(tree, member, Flag.static);
  const method = place(reading, {
    node: member,
    name,
    container: container.path,
    kind: isConstructor ? 'constructor' : isAccessor ? 'accessor' : 'method',
    from,
    signatureRange: headRange(reading, callable, from),
    signature: signatureOf(reading, callable),
    type: isAccessor ? typeNameOf(reading, childIn(tree, callable, Role.returns)) : null,
    async: has(tree, callable, Flag.async),
    static: has(tree, member, Flag.static),
    abstract: has(tree, member, Flag.abstract),
    optional: has(tree, member, Flag.optional),
    decorators: decoratorsOf(reading, member),
    ambient: container.ambient,
    bodiless: has(tree, callable, Flag.bodiless),
  });
  return isConstructor ? [method, ...parameterProperties(reading, callable, container)] : [method];
}

function parameterProperties(reading: Reading, callable: number, container: Container): Placed[] {
  const { tree, names } = reading;
  return childrenIn(tree, callable, Role.parameter)
    .filter((parameter) => has(tree, parameter, Flag.parameterProperty))
    .flatMap((parameter) => {
      const id = childIn(tree, parameter, Role.id);
      if (tree.kind[id] !== Kind.Binding) return [];
      const type = childIn(tree, parameter, Role.type);
      return place(reading, {
        node: parameter,
        name: names.ofNode(tree, id),
        container: container.path,
        kind: 'field',
        from: tree.end[id] as number,
        signatureRange: typeRange(reading, type),
        type: typeNameOf(reading, type),
        optional: has(tree, parameter, Flag.optional),
        decorators: decoratorsOf(reading, parameter),
        ambient: container.ambient,
      });
    });
}

function fieldOf(reading: Reading, member: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const type = childIn(tree, member, Role.type);
  const value = childIn(tree, member, Role.value);
  const callable = callableIn(reading, type < 0 ? value : type);
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  return place(reading, {
    node: member,
    name,
    container: container.path,
    kind: 'field',
    from,
    signatureRange:
      type < 0 && callable >= 0
        ? headRange(reading, callable, tree.start[callable] as number)
        : typeRange(reading, type),
    signature: callable < 0 ? null : signatureOf(reading, callable),
    type: fieldType(reading, type, value),
    async: callable >= 0 && has(tree, callable, Flag.async),
    static: has(tree, member, Flag.static),
    abstract: has(tree, member, Flag.abstract),
    optional: has(tree, member, Flag.optional),
    decorators: decoratorsOf(reading, member),
    ambient: container.ambient,
  });
}

/** The named type of a variable or field, from its annotation or from `new X()`. */
export function fieldType(reading: Reading, type: number, value: number): string | null {
  if (type >= 0) return typeNameOf(reading, type);
  const constructed = value < 0 ? -1 : constructedNode(reading, value);
  return constructed < 0 ? null : dottedName(reading, constructed);
}

/** Members of an interface or of an object type. */
export function typeMembers(reading: Reading, type: number, container: Container): MemberList {
  const { tree } = reading;
  const placed: Placed[] = [];
  let open = false;
  for (const member of childrenIn(tree, type, Role.member)) {
    const name = memberName(reading, member);
    if (name === null)
      open ||= tree.kind[member] === Kind.IndexSignature || !isWellKnownSymbol(reading, member);
    else if (tree.kind[member] === Kind.PropertySignature)
      placed.push(fieldOf(reading, member, name, container));
    else placed.push(methodSignature(reading, member, name, container));
  }
  return { placed, open };
}

function methodSignature(reading: Reading, member: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const from = tree.end[childIn(tree, member, Role.key)] as number;
  const isAccessor = has(tree, member, Flag.getter | Flag.setter);
  return place(reading, {
    node: member,
    name,
    container: container.path,
    kind: isAccessor ? 'accessor' : 'method',
    from,
    signatureRange: [from, tree.end[member] as number],
    signature: signatureOf(reading, member),
    type: isAccessor ? typeNameOf(reading, childIn(tree, member, Role.returns)) : null,
    optional: has(tree, member, Flag.optional),
    ambient: container.ambient,
    bodiless: true,
  });
}

export function enumMembers(reading: Reading, node: number, container: Container): MemberList {
  const { tree } = reading;
  const placed: Placed[] = [];
  let open = false;
  for (const member of childrenIn(tree, node, Role.member)) {
    const key = childIn(tree, member, Role.key);
    const name = keyName(reading, key);
    if (name === null) open = true;
    else {
      const from = tree.end[key] as number;
      placed.push(
        place(reading, {
          node: member,
          name,
          container: container.path,
          kind: 'enum-member',
          from,
          ambient: container.ambient,
        }),
      );
    }
  }
  return { placed, open };
}

/** The keys of an object literal. */
export function objectMembers(reading: Reading, object: number, container: Container): MemberList {
  const { tree } = reading;
  const placed: Placed[] = [];
  let open = false;
  for (const property of childrenIn(tree, object, Role.member)) {
    const name = tree.kind[property] === Kind.Property ? memberName(reading, property) : null;
    if (name === null) open = true;
    else placed.push(propertyOf(reading, property, name, container));
  }
  return { placed, open };
}

function propertyOf(reading: Reading, property: number, name: string, container: Container): Placed {
  const { tree } = reading;
  const value = childIn(tree, property, Role.value);
  const callable = callableIn(reading, value);
  const from = tree.end[childIn(tree, property, Role.key)] as number;
  return place(reading, {
    node: property,
    name,
    container: container.path,
    kind: 'field',
    from,
    ...(callable < 0 ? {} : { signatureRange: headRange(reading, callable, tree.start[callable] as number) }),
    signature: callable < 0 ? null : signatureOf(reading, callable),
    type: fieldType(reading, -1, value),
    async: callable >= 0 && has(tree, callable, Flag.async),
    ambient: container.ambient,
  });
}

/** JavaScript declares fields by assigning them: `this.name = name`. */
function assignedFields(
  reading: Reading,
  classNode: number,
  container: Container,
  known: Set<string>,
): MemberList {
  const { tree, names } = reading;
  const { kind, parent, role, after } = tree;
  const placed: Placed[] = [];
  let open = false;
  for (let node = classNode + 1; node < (after[classNode] as number); node++) {
    if (kind[node] !== Kind.This) continue;
    const above = parent[node] as number;
    const assignment = parent[above] as number;
    const isTarget = kind[assignment] === Kind.Assignment && role[above] === Role.left;
    const isHandedOver = role[node] === Role.argument;
    if (!isHandedOver && !isTarget) continue;
    const owner = thisOwner(tree, node);
    if (owner?.classNode !== classNode || owner.isStatic) continue;
    if (isHandedOver || kind[above] === Kind.ComputedMember) open = true;
    else if (kind[above] === Kind.Member) {
      const name = names.ofNode(tree, after[node] as number);
      const path = `${container.path}.${name}`;
      if (known.has(path)) continue;
      known.add(path);
      placed.push(
        place(reading, {
          node: assignment,
          name,
          container: container.path,
          kind: 'field',
          from: tree.end[above] as number,
          type: fieldType(reading, -1, childIn(tree, assignment, Role.right)),
          ambient: container.ambient,
        }),
      );
    }
  }
  return { placed, open };
}

function isPrivate(reading: Reading, member: number): boolean {
  const key = childIn(reading.tree, member, Role.key);
  return key >= 0 && reading.tree.kind[key] === Kind.PrivateName;
}
