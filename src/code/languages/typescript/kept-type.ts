import type { TypeName } from '#code/facts/facts.ts';
import { normalText } from '#code/lex/text-shape.ts';
import { childIn, childrenIn, dottedName, has, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { isOfLanguage, listElement, sameMembers, typeNameOf } from './types.ts';

const longest = 200;

/**
 * What is kept of an annotation: its one named type, or its text where values can be followed through it: `User[]`,
 * `Record<string, User>`, `Page<User>`, `Opened | Closed`.
 */
export function keptType(reading: Reading, type: number): TypeName | null {
  if (type < 0) return null;
  if (!isFollowed(reading, type)) return typeNameOf(reading, type) ?? ownParameter(reading, type);
  const values = reading.tree.kind[type] === Kind.TypeLiteral ? recordValues(reading, type) : -1;
  if (values < 0) return textOf(reading, type) ?? typeNameOf(reading, type);
  const text = textOf(reading, values);
  return text === null ? null : `Record<string,${text}>`;
}

/** What an alias means, where it only names other types. */
export function aliasedType(reading: Reading, type: number): TypeName | null {
  const { tree } = reading;
  const isName = tree.kind[type] === Kind.TypeReference && childIn(tree, type, Role.typeArgument) < 0;
  if (isName) return dottedName(reading, type + 1);
  return isFollowed(reading, type) || isWrapped(reading, type) ? textOf(reading, type) : null;
}

/** The bases that get type arguments: `Store<User>&Keyed<string>`. */
export function heritageText(
  reading: Reading,
  parts: readonly (readonly [from: number, to: number])[],
): TypeName | null {
  const texts = parts.flatMap(([from, to]) => {
    const text = normalText(reading.tokens, from, to, longest + 1);
    return text.endsWith('>') && text.length <= longest ? [text] : [];
  });
  return texts.length === 0 ? null : texts.join('&');
}

function textOf({ tree, tokens }: Reading, type: number): string | null {
  const text = normalText(tokens, tree.start[type] as number, tree.end[type] as number, longest + 1);
  return text.length > longest ? null : text;
}

/** A list, a record, a generic type or a union that names types, of this module or of others. */
function isFollowed(reading: Reading, type: number): boolean {
  const { tree } = reading;
  switch (tree.kind[type]) {
    case Kind.TypeReference:
      if (isWrapped(reading, type) || reading.names.ofNode(type + 1) === 'Promise') return false;
      return namesOthers(reading, type, childIn(tree, type, Role.typeArgument));
    case Kind.Union: {
      const parts = childrenIn(tree, type, Role.type).filter((part) => tree.kind[part] !== Kind.Nullish);
      if (parts.length === 1) return isFollowed(reading, parts[0] as number);
      return parts.every((part) => tree.kind[part] === Kind.TypeReference);
    }
    case Kind.TypeLiteral:
      return namesOthers(reading, type, recordValues(reading, type));
    default: {
      const element = listElement(reading, type);
      return element >= 0 && namesOthers(reading, type, element);
    }
  }
}

/** `Partial<User>`, `Omit<User, 'id'>`: the members are those of the argument. */
function isWrapped(reading: Reading, type: number): boolean {
  const { tree } = reading;
  return (
    tree.kind[type] === Kind.TypeReference &&
    tree.kind[type + 1] === Kind.Reference &&
    isOfLanguage(reading, type + 1, sameMembers)
  );
}

/** The type of the values of `{ [id: string]: User }`; else -1. */
function recordValues({ tree }: Reading, type: number): number {
  const [only, ...others] = childrenIn(tree, type, Role.member);
  if (only === undefined || others.length > 0 || tree.kind[only] !== Kind.IndexSignature) return -1;
  return childIn(tree, only, Role.returns);
}

/** Whether a named type, or that of a value, is among the parts: `Record<string, number>` leads nowhere. */
function namesOthers({ tree }: Reading, type: number, from: number): boolean {
  if (from < 0) return false;
  for (let node = from; node < (tree.after[type] as number); node++)
    if (tree.kind[node] === Kind.TypeReference || tree.kind[node] === Kind.TypeQuery) return true;
  return false;
}

/** `T`, where the class, interface or type around it takes `T`: what it means depends on who uses it. */
function ownParameter({ tree, names }: Reading, type: number): TypeName | null {
  if (tree.kind[type] !== Kind.TypeReference || tree.kind[type + 1] !== Kind.Reference) return null;
  const wanted = names.numberOf(type + 1);
  for (let above = tree.parent[type] as number; above >= 0; above = tree.parent[above] as number) {
    for (const parameter of childrenIn(tree, above, Role.typeParameter))
      if (names.numberOf(childIn(tree, parameter, Role.id)) === wanted)
        return owners.has(tree.kind[above] as number) ? names.ofNode(type + 1) : null;
    if (has(tree, above, Flag.declaration) && tree.kind[above] === Kind.Function) return null;
  }
  return null;
}

const owners = new Set<number>([Kind.Class, Kind.Interface, Kind.TypeAlias]);
