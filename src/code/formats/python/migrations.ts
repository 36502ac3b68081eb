import type { Field, Relation, Step } from '#code/formats/shared/data-facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { djangoTable } from './shapes.ts';
import { type Call, callAt, descendants, dotted, stringOf } from './tree.ts';

type LineOf = (offset: number) => number;

function upgradeOf(tree: SyntaxTree): number | undefined {
  return tree
    .children(0)
    .find(
      (each) =>
        tree.kind(each) === 'function_definition' && tree.textOf(tree.child(each, 'name')) === 'upgrade',
    );
}

/** `op.add_column('users', sa.Column('name', sa.Text()))`, inside `upgrade`. */
export function alembicSteps(tree: SyntaxTree, lineOf: LineOf): Step[] {
  const upgrade = upgradeOf(tree);
  if (upgrade === undefined) return [];
  // `with op.batch_alter_table('users') as batch_op:` names the table once; the next block may use the same name.
  const batches = new Map<string, string | null>();
  return [...descendants(tree, upgrade)].flatMap((node) => {
    if (tree.kind(node) === 'as_pattern') {
      const [opened = none, alias = none] = tree.children(node);
      const batch = callAt(tree, opened);
      if (batch?.name === 'op.batch_alter_table')
        batches.set(tree.textOf(alias), stringOf(tree, batch.args[0]));
      return [];
    }
    const call = callAt(tree, node);
    const [, object = '', operation = ''] = /^(\w+)\.(\w+)$/.exec(call?.name ?? '') ?? [];
    if (!call || (object !== 'op' && !batches.has(object))) return [];
    const table = object === 'op' ? stringOf(tree, call.args[0]) : batches.get(object);
    const rest = object === 'op' ? call.args.slice(1) : call.args;
    if (/_index$/.test(operation)) return indexStep(tree, operation, call, batches.get(object), lineOf);
    return table ? tableStep(tree, operation, { ...call, args: rest }, table, lineOf) : [];
  });
}

/** `sa.Column('user_id', sa.ForeignKey('users.id'))`, `sa.ForeignKeyConstraint(['user_id'], ['users.id'])`, `op.create_foreign_key(…)`. */
export function alembicRelations(tree: SyntaxTree, lineOf: LineOf): Relation[] {
  const upgrade = upgradeOf(tree);
  if (upgrade === undefined) return [];
  return [...descendants(tree, upgrade)].flatMap((node) => {
    const call = callAt(tree, node);
    const operation = /^op\.(create_table|add_column|create_foreign_key)$/.exec(call?.name ?? '')?.[1];
    if (!call || operation === undefined) return [];
    const line = lineOf(tree.start(call.node));
    if (operation === 'create_foreign_key') {
      const [, of, to] = call.args.map((each) => stringOf(tree, each));
      const columns = stringsIn(tree, call.args[3]);
      return of && to ? columns.map((field) => ({ of, field, kind: 'table', to, line })) : [];
    }
    const of = stringOf(tree, call.args[0]);
    return of ? call.args.flatMap((each) => relationsIn(tree, each, of, lineOf)) : [];
  });
}

function relationsIn(tree: SyntaxTree, node: NodeId, of: string, lineOf: LineOf): Relation[] {
  const call = callAt(tree, node);
  const kind = call?.name.split('.').at(-1);
  if (!call) return [];
  const line = lineOf(tree.start(node));
  const leads = (field: string, target: string | null | undefined): Relation[] => {
    // `shop.users.id`: the table stands before the column.
    const to = target?.split('.').at(-2);
    return to === undefined ? [] : [{ of, field, kind: 'table', to, line }];
  };
  if (kind === 'ForeignKeyConstraint') {
    const targets = stringsIn(tree, call.args[1]);
    return stringsIn(tree, call.args[0]).flatMap((field, at) => leads(field, targets[at]));
  }
  const field = kind === 'Column' ? stringOf(tree, call.args[0]) : null;
  if (field === null) return [];
  const keys = call.args.flatMap((each) => {
    const own = callAt(tree, each);
    return own?.name.split('.').at(-1) === 'ForeignKey' ? [stringOf(tree, own.args[0])] : [];
  });
  return keys.flatMap((target) => leads(field, target));
}

function stringsIn(tree: SyntaxTree, listed: NodeId | undefined): string[] {
  if (listed === undefined || tree.kind(listed) !== 'list') return [];
  return tree.children(listed).flatMap((each) => stringOf(tree, each) ?? []);
}

/** A step that changes a table; the arguments of the call are those after its name. */
function tableStep(tree: SyntaxTree, operation: string, call: Call, table: string, lineOf: LineOf): Step[] {
  const name = stringOf(tree, call.args[0]);
  const line = lineOf(tree.start(call.node));
  switch (operation) {
    case 'create_table': {
      const columns = call.args.flatMap((each) => columnOf(tree, each, lineOf));
      return [{ op: 'create table', table, columns, line }];
    }
    case 'drop_table':
      return [{ op: 'drop table', table, line }];
    case 'rename_table':
      return name ? [{ op: 'rename table', table, to: name, line }] : [];
    case 'add_column': {
      const [column] = columnOf(tree, call.args[0] ?? none, lineOf);
      if (!column) return [];
      const { type, required } = column;
      return [{ op: 'add column', table, name: column.name, type, required, value: null, line }];
    }
    case 'drop_column':
      return name ? [{ op: 'drop column', table, name, line }] : [];
    case 'alter_column': {
      const to = stringOf(tree, call.keywords.get('new_column_name'));
      if (!name) return [];
      return to
        ? [{ op: 'rename column', table, name, to, line }]
        : [{ op: 'alter column', table, name, line }];
    }
    default:
      return [];
  }
}

