import type { DataFacts, Entity, Field } from '#code/formats/shared/data-facts.ts';

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
export async function readPrisma(_path: string, text: string): Promise<DataFacts | null> {
  const { getSchema } = await import('@mrleebo/prisma-ast');
  try {
    const blocks = getSchema(text).list as unknown as readonly Block[];
    const models = blocks.filter(({ type }) => type === 'model');
    const names = new Set(models.map(({ name }) => name));
    return { entities: models.map((model) => entityOf(model, names, text)) };
  } catch (error) {
    const { message, token } = error as Error & { token?: { startLine?: number } };
    // The message spells out a line break that was not expected.
    return { problem: { line: token?.startLine || 1, message: message.replaceAll(/\s+/g, ' ').trim() } };
  }
}

function entityOf({ name = '', properties = [] }: Block, models: ReadonlySet<unknown>, text: string): Entity {
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
        line: lineOf(each.name, nth),
      },
    ];
  });
  return { layer: 'model', form: 'Prisma', name, table: textOf(map?.args) ?? name, line: start + 1, fields };
}

function textOf(args: readonly Argument[] | undefined): string | null {
  const value = args?.[0]?.value;
  return typeof value === 'string' ? value.replace(/^"|"$/g, '') : null;
}
