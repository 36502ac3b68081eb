import { childIn, childrenIn, has, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { listElement, sameMembers } from './types.ts';

/** An object literal that is assigned to an explicit type. */
export interface Given {
  /** The annotation. */
  readonly type: number;
  /** The annotation is just a name: `Partial<User>` requires less. */
  readonly isWhole: boolean;
}

/**
 * The type that an object literal must have: of a variable, a field, `satisfies`, a list element, or the return type of a function. Null
 * where none is written.
 */
export function givenTo(reading: Reading, object: number): Given | null {
  const { tree } = reading;
  const above = tree.parent[object] as number;
  switch (tree.kind[above]) {
    case Kind.Variable:
    case Kind.Field:
    case Kind.Satisfies:
      return given(reading, childIn(tree, above, Role.type));
    case Kind.Return:
    case Kind.Arrow:
      return given(reading, returnedType(reading, object));
    default:
      return tree.role[object] === Role.element ? given(reading, elementType(reading, above)) : null;
  }
}

function given({ tree, names }: Reading, type: number): Given | null {
  if (type < 0) return null;
  const isName = tree.kind[type] === Kind.TypeReference && tree.kind[type + 1] === Kind.Reference;
  return { type, isWhole: isName && !sameMembers.has(names.ofNode(type + 1)) };
}

/** `const users: User[] = [{ … }]`: the type of the elements. */
function elementType(reading: Reading, list: number): number {
  const { tree } = reading;
  const above = tree.parent[list] as number;
  if (tree.kind[above] !== Kind.Variable && tree.kind[above] !== Kind.Field) return -1;
  return listElement(reading, childIn(tree, above, Role.type));
}

/** The declared return type of the function around a `return`; for an asynchronous one the type inside the promise. */
function returnedType(reading: Reading, object: number): number {
  const { tree, names } = reading;
  let node = tree.parent[object] as number;
  if (tree.kind[node] === Kind.Arrow && tree.role[object] !== Role.body) return -1;
  while (node > 0 && tree.kind[node] !== Kind.Function && tree.kind[node] !== Kind.Arrow)
    node = tree.parent[node] as number;
  const returns = node > 0 ? childIn(tree, node, Role.returns) : -1;
  if (returns < 0 || has(tree, node, Flag.generator)) return -1;
  if (!has(tree, node, Flag.async)) return returns;
  const isPromise =
    tree.kind[returns] === Kind.TypeReference &&
    tree.kind[returns + 1] === Kind.Reference &&
    names.ofNode(returns + 1) === 'Promise';
  const [promised = -1] = isPromise ? childrenIn(tree, returns, Role.typeArgument) : [];
  return promised;
}
