import type { TypeName } from '#code/facts/facts.ts';
import type { Container } from './members.ts';
import { objectMembers } from './members.ts';
import { type Placed, place } from './placement.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** zod's name for the fields of an object schema: `UserSchema.shape`. */
const shape = 'shape';

/** Methods of an object schema that keep the names of its fields. */
const sameFields = new Set([
  'strict',
  'strip',
  'partial',
  'required',
  'readonly',
  'describe',
  'meta',
  'refine',
  'superRefine',
  'brand',
  'register',
]);
const adding = new Set(['extend', 'safeExtend']);
const inferring = /^(\w+\.)?(infer|output|input|TypeOf)$/;

interface ObjectSchema {
  /** Object literals with fields. */
  readonly literals: readonly number[];
  /** The schema that this one extends. */
  readonly base: string | null;
}

/** `z.object({ … })`: the fields of a schema, as members of its `shape`. */
export function schemaFields(
  reading: Reading,
  node: number,
  value: number,
  schema: string,
  found: Placed[],
): void {
  const object = objectSchema(reading, value);
  if (object === null || !usesZod(reading)) return;
  const placed = place(reading, 'type', shape, schema, node, reading.tree.start[value] as number, false);
  const container: Container = { path: placed.path, ambient: false };
  found.push(placed);
  const isOpen = object.literals.map((literal) => objectMembers(reading, literal, container, found));
  placed.definition.members = { open: isOpen.includes(true) };
  if (object.base !== null) placed.definition.bases = [`${object.base}.${shape}`];
}

/** The fields that `z.infer<typeof UserSchema>` refers to: `UserSchema.shape`; null for any other type. */
export function inferredFields(reading: Reading, type: number): TypeName | null {
  const { tree } = reading;
  if (type < 0 || tree.kind[type] !== Kind.TypeReference) return null;
  const name = dottedName(reading, type + 1);
  const [argument, ...others] = childrenIn(tree, type, Role.typeArgument);
  if (name === null || !inferring.test(name) || argument === undefined || others.length > 0) return null;
  const schema = tree.kind[argument] === Kind.TypeQuery ? dottedName(reading, argument + 1) : null;
  return schema === null || !usesZod(reading) ? null : `${schema}.${shape}`;
}

/** Reads the whole text: ask it last. */
function usesZod({ text }: Reading): boolean {
  return /\bfrom\s*['"]zod\b/.test(text);
}

/** A chain that starts with `z.object({ … })` or with another schema; null when it may have other fields. */
function objectSchema(reading: Reading, value: number): ObjectSchema | null {
  const { tree, names } = reading;
  if (value < 0 || tree.kind[value] !== Kind.Call) return null;
  const callee = value + 1;
  if (tree.kind[callee] !== Kind.Member) return null;
  const method = names.ofNode(tree.after[callee + 1] as number);
  const literal = childIn(tree, value, Role.argument);
  const fields = literal >= 0 && tree.kind[literal] === Kind.Object ? [literal] : null;
  const object = callee + 1;
  if (/^(object|strictObject)$/.test(method) && tree.kind[object] === Kind.Reference)
    return fields === null ? null : { literals: fields, base: null };
  if (!sameFields.has(method) && !(adding.has(method) && fields !== null)) return null;
  const inner = tree.kind[object] === Kind.Call ? objectSchema(reading, object) : named(reading, object);
  const added = adding.has(method) ? (fields ?? []) : [];
  return inner && { ...inner, literals: [...inner.literals, ...added] };
}

function named(reading: Reading, node: number): ObjectSchema | null {
  const base = dottedName(reading, node);
  return base === null ? null : { literals: [], base };
}
