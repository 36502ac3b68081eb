import type { Field, Step } from '#code/formats/shared/data-facts.ts';
import { columnUses, inner, isNode, list, offsetOf, tableName } from './column-uses.ts';
import type { SqlNode, Statement } from './parse-sql.ts';

/** A step with the offset of its subject; -1 where the parser gives none. */
export type PlacedStep = Omit<Step, 'line' | 'columns'> & {
  readonly offset: number;
  readonly columns?: readonly PlacedField[];
};

type PlacedField = Omit<Field, 'line'> & { readonly offset: number };

/** What one statement does to tables, and the columns it uses. */
export function stepsOf({ kind, node }: Statement): PlacedStep[] {
  switch (kind) {
    case 'CreateStmt':
      return createTable(node);
    case 'AlterTableStmt':
      return alterTable(node);
    case 'RenameStmt':
      return rename(node);
    case 'DropStmt':
      return drop(node);
    case 'IndexStmt':
      return createIndex(node);
    default:
      return [
        ...createOther(kind, node),
        ...columnUses(kind, node).map(({ table, column, offset }) => ({
          op: 'use' as const,
          table,
          name: column,
          offset,
        })),
      ];
  }
}

/** Types, views and sequences of PostgreSQL. */
function createOther(kind: string, node: SqlNode): PlacedStep[] {
  const made = { op: 'create other' as const, ...guard(node.replace === true || node.if_not_exists) };
  if (kind === 'CreateEnumStmt' || kind === 'CreateDomainStmt') {
    const parts = strings(kind === 'CreateEnumStmt' ? node.typeName : node.domainname);
    const name = parts.filter((part) => part !== 'public').join('.');
    return [{ ...made, table: name, offset: -1 }];
  }
  const relation = { CompositeTypeStmt: node.typevar, ViewStmt: node.view, CreateSeqStmt: node.sequence }[
    kind
  ];
  return isNode(relation) ? [{ ...made, table: tableName(relation), offset: offsetOf(relation) }] : [];
}

function createTable(node: SqlNode): PlacedStep[] {
  if (!isNode(node.relation)) return [];
  const table = tableName(node.relation);
  const elements = list(node.tableElts);
  const keys = elements.flatMap((each) => {
    const constraint = inner(each, 'Constraint');
    return constraint?.contype === 'CONSTR_PRIMARY' ? strings(constraint.keys) : [];
  });
  const columns = elements.flatMap((each) => {
    const column = inner(each, 'ColumnDef');
    if (!column) return [];
    const field = fieldOf(column);
    return [keys.includes(field.name) ? { ...field, required: true } : field];
  });
  return [
    {
      op: 'create table',
      table,
      columns,
      offset: offsetOf(node.relation),
      ...guard(node.if_not_exists),
      ...refersOf(elements.flatMap(keysOfElement)),
    },
    ...elements.flatMap((each) => references(inner(each, 'Constraint'))),
    ...elements.flatMap((each) =>
      list(inner(each, 'ColumnDef')?.constraints).flatMap((one) => references(inner(one, 'Constraint'))),
    ),
  ];
}

function alterTable(node: SqlNode): PlacedStep[] {
  if (!isNode(node.relation) || node.objtype !== 'OBJECT_TABLE') return [];
  const table = tableName(node.relation);
  const at = offsetOf(node.relation);
  return list(node.cmds).flatMap((each): PlacedStep[] => {
    const command = inner(each, 'AlterTableCmd');
    if (!command) return [];
    const name = typeof command.name === 'string' ? command.name : '';
    const definition = inner(command.def, 'ColumnDef');
    const guarded = guard(command.missing_ok === true || node.missing_ok === true);
    switch (command.subtype) {
      case 'AT_AddColumn': {
        if (!definition) return [];
        const { name: column, type, required, offset } = fieldOf(definition);
        const own = { op: 'add column' as const, table, name: column, type, required, offset, ...guarded };
        return [
          { ...own, value: defaultOf(definition), ...refersOf(keysOfElement(command.def)) },
          ...list(definition.constraints).flatMap((one) => references(inner(one, 'Constraint'))),
        ];
      }
      case 'AT_DropColumn':
        return [{ op: 'drop column', table, name, offset: at, ...guarded }];
      case 'AT_AlterColumnType':
        return [
          { op: 'alter column', table, name, type: definition ? typeOf(definition) : null, offset: at },
        ];
      case 'AT_SetNotNull':
      case 'AT_DropNotNull':
      case 'AT_ColumnDefault':
        return [{ op: 'alter column', table, name, offset: at }];
      case 'AT_AddConstraint':
        return constraintUses(table, inner(command.def, 'Constraint'), at);
      default:
        return [];
    }
  });
}

function constraintUses(table: string, constraint: SqlNode | null, offset: number): PlacedStep[] {
  const own = [...strings(constraint?.keys), ...strings(constraint?.fk_attrs)];
  const uses = own.map((name) => ({ op: 'use' as const, table, name, offset }));
  const [first, ...rest] = uses;
  return [
    ...(first === undefined ? [] : [{ ...first, ...refersOf(keysOf(constraint, [])) }, ...rest]),
    ...references(constraint),
  ];
}

