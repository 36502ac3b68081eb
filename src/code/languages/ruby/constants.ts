import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { visible } from './visible.ts';

const namespaces = new Set(['module', 'class']);

/** Full names of the classes and modules around a node, innermost first: ['Shop::Order', 'Shop']. */
function nestingOf(tree: SyntaxTree, node: NodeId): { readonly name: string; readonly isModule: boolean }[] {
  const around: { own: string; isModule: boolean }[] = [];
  for (let here = tree.parent(node); here !== none; here = tree.parent(here)) {
    if (!namespaces.has(tree.kind(here))) continue;
    const name = tree.child(here, 'name');
    // Names in the heading belong to the outer scope.
    if (node > name && node < tree.subtreeEnd(name)) continue;
    around.push({ own: written(tree, name), isModule: tree.kind(here) === 'module' });
  }
  return around.map(({ isModule }, at) => ({
    name: around
      .slice(at)
      .map(({ own }) => own)
      .reverse()
      .join('::'),
    isModule,
  }));
}

/** `Shop::User` as written, without a leading `::`. */
function written(tree: SyntaxTree, node: NodeId): string {
  return tree.textOf(node).replace(/^::/, '').replaceAll(/\s+/g, '');
}

/** The full name of a class, module or constant that is defined here: `Shop::User`. */
export function definedName(tree: SyntaxTree, name: NodeId): string {
  const [inside] = nestingOf(tree, tree.parent(name));
  return inside === undefined ? written(tree, name) : `${inside.name}::${written(tree, name)}`;
}

const ownNames = new WeakMap<SyntaxTree, ReadonlySet<string>>();

/** All classes and modules that a file opens. */
function opened(tree: SyntaxTree): ReadonlySet<string> {
  const known = ownNames.get(tree);
  if (known) return known;
  const names = new Set<string>();
  for (let node = 0; node < tree.size; node++) {
    if (namespaces.has(tree.kind(node))) names.add(definedName(tree, tree.child(node, 'name')));
    else if (isNewType(tree, node)) names.add(definedName(tree, tree.child(node, 'left')));
  }
  ownNames.set(tree, names);
  return names;
}

/** `User = Struct.new(:name)`, `User = Data.define(:name)`. */
export function isNewType(tree: SyntaxTree, node: NodeId): boolean {
  if (tree.kind(node) !== 'assignment' || tree.kind(tree.child(node, 'left')) !== 'constant') return false;
  const value = tree.child(node, 'right');
  return /^(?:Struct\.new|Data\.define)\b/.test(tree.kind(value) === 'call' ? tree.textOf(value) : '');
}

/**
 * The full name of the class or module that a constant means. Ruby looks in the enclosing scopes, innermost first. A name that the file
 * does not open is assumed to be in the enclosing module: a wrong guess finds nothing and reports nothing.
 */
export function meantName(tree: SyntaxTree, node: NodeId): string {
  const text = tree.textOf(node);
  const name = written(tree, node);
  if (text.startsWith('::')) return name;
  const own = opened(tree);
  const nesting = nestingOf(tree, node);
  const inside = nesting.map((scope) => `${scope.name}::${name}`).find((full) => own.has(full));
  if (inside !== undefined) return inside;
  const [first = name] = name.split('::');
  // `Shop::User` inside `module Shop`: the first name is itself a scope.
  const scope = nesting.find((each) => each.name === first || each.name.endsWith(`::${first}`));
  if (scope !== undefined) return `${scope.name}${name.slice(first.length)}`;
  const module = nesting.find(({ isModule }) => isModule);
  return own.has(name) || module === undefined || visible.has(first) ? name : `${module.name}::${name}`;
}

/** `User`, `Shop::User`: a class or module, not a value such as `LIMIT`. */
export function isTypeName(text: string): boolean {
  return /(?:^|::)[A-Z](?=\w*[a-z])\w*$|(?:^|::)[A-Z]$/.test(text);
}
