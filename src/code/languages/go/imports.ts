import type { Imported } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

export function importOf(tree: SyntaxTree, node: NodeId): Imported {
  const from = tree.textOf(tree.child(node, 'path')).slice(1, -1);
  const name = tree.child(node, 'name');
  if (tree.kind(name) === 'dot') return { local: null, imported: '**', from };
  if (tree.kind(name) === 'blank_identifier') return { local: null, imported: '*', from };
  return { local: name === none ? packageName(from) : tree.textOf(name), imported: '*', from };
}

/** The default name of a package: `gopkg.in/yaml.v3` is `yaml`. */
function packageName(from: string): string {
  const parts = from.split('/');
  const last = /^v\d+$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1);
  return (last ?? from).replace(/\.v\d+$/, '').replace(/^go-|-go$/, '');
}

const known = new WeakMap<SyntaxTree, ReadonlySet<string>>();

/** The names that the imports of a file bind. */
export function packageNames(tree: SyntaxTree): ReadonlySet<string> {
  const names = known.get(tree) ?? readNames(tree);
  known.set(tree, names);
  return names;
}

function readNames(tree: SyntaxTree): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of tree.children(0)) {
    if (tree.kind(declaration) !== 'import_declaration') continue;
    for (let node = declaration; node < tree.subtreeEnd(declaration); node++)
      if (tree.kind(node) === 'import_spec') names.add(importOf(tree, node).local ?? '');
  }
  return names;
}
