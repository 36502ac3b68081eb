import type { Import } from '#code/facts/facts.ts';
import { spanOf } from '#code/languages/tree-sitter/spans.ts';
import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName, stringValue } from './expressions.ts';
import type { SourceFile } from './source-file.ts';
import { Mark } from './surroundings.ts';

export function readImports(file: SourceFile): Import[] {
  const { tree } = file.bound;
  const found: Import[] = [];
  for (let node = 0; node < tree.size; node++) {
    switch (tree.kind(node)) {
      case 'import_statement':
        for (const item of tree.children(node)) found.push(wholeModule(file, item));
        break;
      case 'import_from_statement':
      case 'future_import_statement':
        fromModule(file, node, found);
        break;
      case 'call':
        byName(file, node, found);
    }
  }
  return found;
}

/** `importlib.import_module('app.plugins')`, when the name is a literal. */
function byName(file: SourceFile, call: NodeId, found: Import[]): void {
  const { tree } = file.bound;
  const callee = dottedName(tree, tree.child(call, 'function'))?.join('.') ?? '';
  if (!/^(?:(?:importlib\.)?import_module|__import__)$/.test(callee)) return;
  const argument = tree.firstChild(tree.child(call, 'arguments'));
  const from = argument === none ? null : stringValue(tree, argument);
  // A relative name needs the package argument, which is rarely a literal.
  if (from === null || !/^\w+(\.\w+)*$/u.test(from)) return;
  found.push({ ...place(file, call), form: 'dynamic', local: null, imported: '*', from });
}

function wholeModule(file: SourceFile, item: NodeId): Import {
  const { tree } = file.bound;
  const alias = tree.child(item, 'alias');
  const from = compact(tree.textOf(alias === none ? item : tree.child(item, 'name')));
  const local = alias === none ? (from.split('.', 1)[0] ?? from) : tree.textOf(alias);
  return { ...place(file, item), local, imported: '*', from };
}

function fromModule(file: SourceFile, statement: NodeId, found: Import[]): void {
  const { tree } = file.bound;
  const module = tree.child(statement, 'module_name');
  const from = module === none ? '__future__' : compact(tree.textOf(module));
  for (const item of tree.children(statement)) {
    if (tree.kind(item) === 'wildcard_import') {
      found.push({ ...place(file, item), local: null, imported: '**', from });
    } else if (tree.field(item) === 'name') {
      const alias = tree.child(item, 'alias');
      const imported = compact(tree.textOf(alias === none ? item : tree.child(item, 'name')));
      const local = alias === none ? imported : tree.textOf(alias);
      found.push({ ...place(file, item), local, imported, from });
    }
  }
}

function place(file: SourceFile, item: NodeId): Omit<Import, 'local' | 'imported' | 'from'> {
  const { bound, lines } = file;
  const typeOnly = bound.hasMark(item, Mark.typeChecking);
  return {
    ...spanOf(bound.tree, lines, item),
    form: 'executed',
    typeOnly,
    guarded: bound.hasMark(item, Mark.conditional),
    scope: bound.ownerAt(item),
  };
}

/** `from .. models` and a dotted name over two lines are the same module. */
function compact(name: string): string {
  return name.replace(/\\|#[^\n]*|\s+/g, '');
}
