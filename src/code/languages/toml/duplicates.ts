import type { DuplicateKey } from '#code/facts/facts.ts';
import { inReadingOrder } from '#code/languages/shared/key-occurrences.ts';
import type { Definition } from './definitions.ts';

/** What created a path; tables of dotted keys and arrays of tables may be extended. */
interface Known {
  readonly form: 'value' | 'table' | 'array-table' | 'dotted';
  readonly lines: number[];
}

export interface Repetitions {
  readonly duplicates: readonly DuplicateKey[];
  /** The second and later definitions of a path. */
  readonly repeated: readonly Definition[];
}

export function duplicateDefinitions(definitions: readonly Definition[]): Repetitions {
  const known = new Map<string, Known>();
  const elements = new Map<string, number>();
  const repeated: Definition[] = [];
  let table: readonly string[] = [];
  for (const definition of definitions) {
    if (definition.form === 'key') {
      if (!defineKey(known, table, definition)) repeated.push(definition);
      continue;
    }
    const path = resolve(elements, definition.path);
    if (!define(known, path, definition.form, definition.line)) repeated.push(definition);
    table = path;
    if (definition.form === 'array-table') {
      const count = elements.get(path.join('\0')) ?? 0;
      elements.set(path.join('\0'), count + 1);
      table = [...path, String(count)];
    }
  }
  const duplicates = [...known]
    .filter(([, { lines }]) => lines.length > 1)
    .map(([path, { lines }]) => ({ key: path.replaceAll('\0', '.'), lines }));
  return { duplicates: inReadingOrder(duplicates), repeated };
}

/** `[a.b]` after `[[a]]` belongs to the last element of `a`. */
function resolve(elements: ReadonlyMap<string, number>, path: readonly string[]): string[] {
  const resolved: string[] = [];
  path.forEach((part, index) => {
    resolved.push(part);
    const count = elements.get(resolved.join('\0'));
    if (count !== undefined && index < path.length - 1) resolved.push(String(count - 1));
  });
  return resolved;
}

function defineKey(known: Map<string, Known>, table: readonly string[], definition: Definition): boolean {
  const path = [...table, ...definition.path];
  for (let length = path.length - definition.width + 1; length < path.length; length++) {
    if (!define(known, path.slice(0, length), 'dotted', definition.line)) return false;
  }
  return define(known, path, 'value', definition.line);
}

/** False when the path was already defined in a way that does not allow another definition. */
function define(
  known: Map<string, Known>,
  path: readonly string[],
  form: Known['form'],
  line: number,
): boolean {
  const id = path.join('\0');
  const before = known.get(id);
  if (before === undefined) {
    known.set(id, { form, lines: [line] });
    return true;
  }
  if (before.form === form && (form === 'dotted' || form === 'array-table')) return true;
  before.lines.push(line);
  return false;
}
