import type { SqlNode } from './parse-sql.ts';

/** A column of a table that a query names. */
export interface ColumnUse {
  readonly table: string;
  readonly column: string;
  readonly offset: number;
}

interface Scope {
  /** By alias or name; null for anything but a table: a subquery, a function, a common table expression. */
  readonly tables: ReadonlyMap<string, string | null>;
  readonly outer: Scope | null;
  /** Aliases that the query gives to its results. */
  readonly results: ReadonlySet<string>;
}

const queries = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** Columns whose table is certain: qualified, or in a query with a single table and no outer query. */
export function columnUses(kind: string, node: SqlNode): ColumnUse[] {
  const found: ColumnUse[] = [];
  visit({ [kind]: node }, null, new Set(), found);
  return found;
}

function visit(value: unknown, scope: Scope | null, ctes: ReadonlySet<string>, found: ColumnUse[]): void {
  if (Array.isArray(value)) for (const each of value) visit(each, scope, ctes, found);
  else if (isNode(value))
    for (const [kind, part] of Object.entries(value)) {
      if (queries.has(kind) && isNode(part)) visitQuery(kind, part, scope, ctes, found);
      else if (kind === 'ColumnRef' && isNode(part)) addColumn(part, scope, found);
      else if (typeof part === 'object') visit(part, scope, ctes, found);
    }
}

function visitQuery(
  kind: string,
  node: SqlNode,
  outer: Scope | null,
  known: ReadonlySet<string>,
  found: ColumnUse[],
): void {
  const ctes = new Set([...known, ...cteNames(node)]);
  const tables = new Map<string, string | null>();
  for (const part of [node.fromClause, node.usingClause, node.relation && [{ RangeVar: node.relation }]])
    addTables(part, ctes, tables);
  const results = new Set(
    kind === 'SelectStmt' ? list(node.targetList).flatMap((each) => nameOf(inner(each, 'ResTarget'))) : [],
  );
  const scope: Scope = { tables, outer, results };
  const own = kind === 'SelectStmt' || !isNode(node.relation) ? null : tableName(node.relation);
  if (own !== null)
    for (const target of [...list(node.cols), ...(kind === 'UpdateStmt' ? list(node.targetList) : [])]) {
      const column = inner(target, 'ResTarget');
      if (typeof column?.name === 'string')
        found.push({ table: own, column: column.name, offset: offsetOf(column) });
    }
  // The halves of a union have separate scopes.
  for (const half of [node.larg, node.rarg])
    if (isNode(half)) visitQuery('SelectStmt', half, outer, ctes, found);
  const { larg, rarg, relation, cols, withClause, ...rest } = node;
  // A common table expression sees nothing of the query after it.
  visit(withClause, null, ctes, found);
  visit(rest, scope, ctes, found);
}

function addTables(part: unknown, ctes: ReadonlySet<string>, tables: Map<string, string | null>): void {
  for (const each of list(part)) {
    const range = inner(each, 'RangeVar');
    const join = inner(each, 'JoinExpr');
    if (range) {
      const name = tableName(range);
      const alias = isNode(range.alias) ? String(range.alias.aliasname) : String(range.relname);
      tables.set(alias, ctes.has(name) ? null : name);
    } else if (join) addTables([join.larg, join.rarg], ctes, tables);
    else tables.set(aliasOf(each) ?? `?${tables.size}`, null);
  }
}

function addColumn(node: SqlNode, scope: Scope | null, found: ColumnUse[]): void {
  const names = list(node.fields).flatMap((each) => {
    const text = inner(each, 'String')?.sval;
    return typeof text === 'string' ? [text] : [];
  });
  if (names.length !== list(node.fields).length || !scope) return;
  const [first = '', second] = names.slice(-2);
  const offset = offsetOf(node);
  if (names.length > 1 && second !== undefined) {
    for (let at: Scope | null = scope; at; at = at.outer)
      if (at.tables.has(first)) {
        const table = at.tables.get(first);
        if (table) found.push({ table, column: second, offset });
        return;
      }
    return;
  }
  const [only, ...more] = [...scope.tables.values()];
  if (only && more.length === 0 && scope.outer === null && !scope.results.has(first))
    found.push({ table: only, column: first, offset });
}

function cteNames(node: SqlNode): string[] {
  const clause = isNode(node.withClause) ? node.withClause : {};
  return list(clause.ctes).flatMap((each) => {
    const name = inner(each, 'CommonTableExpr')?.ctename;
    return typeof name === 'string' ? [name] : [];
  });
}

function aliasOf(value: unknown): string | null {
  const [node] = isNode(value) ? Object.values(value) : [];
  const alias = isNode(node) && isNode(node.alias) ? node.alias.aliasname : null;
  return typeof alias === 'string' ? alias : null;
}

function nameOf(node: SqlNode | null): string[] {
  return typeof node?.name === 'string' ? [node.name] : [];
}

/** `users` for `public.users`; `billing.users` keeps its schema. */
export function tableName(range: SqlNode): string {
  const schema =
    typeof range.schemaname === 'string' && range.schemaname !== 'public' ? `${range.schemaname}.` : '';
  return `${schema}${String(range.relname)}`;
}

export function offsetOf(node: SqlNode): number {
  return typeof node.location === 'number' ? node.location : -1;
}

export function inner(value: unknown, kind: string): SqlNode | null {
  const found = isNode(value) ? value[kind] : undefined;
  return isNode(found) ? found : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isNode(value: unknown): value is SqlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