/** The foreign keys of a column or a constraint of a table. */
function keysOfElement(element: unknown): NonNullable<Step['refers']>[number][] {
  const column = inner(element, 'ColumnDef');
  if (!column) return keysOf(inner(element, 'Constraint'), []);
  return list(column.constraints).flatMap((each) =>
    keysOf(inner(each, 'Constraint'), [String(column.colname)]),
  );
}

function keysOf(
  constraint: SqlNode | null,
  columns: readonly string[],
): NonNullable<Step['refers']>[number][] {
  if (constraint?.contype !== 'CONSTR_FOREIGN' || !isNode(constraint.pktable)) return [];
  const table = tableName(constraint.pktable);
  return [...columns, ...strings(constraint.fk_attrs)].map((column) => ({ column, table }));
}

function refersOf(refers: NonNullable<Step['refers']>): Pick<Step, 'refers'> {
  return refers.length === 0 ? {} : { refers };
}

function references(constraint: SqlNode | null): PlacedStep[] {
  if (constraint?.contype !== 'CONSTR_FOREIGN' || !isNode(constraint.pktable)) return [];
  const table = tableName(constraint.pktable);
  return strings(constraint.pk_attrs).map((name) => ({
    op: 'use',
    table,
    name,
    offset: offsetOf(constraint.pktable as SqlNode),
  }));
}

function rename(node: SqlNode): PlacedStep[] {
  if (!isNode(node.relation)) return [];
  const table = tableName(node.relation);
  const step = { table, to: String(node.newname), offset: offsetOf(node.relation) };
  if (node.renameType === 'OBJECT_TABLE') return [{ op: 'rename table', ...step }];
  return node.renameType === 'OBJECT_COLUMN' && node.relationType !== 'OBJECT_VIEW'
    ? [{ op: 'rename column', name: String(node.subname), ...step }]
    : [];
}

function drop(node: SqlNode): PlacedStep[] {
  return list(node.objects).flatMap((each): PlacedStep[] => {
    const parts = strings(inner(each, 'List')?.items).filter((part) => part !== 'public');
    const name = parts.join('.');
    const guarded = guard(node.missing_ok);
    if (node.removeType === 'OBJECT_TABLE')
      return [{ op: 'drop table', table: name, offset: -1, ...guarded }];
    if (node.removeType === 'OBJECT_INDEX')
      return [{ op: 'drop index', table: '', name, offset: -1, ...guarded }];
    const isOther = /^OBJECT_(?:TYPE|DOMAIN|VIEW|SEQUENCE)$/.test(String(node.removeType));
    return isOther ? [{ op: 'drop other', table: name, offset: -1, ...guarded }] : [];
  });
}

function createIndex(node: SqlNode): PlacedStep[] {
  if (!isNode(node.relation)) return [];
  const table = tableName(node.relation);
  const offset = offsetOf(node.relation);
  const named = typeof node.idxname === 'string' ? node.idxname : null;
  return [
    ...(named === null
      ? []
      : [{ op: 'create index' as const, table, name: named, offset, ...guard(node.if_not_exists) }]),
    ...list(node.indexParams).flatMap((each): PlacedStep[] => {
      const column = inner(each, 'IndexElem')?.name;
      return typeof column === 'string' ? [{ op: 'use', table, name: column, offset }] : [];
    }),
  ];
}

function fieldOf(column: SqlNode): PlacedField {
  const kinds = list(column.constraints).map((each) => inner(each, 'Constraint')?.contype);
  return {
    name: String(column.colname),
    type: typeOf(column),
    required: kinds.includes('CONSTR_NOTNULL') || kinds.includes('CONSTR_PRIMARY'),
    offset: offsetOf(column),
  };
}

const spellings: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  bool: 'boolean',
  bpchar: 'char',
  serial4: 'serial',
  serial8: 'bigserial',
};

/** `varchar(20)`, `integer[]`. */
function typeOf(column: SqlNode): string | null {
  if (!isNode(column.typeName)) return null;
  const name = strings(column.typeName.names).at(-1);
  if (name === undefined) return null;
  const sizes = list(column.typeName.typmods).flatMap((each) => {
    const value = inner(each, 'A_Const')?.ival;
    return isNode(value) ? [String(value.ival ?? 0)] : [];
  });
  const size = sizes.length > 0 ? `(${sizes.join(',')})` : '';
  return `${spellings[name] ?? name}${size}${list(column.typeName.arrayBounds).length > 0 ? '[]' : ''}`;
}

/** The default as parsed, without positions; null when there is none. */
function defaultOf(column: SqlNode): string | null {
  for (const each of list(column.constraints)) {
    const constraint = inner(each, 'Constraint');
    if (constraint?.contype === 'CONSTR_DEFAULT')
      return JSON.stringify(constraint.raw_expr, (key, value) => (key === 'location' ? undefined : value));
  }
  return null;
}

function strings(value: unknown): string[] {
  return list(value).flatMap((each) => {
    const text = inner(each, 'String')?.sval;
    return typeof text === 'string' ? [text] : [];
  });
}

function guard(isGuarded: unknown): { guarded?: true } {
  return isGuarded === true ? { guarded: true } : {};
}
