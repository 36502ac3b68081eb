import type { Definition } from '../../facts.ts';
import { namedDefault } from './exports.ts';
import {
  classMembers,
  enumMembers,
  fieldType,
  type MemberList,
  objectMembers,
  typeMembers,
} from './members.ts';
import { decoratorsOf, headRange, type Placed, place, typeRange } from './placement.ts';
import { childIn, childrenIn, dottedName, has, type Reading } from './reading.ts';
import type { Binding, Scope } from './scopes.ts';
import { callableIn, signatureOf } from './signatures.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { unwrapped } from './types.ts';

/** Where a definition stands and what its surroundings say about it. */
export interface Situation {
  readonly name: string;
  readonly container: string | null;
  readonly ambient: boolean;
  readonly conditional: boolean;
  /** Offset behind the name. */
  readonly from: number;
}

/**
 * Every module-level definition and every member of one. `loaded` holds the identifiers that name what
 * `require` or `import()` gave: those are imports, not definitions.
 */
export function readDefinitions(reading: Reading, loaded: ReadonlySet<number>): Placed[] {
  const found: Placed[] = [];
  for (const scope of reading.scopes.all) {
    if (scope.container === null) continue;
    for (const binding of scope.bindings) {
      if (!loaded.has(binding.node)) definitionsOf(reading, scope, binding, found);
    }
  }
  found.push(...anonymousDefault(reading));
  return found;
}

function definitionsOf(reading: Reading, scope: Scope, binding: Binding, found: Placed[]): void {
  const { tree, names } = reading;
  const situation: Situation = {
    name: names.text(binding.name),
    container: scope.container === '' ? null : scope.container,
    ambient: isAmbient(reading, binding.origin),
    conditional: isConditional(reading, binding.origin),
    from: tree.end[binding.node] as number,
  };
  switch (tree.kind[binding.origin]) {
    case Kind.Variable:
      found.push(...variable(reading, binding, situation));
      return;
    case Kind.Function:
      found.push(functionOf(reading, binding.origin, situation));
      return;
    case Kind.Class:
      found.push(...classOf(reading, binding.origin, binding.origin, situation));
      return;
    case Kind.Interface:
      found.push(...interfaceOf(reading, binding.origin, situation));
      return;
    case Kind.TypeAlias:
      found.push(...typeAlias(reading, binding.origin, situation));
      return;
    case Kind.Enum:
      found.push(...withMembers(reading, binding.origin, 'enum', situation, enumMembers));
      return;
    case Kind.Namespace:
      found.push(
        place(reading, { ...situation, node: binding.origin, kind: 'namespace', members: { open: false } }),
      );
      return;
    case Kind.ImportEquals:
      if (tree.kind[childIn(tree, binding.origin, Role.value)] !== Kind.ExternalModule) {
        found.push(place(reading, { ...situation, node: binding.origin, kind: 'variable' }));
      }
  }
}

/** The definition of an expression that stands for `name`: `const name = …`, `exports.name = …`, `export default …`. */
export function valueDefinitions(
  reading: Reading,
  node: number,
  value: number,
  situation: Situation,
): Placed[] {
  const { tree } = reading;
  const inner = unwrapped(reading, value);
  const kind = inner < 0 ? -1 : tree.kind[inner];
  if (kind === Kind.Class) return classOf(reading, node, inner, situation);
  if (kind === Kind.Object)
    return withMembers(reading, node, 'variable', situation, (_, __, container) =>
      objectMembers(reading, inner, container),
    );
  const callable = callableIn(reading, inner);
  if (callable < 0) {
    return [place(reading, { ...situation, node, kind: 'variable', type: fieldType(reading, -1, value) })];
  }
  return [
    place(reading, {
      ...situation,
      node,
      kind: 'function',
      signatureRange: headRange(reading, callable, tree.start[callable] as number),
      signature: signatureOf(reading, callable),
      async: has(tree, callable, Flag.async),
    }),
  ];
}

function variable(reading: Reading, binding: Binding, situation: Situation): Placed[] {
  const { tree } = reading;
  const node = binding.origin;
  if (tree.parent[binding.node] !== node) {
    // One of several names of a pattern: the whole declarator is what defines it.
    return [place(reading, { ...situation, node, kind: 'variable', from: tree.start[node] as number })];
  }
  const type = childIn(tree, node, Role.type);
  const value = childIn(tree, node, Role.init);
  if (type < 0) return valueDefinitions(reading, node, value, situation);
  const callable = callableIn(reading, type);
  return [
    place(reading, {
      ...situation,
      node,
      kind: callable < 0 ? 'variable' : 'function',
      signatureRange: typeRange(reading, type),
      signature: callable < 0 ? null : signatureOf(reading, callable),
      type: fieldType(reading, type, value),
    }),
  ];
}

function functionOf(reading: Reading, node: number, situation: Situation): Placed {
  const { tree } = reading;
  return place(reading, {
    ...situation,
    node,
    kind: 'function',
    signatureRange: headRange(reading, node, situation.from),
    signature: signatureOf(reading, node),
    async: has(tree, node, Flag.async),
    bodiless: has(tree, node, Flag.bodiless),
  });
}

/** `node` spans the definition, `classNode` is the class: they differ for `const A = class {}`. */
function classOf(reading: Reading, node: number, classNode: number, situation: Situation): Placed[] {
  const { tree } = reading;
  const superclass = childIn(tree, classNode, Role.super);
  const base = superclass < 0 ? null : dottedName(reading, superclass);
  const list = classMembers(reading, classNode, { path: pathOf(situation), ambient: situation.ambient });
  const owner = place(reading, {
    ...situation,
    node,
    kind: 'class',
    classNode,
    signatureRange: headRange(reading, classNode, situation.from),
    bases: base === null ? [] : [base],
    members: { open: list.open },
    abstract: has(tree, classNode, Flag.abstract),
    decorators: decoratorsOf(reading, classNode),
  });
  return [owner, ...list.placed];
}

