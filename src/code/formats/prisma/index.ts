import type { DataFacts, Entity, Field, Relation } from '#code/formats/shared/data-facts.ts';

interface Block {
  readonly type: string;
  readonly name?: string;
  readonly properties?: readonly Property[];
}

interface Property {
  readonly type: string;
  readonly name: string;
  readonly fieldType?: unknown;
  readonly optional?: boolean;
  readonly array?: boolean;
  readonly attributes?: readonly Attribute[];
  readonly args?: readonly Argument[];
}

interface Attribute {
  readonly name: string;
  readonly args?: readonly Argument[];
}

interface Argument {
  readonly value?: unknown;
}

/** Models of a Prisma schema. */
export async function readPrisma(_path: string, source: string): Promise<DataFacts | null> {
  const text = withoutComments(source);
  const { getSchema } = await import('@mrleebo/prisma-ast');
  try {
    const blocks = getSchema(text).list as unknown as readonly Block[];
    const models = blocks.filter(({ type }) => type === 'model');
    const names = new Set(models.map(({ name }) => name));
    const read = models.map((model) => modelOf(model, names, text));
    const relations = read.flatMap((model) => model.relations);
    return {
      entities: read.map(({ entity }) => entity),
      ...(relations.length === 0 ? {} : { relations }),
    };
  } catch (error) {
    const { message, token } = error as Error & { token?: { startLine?: number } };
    // The message spells out a line break that was not expected.
    return { problem: { line: token?.startLine || 1, message: message.replaceAll(/\s+/g, ' ').trim() } };
  }
}

interface Model {
  readonly entity: Entity;
  readonly relations: readonly Relation[];
}

function modelOf({ name = '', properties = [] }: Block, models: ReadonlySet<unknown>, text: string): Model {
  const rows = text.split('\n');
  const start = rows.findIndex((row) => new RegExp(`^\\s*model\\s+${name}\\b`).test(row));
  const lineOf = (field: string, nth: number) => {
    const found: number[] = [];
    for (let at = start + 1; at < rows.length && !/^\s*\}/.test(rows[at] ?? ''); at++)
      if (new RegExp(`^\\s*${field}\\s`).test(rows[at] ?? '')) found.push(at + 1);
    return found[nth] ?? found[0] ?? start + 1;
  };
  const seen = new Map<string, number>();
  const map = properties.find((each) => each.type === 'attribute' && each.name === 'map');
  const fields = properties.flatMap((each): Field[] => {
    if (each.type !== 'field' || models.has(each.fieldType)) return [];
    const nth = seen.get(each.name) ?? 0;
    seen.set(each.name, nth + 1);
    const column = textOf(each.attributes?.find((attribute) => attribute.name === 'map')?.args);
    return [
      {
        name: each.name,
        ...(column !== null && column !== each.name ? { column } : {}),
        type: typeof each.fieldType === 'string' ? each.fieldType.toLowerCase() : null,
        required: each.optional !== true,
        ...(typeof each.fieldType === 'string' ? { written: writtenType(each) } : {}),
        line: lineOf(each.name, nth),
      },
    ];
  });
  const relations = properties.flatMap((each): Relation[] => {
    const relation = each.attributes?.find((attribute) => attribute.name === 'relation');
    // A model of another file of the schema is known by `@relation` alone.
    if (each.type !== 'field' || !(relation || models.has(each.fieldType))) return [];
    const leads = { of: name, kind: 'entity' as const, to: String(each.fieldType) };
    const keys = keysOf(relation);
    return [
      { ...leads, field: each.name, written: writtenType(each), line: lineOf(each.name, 0) },
      ...keys.map((field) => ({ ...leads, field, line: lineOf(field, 0) })),
    ];
  });
  const line = start + 1;
  return {
    entity: { layer: 'model', form: 'Prisma', name, table: textOf(map?.args) ?? name, line, fields },
    relations,
  };
}

/** The parser reads the words of a block comment as fields, and refuses a comment or a blank behind `{`. Lines stay where they are. */
function withoutComments(text: string): string {
  const plain = text.replace(/\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
    part.startsWith('/') ? part.replace(/[^\n]/g, '') : part,
  );
  return plain
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `Post[]`, `String?`. */
function writtenType({ fieldType, array, optional }: Property): string {
  return `${String(fieldType)}${array === true ? '[]' : ''}${optional === true ? '?' : ''}`;
}

/** `@relation(fields: [userId], references: [id])`: userId. */
function keysOf(attribute: Attribute | undefined): string[] {
  for (const { value } of attribute?.args ?? []) {
    const { key, value: own } = keyed(value) ?? {};
    const listed = key === 'fields' ? (own as { args?: unknown } | undefined)?.args : undefined;
    if (Array.isArray(listed)) return listed.map(String);
  }
  return [];
}

/** `name: "users"`. */
function keyed(value: unknown): { readonly key: string; readonly value: unknown } | null {
  const { type, key, value: own } = (value ?? {}) as { type?: unknown; key?: unknown; value?: unknown };
  return type === 'keyValue' ? { key: String(key), value: own } : null;
}

function textOf(args: readonly Argument[] | undefined): string | null {
  const first = args?.[0]?.value;
  const value = keyed(first)?.key === 'name' ? keyed(first)?.value : first;
  return typeof value === 'string' ? value.replace(/^"|"$/g, '') : null;
}
