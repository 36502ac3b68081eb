import type { FieldUse } from '#code/formats/shared/data-facts.ts';
import { literal, type Node, node, nodes, objectKeys } from './estree.ts';

type LineOf = (offset: number) => number;

/** What a file that mentions knex calls its clients: `const db = knex({ … })`, `knex` itself. */
export interface KnexFile {
  readonly clients: ReadonlySet<string>;
  /** Columns without the name of a table may be those of a joined one. */
  readonly joins: boolean;
}

export function knexIn(text: string): KnexFile {
  const made = /\bknex\b/i.test(text)
    ? [
        'knex',
        ...[...text.matchAll(/\b(\w+)(?:: ?Knex)? ?= ?(?:await )?(?:knex|Knex)\(/g)].map(
          ([, name = '']) => name,
        ),
      ]
    : [];
  return { clients: new Set(made), joins: /[jJ]oin(?:Raw)?\(/.test(text) };
}

/** The columns of these calls are their texts, or the keys of an object. */
const columnLists = /^(?:select|first|groupBy|pluck|returning|distinct|count|sum|min|max|avg)$/;
const firstColumn =
  /^(?:(?:and|or)?[wW]here(?:Not|In|NotIn|Null|NotNull|Between)?|orderBy|increment|decrement)$/;
const keyed = /^(?:(?:and|or)?[wW]here(?:Not)?|insert|update)$/;

/** `db('accounts').where({ owner }).select('id')`: columns of the table `accounts`. */
export function knexUses(each: Node, { clients, joins }: KnexFile, lineOf: LineOf): FieldUse[] {
  if (clients.size === 0 || each.type !== 'CallExpression') return [];
  const callee = node(each.callee);
  const call = callee?.type === 'MemberExpression' ? String(node(callee.property)?.name ?? '') : '';
  const of = call === '' ? null : tableOf(callee?.object, clients);
  if (of === null) return [];
  const args = nodes(each.arguments);
  const named = columnLists.test(call)
    ? args.flatMap((arg) => (arg.type === 'ArrayExpression' ? nodes(arg.elements) : [arg]))
    : firstColumn.test(call)
      ? args.slice(0, 1)
      : [];
  const written = named.flatMap((arg): [string, Node][] => {
    // `accounts.owner as name`.
    const [, table, name] = /^(?:(\w+)\.)?(\w+)(?: as \w+)?$/i.exec(literal(arg) ?? '') ?? [];
    return name !== undefined && (table === of || (table === undefined && !joins)) ? [[name, arg]] : [];
  });
  const keys = keyed.test(call) && !joins ? [...(objectKeys(args[0])?.keys ?? [])] : [];
  return [...written, ...keys].map(([name, at]) => ({
    kind: 'table',
    of,
    name,
    via: 'knex',
    line: lineOf(at.start),
  }));
}

/** The table that a chain of calls starts with; null if it is none of knex. */
function tableOf(chain: unknown, clients: ReadonlySet<string>): string | null {
  for (let each = node(chain); each?.type === 'CallExpression'; ) {
    const callee = node(each.callee);
    if (callee?.type === 'Identifier')
      return clients.has(String(callee.name)) ? tableName(literal(nodes(each.arguments)[0])) : null;
    const method = String(node(callee?.property)?.name ?? '');
    if (/^(?:from|with|as)/i.test(method)) return null;
    each = node(callee?.object);
  }
  return null;
}

function tableName(written: string | null): string | null {
  return written !== null && /^\w+$/.test(written) ? written : null;
}
