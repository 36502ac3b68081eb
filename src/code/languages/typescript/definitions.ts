import type { DefinitionKind, Members, TypeName } from '#code/facts/facts.ts';
import { namedDefault } from './exports.ts';
import { failureOf } from './failures.ts';
import { aliasedType, heritageText } from './kept-type.ts';
import { literalUnion } from './literals.ts';
import {
  addCallable,
  type Container,
  classMembers,
  enumMembers,
  membersWith,
  objectMembers,
  typeMembers,
  valueType,
} from './members.ts';
import { decoratorsOf, headRange, type Placed, place, signed, typeRange } from './placement.ts';
import { contextMember, wrappedSignature } from './react.ts';
import { childIn, childrenIn, dottedName, has, isList, type Reading } from './reading.ts';
import { returnedMembers, storeMembers } from './results.ts';
import type { Binding, Scope } from './scopes.ts';
import {
  callableIn,
  componentSignature,
  genericResult,
  signatureOf,
  typeParametersOf,
} from './signatures.ts';
import { oneOfEach, tableMembers } from './tables.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';
import { unwrapped } from './types.ts';
import { inferredFields, schemaFields } from './zod.ts';

/** A defined name and its surroundings. */
export interface Situation {
  readonly name: string;
  readonly container: string | null;
  readonly ambient: boolean;
  readonly conditional: boolean;
  /** Offset after the name. */
  readonly from: number;
}

/**
 * All module-level definitions and their members. `loaded`: identifiers bound by `require` or `import()`, which are imports, not
 * definitions. `assigned`: identifiers that CommonJS exports.
 */
export function readDefinitions(
  reading: Reading,
  loaded: ReadonlySet<number>,
  assigned: readonly Placed[],
): Placed[] {
  const { all } = reading.scopes;
  const found: Placed[] = [];
  for (let i = 0; i < all.length; i++) {
    const scope = all[i] as Scope;
    if (scope.container !== null) definitionsIn(reading, scope, loaded, found);
  }
  if (reading.tree.contains(Kind.ExportDefault)) anonymousDefault(reading, found);
  for (const placed of assigned) found.push(placed);
  return found;
}

function definitionsIn(reading: Reading, scope: Scope, loaded: ReadonlySet<number>, found: Placed[]): void {
  const { bindings } = scope;
  for (let i = 0; i < bindings.length; i++) {
    const binding = bindings[i] as Binding;
    if (!loaded.has(binding.node)) definitionsOf(reading, scope, binding, found);
  }
}

/** Sorted by position; definitions of one name that belong together are marked: overloads and accessor pairs. */
export function inOrder(found: Placed[]): Placed[] {
  if (!isSorted(found)) found.sort((a, b) => a.node - b.node);
  if (!found.some(({ bodiless, half }) => bodiless || half !== null)) return found;
  const containers = new Map<string | null, Map<string, Placed>>();
  for (const placed of found) {
    const { kind, name, container } = placed.definition;
    const isCallable = kind === 'function' || kind === 'method' || kind === 'constructor';
    if (!isCallable && placed.half === null) continue;
    let last = containers.get(container);
    if (last === undefined) {
      last = new Map();
      containers.set(container, last);
    }
    const before = last.get(name);
    last.set(name, placed);
    if (before === undefined || before.definition.static !== placed.definition.static) continue;
    const isPair = before.half !== null && placed.half !== null && before.half !== placed.half;
    if (!isPair && !before.bodiless && !placed.bodiless) continue;
    before.definition.overload = true;
    placed.definition.overload = true;
  }
  return found;
}

/** Only hoisted, nested or assigned definitions are found out of order. */
function isSorted(found: readonly Placed[]): boolean {
  for (let i = 1; i < found.length; i++) {
    if ((found[i - 1] as Placed).node > (found[i] as Placed).node) return false;
  }
  return true;
}

/** `var` may declare the same name again: that is not a second definition. */
export function markRepeatedVars({ tree }: Reading, placed: readonly Placed[]): void {
  if ((tree.allFlags & Flag.var) === 0) return;
  const isVar = ({ node }: Placed) =>
    tree.kind[node] === Kind.Variable && has(tree, tree.parent[node] as number, Flag.var);
  for (const group of Map.groupBy(placed.filter(isVar), ({ path }) => path).values())
    if (group.length > 1) for (const { definition } of group) definition.overload = true;
}