/** `op.create_index('by_name', 'users', ['name'])`; a batch knows its table. */
function indexStep(
  tree: SyntaxTree,
  operation: string,
  call: Call,
  batch: string | null | undefined,
  lineOf: LineOf,
): Step[] {
  const [name, second] = call.args.map((each) => stringOf(tree, each));
  const line = lineOf(tree.start(call.node));
  if (!name) return [];
  if (operation === 'drop_index') return [{ op: 'drop index', table: '', name, line }];
  const table = batch === undefined ? second : batch;
  return table && operation === 'create_index' ? [{ op: 'create index', table, name, line }] : [];
}

/** `sa.Column('name', sa.String(20), nullable=False)`. */
function columnOf(tree: SyntaxTree, node: NodeId, lineOf: LineOf): Field[] {
  const call = callAt(tree, node);
  if (!call || !/(?:^|\.)Column$/.test(call.name)) return [];
  const name = stringOf(tree, call.args[0]);
  if (name === null) return [];
  const typed = call.args[1];
  const type = typed === undefined ? null : (callAt(tree, typed)?.name ?? dotted(tree, typed));
  const nullable = call.keywords.get('nullable');
  return [
    {
      name,
      type: type ? (type.split('.').at(-1)?.toLowerCase() ?? null) : null,
      required: nullable !== undefined && tree.kind(nullable) === 'false',
      line: lineOf(tree.start(node)),
    },
  ];
}

/** `operations = [migrations.AddField('user', 'name', models.TextField()), …]`. */
export function djangoSteps(tree: SyntaxTree, app: string, lineOf: LineOf): Step[] {
  return [...descendants(tree, 0)].flatMap((node) => {
    const call = callAt(tree, node);
    const operation = /^migrations\.(\w+)$/.exec(call?.name ?? '')?.[1];
    return call && operation ? djangoStep(tree, call, operation, app, lineOf) : [];
  });
}

function djangoStep(tree: SyntaxTree, call: Call, operation: string, app: string, lineOf: LineOf): Step[] {
  const argument = (name: string, at: number) => stringOf(tree, call.keywords.get(name) ?? call.args[at]);
  const line = lineOf(tree.start(call.node));
  const model = argument('model_name', 0);
  const table = model === null ? '' : djangoTable(app, model);
  const name = argument('name', 1);
  const fieldCall = callAt(tree, call.keywords.get('field') ?? call.args[2] ?? none);
  const kind = fieldCall?.name.split('.').at(-1) ?? '';
  const type = kind === '' ? null : kind.replace(/Field$/, '').toLowerCase();
  const nullable = fieldCall?.keywords.get('null');
  const required = nullable === undefined || tree.kind(nullable) !== 'true';
  switch (operation) {
    case 'CreateModel': {
      const created = argument('name', 0);
      const columns = modelFields(tree, call.keywords.get('fields') ?? call.args[1] ?? none, lineOf);
      return created ? [{ op: 'create table', table: djangoTable(app, created), columns, line }] : [];
    }
    case 'DeleteModel': {
      const gone = argument('name', 0);
      return gone ? [{ op: 'drop table', table: djangoTable(app, gone), line }] : [];
    }
    case 'RenameModel': {
      const [from, to] = [argument('old_name', 0), argument('new_name', 1)];
      return from && to
        ? [{ op: 'rename table', table: djangoTable(app, from), to: djangoTable(app, to), line }]
        : [];
    }
    case 'AddField':
      return name ? [{ op: 'add column', table, name, type, required, value: null, line }] : [];
    case 'RemoveField':
      return name ? [{ op: 'drop column', table, name, line }] : [];
    case 'AlterField':
      return name ? [{ op: 'alter column', table, name, type, line }] : [];
    case 'RenameField': {
      const [from, to] = [argument('old_name', 1), argument('new_name', 2)];
      return from && to ? [{ op: 'rename column', table, name: from, to, line }] : [];
    }
    default:
      return [];
  }
}

/** `[('id', models.AutoField()), …]`. */
function modelFields(tree: SyntaxTree, listed: NodeId, lineOf: LineOf): Field[] {
  if (tree.kind(listed) !== 'list') return [];
  return tree.children(listed).flatMap((pair): Field[] => {
    const [named, made] = tree.kind(pair) === 'tuple' ? tree.children(pair) : [];
    const name = stringOf(tree, named);
    const kind =
      callAt(tree, made ?? none)
        ?.name.split('.')
        .at(-1) ?? '';
    if (name === null || kind === '' || kind === 'ManyToManyField') return [];
    return [
      {
        name,
        type: kind.replace(/Field$/, '').toLowerCase(),
        required: true,
        line: lineOf(tree.start(pair)),
      },
    ];
  });
}
