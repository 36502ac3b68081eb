import type { Field, Shape } from '#contract/shapes.ts';

const scalars = new Set([
  'String',
  'Int',
  'BigInt',
  'Float',
  'Decimal',
  'Boolean',
  'DateTime',
  'Json',
  'Bytes',
]);

/** The models of a Prisma schema. */
export function readPrisma(file: string, text: string): Shape[] {
  const shapes: Shape[] = [];
  let open: {
    name: string;
    line: number;
    table: string | null;
    rows: { text: string; line: number }[];
  } | null = null;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const row = raw.replace(/\/\/.*$/, '').trim();
    const line = index + 1;
    const opened = /^model\s+(\w+)\s*\{/.exec(row)?.[1];
    if (opened !== undefined) open = { name: opened, line, table: null, rows: [] };
    else if (open && row === '}') {
      shapes.push(model(file, open));
      open = null;
    } else if (open) {
      const mapped = /^@@map\(\s*"([^"]+)"/.exec(row)?.[1];
      if (mapped !== undefined) open.table = mapped;
      else if (/^\w/.test(row)) open.rows.push({ text: row, line });
    }
  }
  return shapes;
}

function model(
  file: string,
  {
    name,
    line,
    table,
    rows,
  }: { name: string; line: number; table: string | null; rows: { text: string; line: number }[] },
): Shape {
  const targets = new Map<string, string>();
  const fields = rows.flatMap((row): Field[] => {
    const [, called, type = ''] = /^(\w+)\s+(\w+)(?:\[\]|\?)?/.exec(row.text) ?? [];
    if (called === undefined) return [];
    const keys = /@relation\([^)]{0,500}fields:\s*\[([^\]]{0,500})\]/.exec(row.text)?.[1];
    for (const key of keys?.split(',') ?? []) targets.set(key.trim(), type);
    const mapped = /@map\(\s*"([^"]+)"/.exec(row.text)?.[1];
    const written = /^\w+\s+(\S+)/.exec(row.text)?.[1] ?? type;
    return [
      {
        name: called,
        aliases: mapped === undefined ? [] : [mapped],
        type: written,
        target: scalars.has(type) ? null : { kind: 'type', name: type },
        file,
        line: row.line,
      },
    ];
  });
  return {
    name,
    kind: 'model',
    table: table ?? name,
    fields: fields.map((field) => {
      const target = targets.get(field.name);
      return target === undefined ? field : { ...field, target: { kind: 'type', name: target } };
    }),
    bases: [],
    openBecause: null,
    isExported: true,
    file,
    line,
  };
}
