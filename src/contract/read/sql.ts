import type { Field, MigrationStep } from '#contract/shapes.ts';
import { blank, lineAt, partsOf, within } from './balanced.ts';

const name = String.raw`(?:["\x60\[]?\w+["\x60\]]?\s*\.\s*)?["\x60\[]?(\w+)["\x60\]]?`;
const statement = new RegExp(
  String.raw`\b(?:create\s+(?:(?:global|local|temp|temporary|unlogged)\s+)*table\s+(?:if\s+not\s+exists\s+)?${name}\s*\(|drop\s+table\s+(?:if\s+exists\s+)?${name}|alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?${name}\s+([^;]*))`,
  'gi',
);
/** Words that start a constraint, not a column. */
const constraint = /^(?:constraint|primary|foreign|unique|check|key|index|exclude|like|fulltext|spatial)\b/i;

/** What an SQL script does to tables, in order. */
export function readSql(file: string, source: string): MigrationStep[] {
  const text = blank(source, /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g);
  const steps: MigrationStep[] = [];
  for (const found of text.matchAll(statement)) {
    const [whole, created, dropped, altered, change = ''] = found;
    const line = lineAt(text, found.index);
    if (created !== undefined) {
      const at = found.index + whole.length - 1;
      const body = within(text, at);
      if (body !== null)
        steps.push({
          does: 'create',
          table: created,
          file,
          line,
          fields: columns(file, body, lineAt(text, at)),
        });
    } else if (dropped !== undefined) steps.push({ does: 'drop-table', table: dropped, file, line });
    else if (altered !== undefined) steps.push(...alterations(file, altered, change, line));
  }
  return steps;
}

function columns(file: string, body: string, firstLine: number): Field[] {
  const fields: Field[] = [];
  const keys: { column: string; table: string }[] = [];
  for (const { text, line } of partsOf(body, firstLine)) {
    if (constraint.test(text)) {
      const key = new RegExp(
        String.raw`foreign\s+key\s*\(\s*["\x60\[]?(\w+)["\x60\]]?\s*\)\s*references\s+${name}`,
        'i',
      ).exec(text);
      if (key?.[1] !== undefined && key[2] !== undefined) keys.push({ column: key[1], table: key[2] });
      continue;
    }
    const field = column(file, text, line);
    if (field) fields.push(field);
  }
  return fields.map((field) => {
    const key = keys.find((each) => same(each.column, field.name));
    return key ? { ...field, target: { kind: 'table', name: key.table } } : field;
  });
}

function column(file: string, text: string, line: number): Field | null {
  const [, called, type] = /^["`[]?(\w+)["`\]]?(?:\s+(\w+(?:\s*\([^)]*\))?))?/.exec(text) ?? [];
  if (called === undefined) return null;
  const key = new RegExp(String.raw`\breferences\s+${name}`, 'i').exec(text);
  return {
    name: called,
    aliases: [],
    type: type ?? null,
    target: key?.[1] === undefined ? null : { kind: 'table', name: key[1] },
    file,
    line,
  };
}

function alterations(file: string, table: string, change: string, line: number): MigrationStep[] {
  return partsOf(change, line).flatMap(({ text, line: at }): MigrationStep[] => {
    const place = { table, file, line: at };
    const added = /^add\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?([\s\S]+)$/i.exec(text)?.[1];
    if (added !== undefined) {
      if (constraint.test(added)) {
        const [key] = columnsOfKey(added);
        return key ? [{ ...place, does: 'add', fields: [{ ...key, file, line: at }] }] : [];
      }
      const field = column(file, added, at);
      return field ? [{ ...place, does: 'add', fields: [field] }] : [];
    }
    const dropped = /^drop\s+(?:column\s+)?(?:if\s+exists\s+)?["`[]?(\w+)/i.exec(text)?.[1];
    if (dropped !== undefined && !constraint.test(dropped))
      return [{ ...place, does: 'drop', name: dropped }];
    const [, from, to] = /^rename\s+(?:column\s+)?["`[]?(\w+)["`\]]?\s+to\s+["`[]?(\w+)/i.exec(text) ?? [];
    if (from !== undefined && to !== undefined) return [{ ...place, does: 'rename', name: from, to }];
    const renamed = /^rename\s+to\s+["`[]?(\w+)/i.exec(text)?.[1];
    return renamed === undefined ? [] : [{ ...place, does: 'rename-table', to: renamed }];
  });
}

/** `add constraint … foreign key (user_id) references users`: the column again, with its target. */
function columnsOfKey(text: string): Omit<Field, 'file' | 'line'>[] {
  const key = new RegExp(
    String.raw`foreign\s+key\s*\(\s*["\x60\[]?(\w+)["\x60\]]?\s*\)\s*references\s+${name}`,
    'i',
  ).exec(text);
  return key?.[1] === undefined || key[2] === undefined
    ? []
    : [{ name: key[1], aliases: [], type: null, target: { kind: 'table', name: key[2] } }];
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