function definitionsOf(reading: Reading, scope: Scope, binding: Binding, found: Placed[]): void {
  const { tree, names } = reading;
  const { origin } = binding;
  const kind = tree.kind[origin] as number;
  if (defines[kind] !== 1) return;
  const situation: Situation = {
    name: names.text(binding.name),
    container: scope.container === '' ? null : scope.container,
    ambient: isAmbient(reading, origin),
    conditional: isConditional(reading, origin),
    from: tree.end[binding.node] as number,
  };
  switch (kind) {
    case Kind.Variable:
      variable(reading, binding, situation, found);
      return;
    case Kind.Function: {
      const placed = functionOf(reading, origin, situation);
      found.push(placed);
      returnedMembers(reading, origin, placed, found);
      return;
    }
    case Kind.Class:
      classOf(reading, origin, origin, situation, found);
      return;
    case Kind.Interface:
      interfaceOf(reading, origin, situation, found);
      return;
    case Kind.TypeAlias:
      typeAlias(reading, origin, situation, found);
      return;
    case Kind.Enum:
      withMembers(reading, started(reading, 'enum', origin, situation), enumMembers, origin, found);
      return;
    case Kind.Namespace: {
      // Nested namespaces are compared by their members: hashing each body again at every level adds up.
      const isDeep = (scope.container?.split('.').length ?? 0) > 3;
      const from = isDeep ? (tree.end[origin] as number) : situation.from;
      const placed = started(reading, 'namespace', origin, { ...situation, from });
      placed.definition.members = { open: false };
      found.push(placed);
      return;
    }
    default:
      // `import a = ns.b` is an alias; `import a = require('a')` is an import.
      if (tree.kind[childIn(tree, origin, Role.value)] === Kind.ExternalModule) return;
      found.push(started(reading, 'variable', origin, situation));
  }
}

const defines = kindTable([
  Kind.Variable,
  Kind.Function,
  Kind.Class,
  Kind.Interface,
  Kind.TypeAlias,
  Kind.Enum,
  Kind.Namespace,
  Kind.ImportEquals,
]);

/** The definition of an expression bound to a name: `const name = …`, `exports.name = …`, `export default …`. */
export function valueDefinitions(
  reading: Reading,
  node: number,
  value: number,
  situation: Situation,
  found: Placed[],
): void {
  const { tree } = reading;
  const inner = value < 0 ? -1 : unwrapped(reading, value);
  if (inner >= 0 && tree.kind[inner] === Kind.Class) {
    classOf(reading, node, inner, situation, found);
    return;
  }
  if (inner >= 0 && tree.kind[inner] === Kind.Object) {
    const placed = started(reading, 'variable', node, situation);
    withMembers(reading, placed, objectMembers, inner, found);
    tableMembers(reading, inner, placed, found);
    return;
  }
  const callable = callableIn(reading, inner);
  const placed = started(reading, callable < 0 ? 'variable' : 'function', node, situation);
  if (callable >= 0) addCallable(reading, callable, placed);
  else placed.definition.type = valueType(reading, -1, value);
  found.push(placed);
  if (callable >= 0) returnedMembers(reading, callable, placed, found);
  if (inner >= 0 && isList(reading, inner)) tableMembers(reading, inner, placed, found);
  if (inner < 0 || tree.kind[inner] !== Kind.Call) return;
  placed.definition.signature = wrappedSignature(reading, inner);
  contextMember(reading, inner, placed, found);
  schemaFields(reading, node, inner, placed.path, found);
  storeMembers(reading, inner, placed, found);
}

function variable(reading: Reading, binding: Binding, situation: Situation, found: Placed[]): void {
  const { tree } = reading;
  const node = binding.origin;
  if (tree.parent[binding.node] !== node) {
    // One of several names of a pattern: the whole declarator defines it.
    found.push(started(reading, 'variable', node, { ...situation, from: tree.start[node] as number }));
    return;
  }
  const type = childIn(tree, node, Role.type);
  const value = childIn(tree, node, Role.init);
  if (type < 0) {
    valueDefinitions(reading, node, value, situation, found);
    return;
  }
  const callable = callableIn(reading, type);
  const signature = callable < 0 ? componentSignature(reading, type) : signatureOf(reading, callable);
  const placed = started(reading, signature === null ? 'variable' : 'function', node, situation);
  signed(reading, placed, typeRange(reading, type));
  placed.definition.signature = signature;
  if (signature === null || callable >= 0) placed.definition.type = valueType(reading, type, value);
  found.push(placed);
}

