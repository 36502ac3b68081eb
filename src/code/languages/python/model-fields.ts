import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName, stringValue } from './expressions.ts';

/** A field of a Django model that a form, serializer or view names in a text. */
export interface NamedField {
  readonly at: NodeId;
  /** The dotted name of the model. */
  readonly model: readonly string[];
  readonly name: string;
}

/** Classes that list fields of the model in their `Meta`, and views that list them themselves. */
const withMeta = /^(?:Hyperlinked)?ModelSerializer$|^ModelForm$/;
const withFields = /^(?:Create|Update|Edit)View$/;
const lists = new Set(['fields', 'exclude', 'read_only_fields']);

/** `class Meta: model = Routine; fields = ('id', 'name')`: the fields, unless the class declares them itself. */
export function modelFields(tree: SyntaxTree, node: NodeId): NamedField[] {
  const superclasses = tree.child(node, 'superclasses');
  const bases = superclasses === none ? [] : tree.children(superclasses);
  const last = bases.map((base) => dottedName(tree, base)?.at(-1) ?? '');
  const body = tree.child(node, 'body');
  if (last.length === 0) return [];
  // Another base may declare fields, too.
  if (last.every((name) => withMeta.test(name))) {
    const meta = tree.children(body).find((each) => isMeta(tree, each));
    return meta === undefined ? [] : listedIn(tree, tree.child(meta, 'body'), body);
  }
  return last.every((name) => withFields.test(name)) ? listedIn(tree, body, none) : [];
}

function isMeta(tree: SyntaxTree, node: NodeId): boolean {
  return tree.kind(node) === 'class_definition' && tree.textOf(tree.child(node, 'name')) === 'Meta';
}

function listedIn(tree: SyntaxTree, body: NodeId, owner: NodeId): NamedField[] {
  const values = new Map<string, NodeId>();
  for (const [name, value] of assignments(tree, body)) values.set(name, value);
  const model = dottedName(tree, values.get('model') ?? none);
  if (model === null) return [];
  const own = new Set(owner === none ? [] : assignments(tree, owner).map(([name]) => name));
  return [...values].flatMap(([list, value]) => {
    const isList = lists.has(list) && /^(?:list|tuple|expression_list)$/.test(tree.kind(value));
    return (isList ? tree.children(value) : []).flatMap((at) => {
      const name = stringValue(tree, at);
      return name !== null && /^[a-z]\w*$/.test(name) && !own.has(name) ? [{ at, model, name }] : [];
    });
  });
}

function assignments(tree: SyntaxTree, body: NodeId): [name: string, value: NodeId][] {
  return tree.children(body).flatMap((statement): [string, NodeId][] => {
    const assignment = tree.kind(statement) === 'expression_statement' ? tree.firstChild(statement) : none;
    const left = assignment === none ? none : tree.child(assignment, 'left');
    const value = assignment === none ? none : tree.child(assignment, 'right');
    return left === none || value === none ? [] : [[tree.textOf(left), value]];
  });
}
