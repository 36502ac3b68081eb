import type { Field, Step } from '#code/formats/shared/data-facts.ts';
import { isNode, list } from './column-uses.ts';
import { dialectUses } from './dialect-uses.ts';
import type { SqlNode } from './parse-sql.ts';

export type PlainStep = Omit<Step, 'line' | 'columns'> & { readonly columns?: readonly PlainField[] };

type PlainField = Omit<Field, 'line'>;

/** In MySQL the names of indexes belong to their table. */
export interface DialectTraits {
  readonly indexesPerTable: boolean;
}

/** What one statement does to tables, as parsed by node-sql-parser. Lines are found by name: half of its nodes have no position. */
export function dialectSteps(node: SqlNode, traits: DialectTraits): PlainStep[] {
  const keyword = String(node.keyword ?? '');
  switch (node.type) {
    case 'create':
      if (keyword === 'table') return createTable(node, traits);
      return keyword === 'index' ? createIndex(node, traits) : dialectUses(node);
    case 'alter':
      return list(node.expr).flatMap((each) => (isNode(each) ? alteration(node, each, traits) : []));
    case 'rename':
      return list(node.table).flatMap((pair): PlainStep[] => {
        const [from, to] = list(pair).map(tableOf);
        return from && to ? [{ op: 'rename table', table: from, to }] : [];
      });
    case 'drop':
      return dropped(node, keyword, traits);
    default:
      return dialectUses(node);
  }
}

function createTable(node: SqlNode, traits: DialectTraits): PlainStep[] {
  const table = tableOf(list(node.table)[0]);
  if (!table) return [];
  const parts = list(node.create_definitions).filter(isNode);
  const keys = parts.flatMap((part) =>
    /^primary key$/i.test(String(part.constraint_type ?? '')) ? namesIn(part.definition) : [],
  );
  const columns = parts.flatMap((part) => {
    const field = part.resource === 'column' ? fieldOf(part) : null;
    return field ? [keys.includes(field.name) ? { ...field, required: true } : field] : [];
  });
  // `CREATE TABLE … LIKE`, `… AS SELECT`: the columns come from another table.
  const known = parts.length === 0 ? {} : { columns };
  return [
    { op: 'create table', table, ...known, ...guard(node.if_not_exists), ...refersOf(parts) },
    ...parts.flatMap(referencesOf),
    ...parts.flatMap((part) => (part.resource === 'column' ? [] : indexOf(table, part, traits))),
  ];
}

function alteration(node: SqlNode, each: SqlNode, traits: DialectTraits): PlainStep[] {
  const table = tableOf(list(node.table)[0]);
  if (!table) return [];
  const [name, old] = [columnName(each.column), columnName(each.old_column)];
  const field = each.resource === 'column' ? fieldOf(each) : null;
  switch (each.action) {
    case 'add':
      if (field)
        return [
          {
            op: 'add column',
            table,
            name: field.name,
            type: field.type,
            required: field.required,
            value: isNode(each.default_val) ? JSON.stringify(each.default_val.value) : null,
            ...guard(each.if_not_exists),
            ...refersOf([each]),
          },
          ...referencesOf(each),
        ];
      return isNode(each.create_definitions)
        ? [...indexOf(table, each.create_definitions, traits), ...keyUses(table, each.create_definitions)]
        : indexOf(table, each, traits);
    case 'drop':
      if (each.resource === 'column' && name) return [{ op: 'drop column', table, name }];
      return each.resource === 'index' && typeof each.index === 'string'
        ? [{ op: 'drop index', table, name: indexName(table, each.index, traits) }]
        : [];
    case 'modify':
      return field ? [{ op: 'alter column', table, name: field.name, type: field.type }] : [];
    case 'change':
      if (!field || !old) return [];
      return old === field.name
        ? [{ op: 'alter column', table, name: old, type: field.type }]
        : [{ op: 'rename column', table, name: old, to: field.name }];
    case 'rename':
      if (each.resource === 'column' && old && name)
        return [{ op: 'rename column', table, name: old, to: name }];
      return each.resource === 'table' && typeof each.table === 'string'
        ? [{ op: 'rename table', table, to: each.table }]
        : [];
    default:
      return [];
  }
}