function interfaceOf(reading: Reading, node: number, situation: Situation): Placed[] {
  const { tree } = reading;
  const heritage = childrenIn(tree, node, Role.extends);
  const head = [...heritage, ...childrenIn(tree, node, Role.typeParameter)].map(
    (part) => tree.end[part] as number,
  );
  const list = typeMembers(reading, node, { path: pathOf(situation), ambient: situation.ambient });
  const owner = place(reading, {
    ...situation,
    node,
    kind: 'interface',
    signatureRange: [situation.from, Math.max(situation.from, ...head)],
    bases: heritage.flatMap((part) => dottedName(reading, part + 1) ?? []),
    members: { open: list.open },
  });
  return [owner, ...list.placed];
}

function typeAlias(reading: Reading, node: number, situation: Situation): Placed[] {
  const { tree } = reading;
  const type = childIn(tree, node, Role.type);
  const container = { path: pathOf(situation), ambient: situation.ambient };
  const list = aliasMembers(reading, type, container);
  const parameters = childrenIn(tree, node, Role.typeParameter);
  const callable = callableIn(reading, type);
  const owner = place(reading, {
    ...situation,
    node,
    kind: 'type',
    signatureRange: [
      situation.from,
      Math.max(situation.from, ...parameters.map((part) => tree.end[part] as number)),
    ],
    signature: callable < 0 ? null : signatureOf(reading, callable),
    members: list === null ? null : { open: list.open },
  });
  return [owner, ...(list?.placed ?? [])];
}

/** Object types list their members; what is intersected or mapped into them stays unknown. */
function aliasMembers(
  reading: Reading,
  type: number,
  container: { path: string; ambient: boolean },
): MemberList | null {
  const { tree } = reading;
  if (tree.kind[type] === Kind.TypeLiteral) return typeMembers(reading, type, container);
  if (tree.kind[type] === Kind.MappedType) return { placed: [], open: true };
  if (tree.kind[type] !== Kind.Intersection) return null;
  const parts = childrenIn(tree, type, Role.type).map((part) => aliasMembers(reading, part, container));
  return { placed: parts.flatMap((part) => part?.placed ?? []), open: true };
}

function withMembers(
  reading: Reading,
  node: number,
  kind: 'enum' | 'variable',
  situation: Situation,
  read: (reading: Reading, node: number, container: { path: string; ambient: boolean }) => MemberList,
): Placed[] {
  const list = read(reading, node, { path: pathOf(situation), ambient: situation.ambient });
  return [place(reading, { ...situation, node, kind, members: { open: list.open } }), ...list.placed];
}

/** `export default` of something that has no name of its own. */
function anonymousDefault(reading: Reading): Placed[] {
  const { tree } = reading;
  for (const statement of childrenIn(tree, 0, Role.statement)) {
    if (tree.kind[statement] !== Kind.ExportDefault) continue;
    const node = statement + 1;
    if (namedDefault(reading, node) >= 0) return [];
    const situation: Situation = {
      name: 'default',
      container: null,
      ambient: isAmbient(reading, node),
      conditional: false,
      from: tree.start[node] as number,
    };
    if (tree.kind[node] === Kind.Function) return [functionOf(reading, node, situation)];
    return valueDefinitions(reading, node, node, situation);
  }
  return [];
}

function pathOf(situation: Situation): string {
  return situation.container === null ? situation.name : `${situation.container}.${situation.name}`;
}

function isAmbient(reading: Reading, origin: number): boolean {
  const { tree, dialect } = reading;
  if (dialect === 'dts') return true;
  for (let node = origin; node > 0; node = tree.parent[node] as number)
    if (has(tree, node, Flag.declare)) return true;
  return false;
}

const UNCONDITIONAL: ReadonlySet<number> = new Set([
  Kind.Program,
  Kind.ModuleBlock,
  Kind.Variables,
  Kind.ExportDeclaration,
  Kind.ExportDefault,
  Kind.Namespace,
]);

function isConditional(reading: Reading, origin: number): boolean {
  const { tree } = reading;
  for (let node = tree.parent[origin] as number; node > 0; node = tree.parent[node] as number) {
    if (!UNCONDITIONAL.has(tree.kind[node] as number)) return true;
  }
  return false;
}

/** In the order of the text; signatures without a body, and the two halves of an accessor, are marked as one. */
export function inOrder(found: readonly Placed[]): Placed[] {
  const placed = found.toSorted((a, b) => a.node - b.node);
  const groups = new Map<string, Placed[]>();
  for (const entry of placed) {
    const { kind, static: isStatic } = entry.definition;
    if (kind !== 'function' && kind !== 'method' && kind !== 'constructor' && kind !== 'accessor') continue;
    const key = `${isStatic ? 'static ' : ''}${entry.path}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const overloads = new Set<Placed>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    if (
      group.some((entry) => entry.bodiless) ||
      group.every((entry) => entry.definition.kind === 'accessor')
    ) {
      for (const entry of group) overloads.add(entry);
    }
  }
  return placed.map((entry) =>
    overloads.has(entry) ? { ...entry, definition: overloaded(entry.definition) } : entry,
  );
}

function overloaded(definition: Definition): Definition {
  return { ...definition, overload: true };
}
