import type { FieldUse } from '#code/formats/shared/data-facts.ts';
import { memberPath, type Node, nodes, objectKeys } from './estree.ts';

type LineOf = (offset: number) => number;

const prismaCalls =
  /^(?:find(?:Many|First|Unique)(?:OrThrow)?|create(?:Many)?(?:AndReturn)?|update(?:Many)?|upsert|delete(?:Many)?|count|aggregate|groupBy)$/;
const prismaClauses = ['where', 'select', 'data', 'create', 'update', 'orderBy', 'distinct'];
const operators = /^(?:AND|OR|NOT|some|every|none|is|isNot|_count|_avg|_sum|_min|_max)$/;

/** `prisma.user.findMany({ where: { name } })`: fields of the model `User`. */
export function prismaUses(each: Node, lineOf: LineOf): FieldUse[] {
  if (each.type !== 'CallExpression') return [];
  const path = memberPath(each.callee);
  const [client = '', model, call = ''] = path?.slice(-3) ?? [];
  if (!model || !prismaCalls.test(call) || !/^(?:prisma|db|tx|client|prismaClient)$/i.test(client)) return [];
  const options = objectKeys(nodes(each.arguments)[0]);
  return prismaClauses.flatMap((clause) => {
    const value = options?.keys.get(clause);
    const all = value?.type === 'ArrayExpression' ? nodes(value.elements) : value ? [value] : [];
    return all.flatMap((part) =>
      [...(objectKeys(part)?.keys ?? [])].flatMap(([name, at]): FieldUse[] =>
        operators.test(name)
          ? []
          : [
              {
                kind: 'entity',
                of: `${model[0]?.toUpperCase()}${model.slice(1)}`,
                name,
                via: 'Prisma',
                line: lineOf(at.start),
              },
            ],
      ),
    );
  });
}
