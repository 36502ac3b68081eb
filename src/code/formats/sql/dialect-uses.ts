import { isNode, list } from './column-uses.ts';
import type { SqlNode } from './parse-sql.ts';

interface Scope {
  /** By alias or name; null for anything but a table. */
  readonly tables: ReadonlyMap<string, string | null>;
  readonly outer: Scope | null;
  readonly results: ReadonlySet<string>;
}

interface Use {
  readonly op: 'use';
  readonly table: string;
  readonly name: string;
}

const queries = new Set(['select', 'insert', 'replace', 'update', 'delete']);

/** Columns whose table is certain: qualified, or in a query with a single table and no outer query. */
export function dialectUses(node: SqlNode): Use[] {
  const found: Use[] = [];
  visit(node, null, new Set(), found);
  return found;
}

function visit(value: unknown, scope: Scope | null, ctes: ReadonlySet<string>, found: Use[]): void {
  if (Array.isArray(value)) for (const each of value) visit(each, scope, ctes, found);
  else if (isNode(value)) {
    if (typeof value.type === 'string' && queries.has(value.type)) visitQuery(value, scope, ctes, found);
    else if (value.type === 'column_ref') addColumn(value, scope, found);
    else for (const part of Object.values(value)) visit(part, scope, ctes, found);
  }
}

function visitQuery(node: SqlNode, outer: Scope | null, known: ReadonlySet<string>, found: Use[]): void {
  const ctes = new Set([...known, ...list(node.with).flatMap(cteName)]);
  const sources = [...list(node.from), ...(node.type === 'select' ? [] : list(node.table))].filter(isNode);
  const tables = new Map<string, string | null>();
  for (const [index, source] of sources.entries()) {
    const table = typeof source.table === 'string' ? source.table : null;
    const name = typeof source.as === 'string' ? source.as : (table ?? `?${index}`);
    tables.set(name, table === null || ctes.has(table) ? null : table);
  }
  const results = new Set(
    list(node.columns).flatMap((each) => (isNode(each) && typeof each.as === 'string' ? [each.as] : [])),
  );
  const scope: Scope = { tables, outer, results };
  const [own] = node.type === 'select' ? [] : tables.values();
  if (own) {
    const named = node.type === 'update' ? list(node.set) : list(node.columns);
    for (const each of named) {
      const name = isNode(each) ? each.column : each;
      if (typeof name === 'string') found.push({ op: 'use', table: own, name });
    }
  }
  const { with: before, columns, ...rest } = node;
  visit(before, null, ctes, found);
  if (node.type === 'select') visit(columns, scope, ctes, found);
  // The other half of a union has a separate scope.
  const { _next: next, ...inside } = rest;
  visit(next, outer, ctes, found);
  for (const part of Object.values(inside)) visit(part, scope, ctes, found);
}

function addColumn({ table, column }: SqlNode, scope: Scope | null, found: Use[]): void {
  if (typeof column !== 'string' || column === '*' || !scope) return;
  if (typeof table === 'string') {
    for (let at: Scope | null = scope; at; at = at.outer)
      if (at.tables.has(table)) {
        const of = at.tables.get(table);
        if (of) found.push({ op: 'use', table: of, name: column });
        return;
      }
    return;
  }
  const [only, ...more] = [...scope.tables.values()];
  if (only && more.length === 0 && scope.outer === null && !scope.results.has(column))
    found.push({ op: 'use', table: only, name: column });
}

function cteName(value: unknown): string[] {
  const name = isNode(value) && isNode(value.name) ? value.name.value : null;
  return typeof name === 'string' ? [name] : [];
}