function functionOf(reading: Reading, node: number, situation: Situation): Placed {
  const { tree } = reading;
  const placed = started(reading, 'function', node, situation);
  signed(reading, placed, headRange(reading, node, situation.from));
  placed.definition.signature = signatureOf(reading, node, situation.name, { infersPatterns: true });
  placed.definition.type = genericResult(reading, node, placed.definition.signature);
  placed.definition.async = has(tree, node, Flag.async);
  placed.definition.failure = failureOf(reading, node);
  placed.bodiless = has(tree, node, Flag.bodiless);
  return placed;
}

/** `node` spans the definition, `classNode` is the class: they differ for `const A = class {}`. */
function classOf(
  reading: Reading,
  node: number,
  classNode: number,
  situation: Situation,
  found: Placed[],
): void {
  const { tree } = reading;
  const superclass = childIn(tree, classNode, Role.super);
  const base = superclass < 0 ? null : dottedName(reading, superclass);
  const placed = started(reading, 'class', node, situation);
  signed(reading, placed, headRange(reading, classNode, situation.from));
  if (base !== null) placed.definition.bases = [base];
  const lastArgument = childrenIn(tree, classNode, Role.typeArgument).at(-1);
  if (lastArgument !== undefined)
    placed.definition.type = heritageText(reading, [
      [tree.start[superclass] as number, (tree.end[lastArgument] as number) + 1],
    ]);
  const promised = childrenIn(tree, classNode, Role.implements);
  if (promised.length > 0)
    placed.definition.implements = promised.flatMap((part) => dottedName(reading, part + 1) ?? []);
  placed.definition.typeParameters = typeParametersOf(reading, classNode);
  placed.definition.abstract = has(tree, classNode, Flag.abstract);
  placed.definition.decorators = decoratorsOf(reading, classNode);
  placed.classNode = classNode;
  withMembers(reading, placed, classMembers, classNode, found);
}

function interfaceOf(reading: Reading, node: number, situation: Situation, found: Placed[]): void {
  const { tree } = reading;
  const heritage = childrenIn(tree, node, Role.extends);
  const placed = started(reading, 'interface', node, situation);
  placed.definition.typeParameters = typeParametersOf(reading, node);
  signed(reading, placed, [situation.from, endOfHead(reading, node, situation.from)]);
  if (heritage.length > 0)
    placed.definition.bases = heritage.flatMap((part) => dottedName(reading, part + 1) ?? []);
  const generic = heritage.filter((part) => childIn(tree, part, Role.typeArgument) >= 0);
  if (generic.length > 0)
    placed.definition.type = heritageText(
      reading,
      generic.map((part) => [tree.start[part] as number, tree.end[part] as number]),
    );
  withMembers(reading, placed, typeMembers, node, found);
}

function typeAlias(reading: Reading, node: number, situation: Situation, found: Placed[]): void {
  const type = childIn(reading.tree, node, Role.type);
  const placed = started(reading, 'type', node, situation);
  placed.definition.typeParameters = typeParametersOf(reading, node);
  placed.definition.literals = literalUnion(reading, type);
  signed(reading, placed, [situation.from, endOfHead(reading, node, situation.from)]);
  const callable = callableIn(reading, type);
  if (callable >= 0) placed.definition.signature = signatureOf(reading, callable);
  found.push(placed);
  placed.definition.members = aliasMembers(reading, type, placed, found);
  if (placed.definition.members === null) placed.definition.type = aliasedType(reading, type);
}

/** Object types list their members; those of mapped types stay unknown. Null for other types. */
function aliasMembers(reading: Reading, type: number, placed: Placed, found: Placed[]): Members | null {
  const { tree } = reading;
  const container: Container = { path: placed.path, ambient: placed.definition.ambient };
  const object = readonlyObject(reading, type);
  if (object >= 0) return typeMembers(reading, object, container, found);
  if (tree.kind[type] === Kind.MappedType) return { open: true };
  const fields = inferredFields(reading, type);
  if (fields !== null) {
    placed.definition.bases = [fields];
    return { open: false };
  }
  if (tree.kind[type] === Kind.Union) return variantsInPlace(reading, type, container, found);
  return tree.kind[type] === Kind.Intersection ? intersected(reading, type, placed, found) : null;
}

