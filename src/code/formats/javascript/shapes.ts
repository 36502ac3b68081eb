import type { Entity, Field, Relation } from '#code/formats/shared/data-facts.ts';
import { decorators, keyName, literal, memberPath, type Node, node, nodes, objectKeys } from './estree.ts';

type LineOf = (offset: number) => number;

/** Entities that a node declares: Drizzle tables, TypeORM classes, Zod objects, interfaces and data classes. */
export function shapeOf(each: Node, lineOf: LineOf): Entity[] {
  switch (each.type) {
    case 'VariableDeclarator':
      return [...drizzleTable(each, lineOf), ...zodObject(each, lineOf)];
    case 'ClassDeclaration':
      return [...typeormEntity(each, lineOf), ...plainClass(each, lineOf)];
    case 'TSInterfaceDeclaration':
      return typeEntity(each, nodes(node(each.body)?.body), nodes(each.extends).length > 0, lineOf);
    case 'TSTypeAliasDeclaration': {
      const type = node(each.typeAnnotation);
      return type?.type === 'TSTypeLiteral' ? typeEntity(each, nodes(type.members), false, lineOf) : [];
    }
    default:
      return [];
  }
}

/** `export const users = pgTable('users', { fullName: text('full_name').notNull() })`. */
function drizzleTable(each: Node, lineOf: LineOf): Entity[] {
  const call = node(each.init);
  if (call?.type !== 'CallExpression') return [];
  const maker = memberPath(call.callee)?.at(-1) ?? '';
  if (!/^(?:pg|mysql|sqlite|singlestore)Table$/.test(maker)) return [];
  const [named, columns] = nodes(call.arguments);
  const table = literal(named);
  const shape = objectKeys(columns);
  const variable = node(each.id);
  if (table === null || !shape || variable?.type !== 'Identifier') return [];
  const fields = [...shape.keys].map(([name, value]): Field => {
    const { root, first, calls } = chain(value);
    return {
      name,
      ...(first !== null && first !== name ? { column: first } : {}),
      type: root,
      required: calls.includes('notNull') || calls.includes('primaryKey'),
      line: lineOf(value.start),
    };
  });
  return [
    {
      layer: 'model',
      form: 'Drizzle',
      name: String(variable.name),
      table,
      line: lineOf(each.start),
      fields,
      ...(shape.isOpen ? { open: true as const } : {}),
    },
  ];
}

/** `buyer: integer().references(() => users.id)`: the column leads to the table in the variable. */
export function drizzleRelations(each: Node, lineOf: LineOf): Relation[] {
  const [table] = drizzleTable(each, lineOf);
  const columns = table ? objectKeys(nodes(node(each.init)?.arguments)[1]) : null;
  return [...(columns?.keys ?? [])].flatMap(([field, value]): Relation[] => {
    const call = callsOn(value).find((one) => node(node(one.callee)?.property)?.name === 'references');
    const made = node(nodes(call?.arguments)[0]);
    const to = made ? memberPath(made.body)?.[0] : undefined;
    const line = lineOf(value.start);
    return to === undefined ? [] : [{ of: table?.name ?? '', field, kind: 'entity', to, line }];
  });
}

/** The calls in `integer().notNull().references(…)`. */
function callsOn(value: Node): Node[] {
  const calls: Node[] = [];
  let each: Node | null = value;
  while (each?.type === 'CallExpression') {
    calls.push(each);
    each = node(node(each.callee)?.object);
  }
  return calls;
}

/** For `text('full_name').notNull()`: the first function, its first argument and the methods called on it. */
function chain(value: Node): { root: string | null; first: string | null; calls: string[] } {
  const calls: string[] = [];
  let each: Node | null = value;
  while (each?.type === 'CallExpression') {
    const callee = node(each.callee);
    const object = node(callee?.object);
    if (callee?.type === 'MemberExpression' && object?.type === 'CallExpression') {
      calls.push(String(node(callee.property)?.name));
      each = object;
      continue;
    }
    return {
      root: memberPath(callee)?.at(-1) ?? null,
      first: literal(nodes(each.arguments)[0]),
      calls,
    };
  }
  return { root: null, first: null, calls };
}

