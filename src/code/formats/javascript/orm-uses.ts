import type { FieldUse } from '#code/formats/shared/data-facts.ts';
import { memberPath, type Node, node, nodes, objectKeys, walk } from './estree.ts';

type LineOf = (offset: number) => number;

const prismaCalls =
  /^(?:find(?:Many|First|Unique)(?:OrThrow)?|create(?:Many)?(?:AndReturn)?|update(?:Many)?|upsert|delete(?:Many)?|count|aggregate|groupBy)$/;
const prismaClauses = ['where', 'select', 'data', 'create', 'update', 'orderBy', 'distinct'];
const operators = /^(?:AND|OR|NOT|some|every|none|is|isNot|_count|_avg|_sum|_min|_max)$/;

/** The Prisma model of a call: `User` for `prisma.user.findMany()`. */
export function prismaModel(each: Node): string | null {
  if (each.type !== 'CallExpression') return null;
  const [client = '', model, call = ''] = memberPath(each.callee)?.slice(-3) ?? [];
  if (
    !model ||
    !prismaCalls.test(call) ||
    !/^(?:prisma|db|tx|client|prismaClient|prismaService)$/i.test(client)
  )
    return null;
  return `${model[0]?.toUpperCase()}${model.slice(1)}`;
}

/** `prisma.user.findMany({ where: { name } })`: fields of the model `User`. */
export function prismaUses(each: Node, lineOf: LineOf): FieldUse[] {
  const of = prismaModel(each);
  if (of === null) return [];
  const options = objectKeys(nodes(each.arguments)[0]);
  return prismaClauses.flatMap((clause) => {
    const value = options?.keys.get(clause);
    const all = value?.type === 'ArrayExpression' ? nodes(value.elements) : value ? [value] : [];
    return all.flatMap((part) =>
      [...(objectKeys(part)?.keys ?? [])].flatMap(([name, at]): FieldUse[] =>
        operators.test(name) ? [] : [{ kind: 'entity', of, name, via: 'Prisma', line: lineOf(at.start) }],
      ),
    );
  });
}

/** TypeORM: `orders` is a repository of `Order` by its type, `orders: Repository<Order>`, or by `getRepository(Order)`. */
export function repositoriesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!text.includes('Repository')) return found;
  for (const [, name = '', entity = ''] of text.matchAll(/\b(\w+)!?: ?Repository<(\w+)>/g))
    found.set(name, entity);
  for (const [, name = '', entity = ''] of text.matchAll(/\b(\w+) ?= ?[\w.]{1,60}\.getRepository\((\w+)\)/g))
    found.set(name, entity);
  return found;
}

const typeormCalls = /^(?:find|findOne|findAndCount|findOneOrFail|count|exists)$/;
const typeormCallsBy = /^(?:findBy|findOneBy|findOneByOrFail|findAndCountBy|countBy|existsBy|update|delete)$/;

/** `orders.find({ where: { note } })`, `orders.findBy({ note })`: fields of the entity `Order`. */
export function typeormUses(
  each: Node,
  repositories: ReadonlyMap<string, string>,
  lineOf: LineOf,
): FieldUse[] {
  if (repositories.size === 0) return [];
  const [repository = '', call = ''] = memberPath(each.callee)?.slice(-2) ?? [];
  const of = repositories.get(repository);
  const args = nodes(each.arguments);
  if (of === undefined) return [];
  const options = typeormCalls.test(call) ? objectKeys(args[0]) : null;
  const clauses = options ? ['where', 'select', 'order'].map((clause) => options.keys.get(clause)) : [];
  return [...clauses, ...(typeormCallsBy.test(call) ? args : [])].flatMap((clause) =>
    (clause?.type === 'ArrayExpression' ? nodes(clause.elements) : [clause]).flatMap((part) =>
      [...(objectKeys(part)?.keys ?? [])].map(
        ([name, at]): FieldUse => ({ kind: 'entity', of, name, via: 'TypeORM', line: lineOf(at.start) }),
      ),
    ),
  );
}

/** Tables that a node queries, by their Drizzle variable: `users` for `.from(users)`, `.insert(users)`, `db.query.users`. */
export function drizzleTables(each: Node): string[] {
  if (each.type !== 'CallExpression') return [];
  const callee = node(each.callee);
  const method = String(node(callee?.property)?.name ?? '');
  const [first] = nodes(each.arguments);
  if (
    /^(?:from|insert|update|delete|(?:inner|left|right|full)Join)$/.test(method) &&
    first?.type === 'Identifier'
  )
    return [String(first.name)];
  const path = memberPath(callee);
  const at = path?.indexOf('query') ?? -1;
  return path && at > 0 && path.length > at + 2 ? [String(path[at + 1])] : [];
}

/** `users.name` for a table that the file queries. */
export function drizzleUses(program: Node, tables: ReadonlySet<string>, lineOf: LineOf): FieldUse[] {
  const found: FieldUse[] = [];
  walk(program, (each) => {
    const path = each.type === 'MemberExpression' ? memberPath(each) : null;
    const [of = '', name, ...more] = path ?? [];
    if (name === undefined || more.length > 0 || !tables.has(of) || name.startsWith('$') || name === '_')
      return;
    found.push({ kind: 'entity', of, name, via: 'a Drizzle query', line: lineOf(each.start) });
  });
  return found;
}

/** `const resolvers = { User: { name: (user) => … } }`: fields of GraphQL types that code resolves. */
export function resolverUses(each: Node, lineOf: LineOf): FieldUse[] {
  if (each.type !== 'VariableDeclarator' || !/resolvers$/i.test(String(node(each.id)?.name ?? ''))) return [];
  const value = node(each.init);
  const types = objectKeys(value?.type === 'TSSatisfiesExpression' ? value.expression : value)?.keys ?? [];
  return [...types].flatMap(([of, fields]) =>
    /^(?:Query|Mutation|Subscription)$/.test(of) || !/^[A-Z]/.test(of)
      ? []
      : [...(objectKeys(fields)?.keys ?? [])].map(
          ([name, resolver]): FieldUse => ({
            kind: 'entity',
            of,
            name,
            via: 'a GraphQL resolver',
            line: lineOf(resolver.start),
          }),
        ),
  );
}
