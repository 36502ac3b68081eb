import type { TypeName } from '#code/facts/facts.ts';
import { heldValue, plainResult } from '#code/languages/shared/results.ts';
import type { LocalTypes } from './reading.ts';
import { type NodeId, none, type SyntaxTree } from './syntax-tree.ts';

/** How a language with classes writes values. */
export interface ObjectSyntax {
  /** `a.b` and what is called in `a.b()`; the object is `none` for a bare name. */
  member(tree: SyntaxTree, node: NodeId): { readonly object: NodeId; readonly name: string } | null;
  call(tree: SyntaxTree, node: NodeId): { readonly object: NodeId; readonly name: string } | null;
  /** The class of `new User()`. */
  made(tree: SyntaxTree, node: NodeId): string | null;
  isSelf(tree: SyntaxTree, node: NodeId): boolean;
  /** Kinds of nodes that declare a class. */
  readonly classes: ReadonlySet<string>;
}

/** The type of a value, as a path that the linker follows: `OrderService.store.(held).find.()` for `store.find(1)`. */
export function typeOfObject(
  syntax: ObjectSyntax,
  tree: SyntaxTree,
  node: NodeId,
  local: LocalTypes,
): TypeName | null {
  const made = syntax.made(tree, node);
  if (made !== null) return made;
  if (syntax.isSelf(tree, node)) return enclosingClass(syntax, tree, node);
  const kind = tree.kind(node);
  if (kind === 'parenthesized_expression') return typeOfObject(syntax, tree, tree.firstChild(node), local);
  if (kind === 'identifier' || kind === 'variable_name') return typeOfName(syntax, tree, node, local);
  const called = syntax.call(tree, node);
  const accessed = called ?? syntax.member(tree, node);
  if (!accessed) return null;
  const owner =
    accessed.object === none
      ? enclosingClass(syntax, tree, node)
      : ownerOf(syntax, tree, accessed.object, local);
  return owner === null ? null : `${owner}.${accessed.name}.${called ? plainResult : heldValue}`;
}

/** A value, or a class whose static members are meant: `Money.of(3)`. */
function ownerOf(syntax: ObjectSyntax, tree: SyntaxTree, node: NodeId, local: LocalTypes): string | null {
  const name = /^(?:identifier|name)$/.test(tree.kind(node)) ? tree.textOf(node) : '';
  if (/^[A-Z]\w*[a-z]/.test(name) && local(name) === undefined) return name;
  return typeOfObject(syntax, tree, node, local);
}

/** A local, or a field of the class around it. */
function typeOfName(syntax: ObjectSyntax, tree: SyntaxTree, node: NodeId, local: LocalTypes): string | null {
  const name = tree.textOf(node);
  const known = local(name);
  if (known !== undefined) return known;
  const owner = /^[a-z_]/.test(name) ? enclosingClass(syntax, tree, node) : null;
  return owner === null ? null : `${owner}.${name}.${heldValue}`;
}

/** Null inside a class that is part of another one. */
export function enclosingClass(
  { classes }: Pick<ObjectSyntax, 'classes'>,
  tree: SyntaxTree,
  node: NodeId,
): string | null {
  let found: string | null = null;
  for (let each = tree.parent(node); each !== none; each = tree.parent(each)) {
    if (!classes.has(tree.kind(each))) continue;
    if (found !== null) return null;
    found = tree.textOf(tree.child(each, 'name'));
  }
  return found;
}