/** `export const Person = z.object({ age: z.number().optional() })`. */
function zodObject(each: Node, lineOf: LineOf): Entity[] {
  const variable = node(each.id);
  let call = node(each.init);
  // Refinements come after the object.
  while (call?.type === 'CallExpression' && node(node(call.callee)?.object)?.type === 'CallExpression')
    call = node(node(call.callee)?.object);
  if (call?.type !== 'CallExpression' || variable?.type !== 'Identifier') return [];
  const path = memberPath(call.callee);
  if (
    !path ||
    !/^(?:z|zod)$/.test(path[0] ?? '') ||
    !/^(?:object|strictObject|looseObject)$/.test(path[1] ?? '')
  )
    return [];
  const shape = objectKeys(nodes(call.arguments)[0]);
  if (!shape) return [];
  const fields = [...shape.keys].map(([name, value]): Field => {
    const { root, calls } = zodChain(value);
    return {
      name,
      type: root,
      required: !calls.some((part) => /^(?:optional|nullish|default|catch)$/.test(part)),
      line: lineOf(value.start),
    };
  });
  return [
    {
      layer: 'schema',
      form: 'Zod',
      name: String(variable.name),
      line: lineOf(each.start),
      fields,
      ...(shape.isOpen ? { open: true as const } : {}),
    },
  ];
}

function zodChain(value: Node): { root: string | null; calls: string[] } {
  const calls: string[] = [];
  let each: Node | null = value;
  while (each?.type === 'CallExpression') {
    const callee = node(each.callee);
    const object = node(callee?.object);
    const name = String(node(callee?.property)?.name ?? '');
    if (object?.type !== 'CallExpression') return { root: name === '' ? null : name, calls };
    calls.push(name);
    each = object;
  }
  return { root: null, calls };
}

/** `@Entity('users') class User { @Column({ name: 'full_name' }) fullName: string }`. */
function typeormEntity(each: Node, lineOf: LineOf): Entity[] {
  const entity = decorators(each).find(([name]) => name === 'Entity');
  const name = node(each.id)?.name;
  if (!entity || typeof name !== 'string') return [];
  const [first] = entity[1];
  const options = objectKeys(first);
  const table = literal(first) ?? literal(options?.keys.get('name')) ?? snakeCase(name);
  const fields = nodes(node(each.body)?.body).flatMap((member): Field[] => {
    const column = decorators(member).find(([kind]) => /Column$/.test(kind));
    const field = keyName(member);
    if (!column || field === null) return [];
    const settings = column[1].map((argument) => objectKeys(argument)).find((found) => found !== null);
    const named = literal(settings?.keys.get('name'));
    const kind =
      column[1].map(literal).find((found) => found !== null) ?? literal(settings?.keys.get('type'));
    return [
      {
        name: field,
        ...(named !== null && named !== field ? { column: named } : {}),
        type: kind ?? typeText(member),
        required: node(settings?.keys.get('nullable'))?.value !== true && member.optional !== true,
        line: lineOf(member.start),
      },
    ];
  });
  return [
    {
      layer: 'model',
      form: 'TypeORM',
      name,
      table,
      line: lineOf(each.start),
      fields,
      ...(each.superClass ? { open: true as const } : {}),
    },
  ];
}

/** A data class: `class CreateUserDto { name: string }`. */
function plainClass(each: Node, lineOf: LineOf): Entity[] {
  const name = node(each.id)?.name;
  if (typeof name !== 'string' || !/(?:Dto|DTO|Input|Request|Response|Payload|Schema)$/.test(name)) return [];
  const members = nodes(node(each.body)?.body).filter(({ type }) => type === 'PropertyDefinition');
  const open = each.superClass ? { open: true as const } : {};
  return [
    {
      layer: 'schema',
      form: 'class',
      name,
      line: lineOf(each.start),
      fields: members.flatMap((member) => memberField(member, lineOf)),
      ...open,
    },
  ];
}

function typeEntity(each: Node, members: readonly Node[], isOpen: boolean, lineOf: LineOf): Entity[] {
  const name = node(each.id)?.name;
  if (typeof name !== 'string' || !/^[A-Z]/.test(name)) return [];
  const own = members.filter(({ type }) => type === 'TSPropertySignature');
  if (own.length === 0) return [];
  return [
    {
      layer: 'schema',
      form: 'TypeScript',
      name,
      line: lineOf(each.start),
      fields: own.flatMap((member) => memberField(member, lineOf)),
      ...(isOpen || own.length < members.length ? { open: true as const } : {}),
    },
  ];
}

function memberField(member: Node, lineOf: LineOf): Field[] {
  const name = keyName(member);
  return name === null
    ? []
    : [{ name, type: typeText(member), required: member.optional !== true, line: lineOf(member.start) }];
}

const keywords: Readonly<Record<string, string>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSBigIntKeyword: 'bigint',
};

function typeText(member: Node): string | null {
  const type = node(node(member.typeAnnotation)?.typeAnnotation);
  if (!type) return null;
  if (type.type === 'TSTypeReference') return String(node(type.typeName)?.name ?? '').toLowerCase() || null;
  if (type.type === 'TSArrayType') return 'array';
  return keywords[type.type] ?? null;
}

/** `orderItem` and `OrderItem` are stored as `order_item`. */
function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
