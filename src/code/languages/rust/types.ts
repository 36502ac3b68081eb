import type { TypeName } from '#code/facts/facts.ts';
import { elementOf, elementType } from '#code/languages/shared/results.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

/** The type that a name means, without its arguments: `User` for `&User<'a>`. */
export function namedType(tree: SyntaxTree, type: NodeId): string | null {
  switch (tree.kind(type)) {
    case 'type_identifier':
      return tree.textOf(type);
    case 'scoped_type_identifier':
      return tree.textOf(type).replaceAll('::', '.');
    case 'reference_type':
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return namedType(tree, tree.child(type, 'type'));
    default:
      return null;
  }
}

/** Values that act as what they hold: `boxed.save()`. */
const pointers = new Set(['Box', 'Rc', 'Arc']);
/** Values that hold others: `for user in users`, `Some(user)`, `find(1)?`. */
const holders = new Set(['Vec', 'VecDeque', 'Option', 'Result', 'HashSet', 'BTreeSet']);

/** The type of a value: `User` for `&mut User`, `Box<User>` and `Self` in `impl User`; `User[]` for `Vec<User>` and `Option<User>`. */
export function valueType(tree: SyntaxTree, type: NodeId): TypeName | null {
  switch (tree.kind(type)) {
    case 'type_identifier':
      return plainName(tree, type);
    case 'scoped_type_identifier':
      return namedType(tree, type);
    case 'reference_type':
      return valueType(tree, tree.child(type, 'type'));
    case 'dynamic_type':
    case 'abstract_type':
      return namedType(tree, tree.child(type, 'trait'));
    case 'array_type':
      return listOf(valueType(tree, tree.child(type, 'element')));
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return genericType(tree, type);
    default:
      return null;
  }
}

function genericType(tree: SyntaxTree, type: NodeId): TypeName | null {
  const name = namedType(tree, type) ?? '';
  const last = name.slice(name.lastIndexOf('.') + 1);
  const [first = none] = tree
    .children(tree.child(type, 'type_arguments'))
    .filter((each) => tree.kind(each) !== 'lifetime');
  if (isDefinedIn(tree, last)) return name;
  if (pointers.has(last)) return valueType(tree, first);
  return holders.has(last) ? listOf(valueType(tree, first)) : name;
}

/** A file may define a `Vec` of its own. */
function isDefinedIn(tree: SyntaxTree, name: string): boolean {
  const known = definedTypes.get(tree) ?? namesOfTypes(tree);
  definedTypes.set(tree, known);
  return known.has(name);
}

const definedTypes = new WeakMap<SyntaxTree, ReadonlySet<string>>();

function namesOfTypes(tree: SyntaxTree): ReadonlySet<string> {
  const types = tree.children(0).filter((node) => /^(?:struct|enum|union)_item$/.test(tree.kind(node)));
  return new Set(types.map((node) => tree.textOf(tree.child(node, 'name'))));
}

function listOf(element: TypeName | null): TypeName | null {
  return element === null || elementType(element) !== null ? null : `${element}${elementOf}`;
}

/** null for a type parameter, and for `Self` in a trait. */
function plainName(tree: SyntaxTree, type: NodeId): TypeName | null {
  const name = tree.textOf(type);
  if (name === 'Self') return selfType(tree, type);
  for (let around = tree.parent(type); around !== none; around = tree.parent(around)) {
    const parameters = tree.children(tree.child(around, 'type_parameters'));
    if (parameters.some((each) => tree.textOf(tree.child(each, 'name')) === name)) return null;
  }
  return name;
}

/** The type whose `impl` block contains a node; null in a trait, and where that type is a parameter. */
export function selfType(tree: SyntaxTree, node: NodeId): TypeName | null {
  for (let around = tree.parent(node); around !== none; around = tree.parent(around)) {
    if (tree.kind(around) === 'trait_item') return null;
    if (tree.kind(around) !== 'impl_item') continue;
    const type = tree.child(around, 'type');
    const name = namedType(tree, type);
    const isParameter = tree
      .children(tree.child(around, 'type_parameters'))
      .some((each) => tree.textOf(tree.child(each, 'name')) === name);
    return isParameter ? null : name;
  }
  return null;
}
