import type { Definition, Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { Entity } from '#code/formats/shared/data-facts.ts';
import type { Callable, Field, Shape } from '#contract/shapes.ts';
import { pythonField, typescriptField } from './field-of.ts';

/** Types, models and functions of a source file, from its facts; the text supplies what facts leave out. */
export function codeShapes(
  file: string,
  text: string,
  facts: Facts,
  /** What the file says about stored data. */
  entities: readonly Entity[],
): { readonly shapes: Shape[]; readonly callables: Callable[] } {
  const lines = text.split(/\r?\n/);
  const exported = exportedNames(facts);
  const members = Map.groupBy(facts.definitions, ({ container }) => container ?? '');
  const shapes = facts.definitions
    .filter(({ kind, members: own }) => (kind === 'class' || kind === 'interface' || kind === 'type') && own)
    .map((definition): Shape => {
      const own = members.get(symbolPath(definition)) ?? [];
      const stored = entities.find((each) => each.name === definition.name && each.table !== undefined);
      const fields = fieldsOf(file, lines, facts, own).map((field) => withColumn(field, stored));
      const table = stored?.table ?? sqlModelTable(lines, definition);
      const { line, bases } = definition;
      return {
        name: symbolPath(definition),
        kind: table === null ? 'type' : 'model',
        table,
        fields: fields.filter(({ name }) => !/^__\w+__$/.test(name)),
        bases,
        openBecause: definition.members?.open ? 'its members are not all written out' : null,
        isExported: exported === null || exported.has(definition.name),
        file,
        line,
      };
    });
  const callables = facts.definitions
    .filter(({ kind, signature }) => signature !== null && (kind === 'function' || kind === 'method'))
    .map((definition): Callable => {
      const { signature, line, name, container } = definition;
      return {
        name: symbolPath(definition),
        parameters: (signature?.parameters ?? []).map((each) => ({
          name: `${each.kind === 'rest' ? '...' : ''}${each.name}`,
          type: each.type,
          isRequired: each.required,
        })),
        returns: signature?.returns ?? null,
        isExported: container === null && (exported === null || exported.has(name)) && !name.startsWith('_'),
        file,
        line,
      };
    });
  return { shapes, callables };
}

/** Null: all names are exported. */
function exportedNames({ module, exports }: Facts): ReadonlySet<string> | null {
  return module === 'namespace' ? null : new Set(exports.map(({ local, name }) => local ?? name));
}

function fieldsOf(
  file: string,
  lines: readonly string[],
  { module }: Facts,
  own: readonly Definition[],
): Field[] {
  const fields = own.filter(({ kind }) => kind === 'field' || kind === 'accessor');
  return fields.map((field, index) => {
    const written = {
      file,
      line: field.line,
      name: field.name,
      text: textOf(lines, field, fields[index + 1]),
    };
    return module === 'namespace' ? pythonField(written) : typescriptField(written);
  });
}

/** From the start of a definition to the next one, if both are on one line. */
function textOf(
  lines: readonly string[],
  { line, column, endLine }: Definition,
  next: Definition | undefined,
): string {
  const own = lines.slice(line - 1, endLine);
  const last = own.at(-1);
  if (last !== undefined && next && next.line === endLine && next.column > 1 && endLine === line)
    return last.slice(column - 1, next.column - 1);
  return [own[0]?.slice(column - 1) ?? '', ...own.slice(1)].join('\n');
}

/** `class Team(SQLModel, table=True)`; null for other classes, which the readers of formats know. */
function sqlModelTable(lines: readonly string[], { name, bases, line, endLine }: Definition): string | null {
  if (!bases.includes('SQLModel')) return null;
  return /\btable\s*=\s*True/.test(lines.slice(line - 1, endLine).join('\n')) ? name.toLowerCase() : null;
}

/** The column behind an attribute. */
function withColumn(field: Field, stored: Entity | undefined): Field {
  const column = stored?.fields.find(({ name }) => name === field.name)?.column;
  return column === undefined || field.aliases.includes(column)
    ? field
    : { ...field, aliases: [...field.aliases, column] };
}