function dropped(node: SqlNode, keyword: string, traits: DialectTraits): PlainStep[] {
  const guarded = guard(node.prefix);
  if (keyword === 'table')
    return list(node.name).flatMap((each): PlainStep[] => {
      const table = tableOf(each);
      return table ? [{ op: 'drop table', table, ...guarded }] : [];
    });
  const name = columnName(node.name);
  if (keyword !== 'index' || !name) return [];
  const table = tableOf(node.table) ?? '';
  return [{ op: 'drop index', table, name: indexName(table, name, traits), ...guarded }];
}

function createIndex(node: SqlNode, traits: DialectTraits): PlainStep[] {
  const table = tableOf(node.table);
  const name = isNode(node.index) ? node.index.name : node.index;
  if (!table || typeof name !== 'string') return [];
  return [
    {
      op: 'create index',
      table,
      name: indexName(table, name, traits),
      ...guard(node.if_not_exists),
    },
    ...namesIn(node.index_columns).map((column) => ({ op: 'use' as const, table, name: column })),
  ];
}

/** `KEY by_name (name)` inside a table. */
function indexOf(table: string, part: SqlNode, traits: DialectTraits): PlainStep[] {
  return typeof part.index === 'string' && part.index !== ''
    ? [{ op: 'create index', table, name: indexName(table, part.index, traits) }]
    : [];
}

function indexName(table: string, name: string, { indexesPerTable }: DialectTraits): string {
  return indexesPerTable ? `${table}.${name}` : name;
}

/** Columns that a new constraint uses. */
function keyUses(table: string, part: SqlNode): PlainStep[] {
  const [first, ...rest] = namesIn(part.definition).map((name) => ({ op: 'use' as const, table, name }));
  return [
    ...(first === undefined ? [] : [{ ...first, ...refersOf([part]) }, ...rest]),
    ...referencesOf(part),
  ];
}

/** The foreign keys of columns and constraints. */
function refersOf(parts: readonly SqlNode[]): Pick<Step, 'refers'> {
  const refers = parts.flatMap((part) => {
    const target = part.reference_definition;
    const table = isNode(target) ? tableOf(list(target.table)[0]) : null;
    const own = part.resource === 'column' ? [columnName(part.column) ?? ''] : namesIn(part.definition);
    return table === null ? [] : own.map((column) => ({ column, table }));
  });
  return refers.length === 0 ? {} : { refers };
}

function referencesOf({ reference_definition: target }: SqlNode): PlainStep[] {
  if (!isNode(target)) return [];
  const table = tableOf(list(target.table)[0]);
  return table ? namesIn(target.definition).map((name) => ({ op: 'use', table, name })) : [];
}

function fieldOf(part: SqlNode): PlainField | null {
  const name = columnName(part.column);
  if (!name) return null;
  const isNotNull = isNode(part.nullable) && part.nullable.type === 'not null';
  return {
    name,
    type: typeOf(part.definition),
    required: isNotNull || part.primary_key !== undefined,
  };
}

const spellings: Readonly<Record<string, string>> = {
  int: 'integer',
  bool: 'boolean',
  double: 'double precision',
};

/** `varchar(20)`, `integer unsigned`. */
function typeOf(definition: unknown): string | null {
  if (!isNode(definition) || typeof definition.dataType !== 'string') return null;
  const name = definition.dataType.toLowerCase();
  const sizes = [definition.length, definition.scale].filter((size) => typeof size === 'number');
  const words = list(definition.suffix).filter((word) => typeof word === 'string');
  return [
    `${spellings[name] ?? name}${sizes.length > 0 ? `(${sizes.join(',')})` : ''}`,
    ...words.map((word) => word.toLowerCase()),
  ].join(' ');
}

function namesIn(value: unknown): string[] {
  return list(value).flatMap((each) => columnName(each) ?? []);
}

function columnName(value: unknown): string | null {
  return isNode(value) && typeof value.column === 'string' ? value.column : null;
}

function tableOf(value: unknown): string | null {
  if (!isNode(value) || typeof value.table !== 'string') return null;
  return typeof value.db === 'string' && value.db !== '' && value.db !== 'main'
    ? `${value.db}.${value.table}`
    : value.table;
}

function guard(isGuarded: unknown): { guarded?: true } {
  return isGuarded ? { guarded: true } : {};
}
