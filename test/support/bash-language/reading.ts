import type { Reading } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

const builtIns = new Set(['.', 'source', 'echo', 'local', 'return', 'exit', 'set', 'test']);

/** Functions, sourced files and commands: what a script needs of another one. */
export const bashReading: Reading = {
  module: 'namespace',
  define: (tree, node) =>
    tree.kind(node) === 'function_definition'
      ? [{ name: tree.child(node, 'name'), kind: 'function', body: tree.child(node, 'body') }]
      : [],
  scopes: new Set(['function_definition']),
  typeScopes: new Set(),
  bind: () => [],
  imports(tree, node) {
    const file = /^(?:\.|source)$/.test(commandOf(tree, node)) ? tree.child(node, 'argument') : none;
    return tree.kind(file) === 'word' ? [{ local: null, imported: '**', from: tree.textOf(file) }] : [];
  },
  names: new Set(['word']),
  use: (tree, name) => (tree.kind(tree.parent(name)) === 'command_name' ? 'call' : null),
  isSelf: () => false,
  access: () => null,
  call: () => null,
  hasImplicitSelf: false,
  globals: builtIns,
};

function commandOf(tree: SyntaxTree, node: NodeId): string {
  return tree.kind(node) === 'command' ? tree.textOf(tree.child(node, 'name')) : '';
}