/** `{ kind: 'a'; x: number } | { kind: 'b' }`: all keys that a variant has; those that not every variant has are optional. */
function variantsInPlace(
  reading: Reading,
  type: number,
  container: Container,
  found: Placed[],
): Members | null {
  const { tree } = reading;
  const variants = childrenIn(tree, type, Role.type).filter((part) => tree.kind[part] !== Kind.Nullish);
  if (!variants.every((part) => tree.kind[part] === Kind.TypeLiteral)) return null;
  const members: Placed[] = [];
  const parts = variants.map((part) => typeMembers(reading, part, container, members));
  found.push(...oneOfEach(members, variants.length));
  return membersWith(
    parts.some(({ open }) => open),
    parts.some(({ keyed }) => keyed),
  );
}

/** `{ … }` and `Readonly<{ … }>`; else -1. */
function readonlyObject({ tree, names }: Reading, type: number): number {
  if (tree.kind[type] === Kind.TypeLiteral) return type;
  if (tree.kind[type] !== Kind.TypeReference || tree.kind[type + 1] !== Kind.Reference) return -1;
  const inner = names.ofNode(type + 1) === 'Readonly' ? childIn(tree, type, Role.typeArgument) : -1;
  return inner >= 0 && tree.kind[inner] === Kind.TypeLiteral ? inner : -1;
}

/** `Common & { own: string }` has the members of all its parts, as if it extended the named ones. */
function intersected(reading: Reading, type: number, placed: Placed, found: Placed[]): Members {
  const { tree } = reading;
  const container: Container = { path: placed.path, ambient: placed.definition.ambient };
  const bases: TypeName[] = [];
  const parts = childrenIn(tree, type, Role.type).map((part): Members => {
    if (tree.kind[part] === Kind.TypeLiteral) return typeMembers(reading, part, container, found);
    const name =
      inferredFields(reading, part) ??
      (tree.kind[part] === Kind.TypeReference ? dottedName(reading, part + 1) : null);
    if (name !== null) bases.push(name);
    return { open: name === null };
  });
  if (bases.length > 0) placed.definition.bases = bases;
  return membersWith(
    parts.some(({ open }) => open),
    parts.some(({ keyed }) => keyed),
  );
}

function withMembers(
  reading: Reading,
  placed: Placed,
  read: (reading: Reading, node: number, container: Container, found: Placed[]) => Members | boolean,
  node: number,
  found: Placed[],
): void {
  found.push(placed);
  const container: Container = { path: placed.path, ambient: placed.definition.ambient };
  const members = read(reading, node, container, found);
  placed.definition.members = typeof members === 'boolean' ? { open: members } : members;
}

/** `export default` of something without a name. */
function anonymousDefault(reading: Reading, found: Placed[]): void {
  const { tree } = reading;
  const statement = childrenIn(tree, 0, Role.statement).find(
    (node) => tree.kind[node] === Kind.ExportDefault,
  );
  if (statement === undefined) return;
  const node = statement + 1;
  if (namedDefault(reading, node) >= 0) return;
  const from = tree.start[node] as number;
  const ambient = isAmbient(reading, node);
  const situation: Situation = { name: 'default', container: null, ambient, conditional: false, from };
  if (tree.kind[node] === Kind.Function) found.push(functionOf(reading, node, situation));
  else valueDefinitions(reading, node, node, situation, found);
}

function started(reading: Reading, kind: DefinitionKind, node: number, situation: Situation): Placed {
  const { name, container, from, ambient } = situation;
  const placed = place(reading, kind, name, container, node, from, ambient);
  placed.definition.conditional = situation.conditional;
  return placed;
}

/** Where type parameters and heritage end. */
function endOfHead(reading: Reading, node: number, from: number): number {
  const { tree } = reading;
  let end = from;
  for (let child = node + 1; child < (tree.after[node] as number); child = tree.after[child] as number) {
    if (tree.role[child] === Role.typeParameter || tree.role[child] === Role.extends)
      end = tree.end[child] as number;
  }
  return end;
}

function isAmbient(reading: Reading, origin: number): boolean {
  const { tree, variant } = reading;
  if (variant === 'dts') return true;
  for (let node = origin; node > 0; node = tree.parent[node] as number)
    if (has(tree, node, Flag.declare)) return true;
  return false;
}

const unconditional = kindTable([
  Kind.Program,
  Kind.ModuleBlock,
  Kind.Variables,
  Kind.ExportDeclaration,
  Kind.ExportDefault,
  Kind.Namespace,
]);

function isConditional(reading: Reading, origin: number): boolean {
  const { kind, parent } = reading.tree;
  for (let node = parent[origin] as number; node > 0; node = parent[node] as number) {
    if (unconditional[kind[node] as number] !== 1) return true;
  }
  return false;
}
