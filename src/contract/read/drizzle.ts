import type { Field, Shape } from '#contract/shapes.ts';
import { lineAt, partsOf, within } from './balanced.ts';

const table =
  /\bconst\s+(\w+)\s*=\s*(?:pg|mysql|sqlite|single[Ss]tore)Table\(\s*['"`]([^'"`]+)['"`]\s*,\s*(\{)/g;

/** Tables that TypeScript declares with Drizzle: `pgTable('users', { id: serial('id') })`. */
export function readDrizzle(file: string, text: string): Shape[] {
  const names = new Map([...text.matchAll(table)].map(([, local = '', called = '']) => [local, called]));
  return [...text.matchAll(table)].map((found) => {
    const [whole, local = '', called = ''] = found;
    const at = found.index + whole.length - 1;
    return {
      name: local,
      kind: 'model',
      table: called,
      fields: partsOf(within(text, at) ?? '', lineAt(text, at)).flatMap((part) => column(file, part, names)),
      bases: [],
      openBecause: null,
      isExported: true,
      file,
      line: lineAt(text, found.index),
    };
  });
}

function column(
  file: string,
  { text, line }: { readonly text: string; readonly line: number },
  names: ReadonlyMap<string, string>,
): Field[] {
  const [, name, type, mapped] = /^['"]?(\w+)['"]?\s*:\s*(\w+)\(\s*(?:['"`]([^'"`]+)['"`])?/.exec(text) ?? [];
  if (name === undefined) return [];
  const local = /\.references\(\s*\(\)(?:\s*:\s*\w+)?\s*=>\s*(\w+)\./.exec(text)?.[1];
  return [
    {
      name,
      aliases: mapped === undefined || mapped === name ? [] : [mapped],
      type: type ?? null,
      target: local === undefined ? null : { kind: 'table', name: names.get(local) ?? local },
      file,
      line,
    },
  ];
}
