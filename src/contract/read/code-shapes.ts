import { posix } from 'node:path';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { Callable, Field, Shape } from '#contract/shapes.ts';
import { pythonField, typescriptField } from './field-of.ts';

/** Types, models and functions of a source file, from its facts; the text supplies what facts leave out. */
export function codeShapes(
  file: string,
  text: string,
  facts: Facts,
): { readonly shapes: Shape[]; readonly callables: Callable[] } {
  const lines = text.split(/\r?\n/);
  const exported = exportedNames(facts);
  const members = Map.groupBy(facts.definitions, ({ container }) => container ?? '');
  const shapes = facts.definitions
    .filter(({ kind, members: own }) => (kind === 'class' || kind === 'interface' || kind === 'type') && own)
    .map((definition): Shape => {
      const own = members.get(symbolPath(definition)) ?? [];
      const fields = fieldsOf(file, lines, facts, own);
      const table = tableOf(file, lines, definition, own);
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

/** The table of a model class; null when the class is not a model. */
function tableOf(
  file: string,
  lines: readonly string[],
  definition: Definition,
  own: readonly Definition[],
): string | null {
  const { name, bases, decorators, line, endLine } = definition;
  const named = own.find((each) => each.name === '__tablename__');
  if (named) return /=\s*['"]([^'"]+)['"]/.exec(lines[named.line - 1] ?? '')?.[1] ?? name.toLowerCase();
  if (bases.some((base) => base === 'models.Model' || base === 'SQLModel') || decorators.includes('Entity')) {
    const body = lines.slice(line - 1, endLine).join('\n');
    if (bases.includes('SQLModel')) return /\btable\s*=\s*True/.test(body) ? name.toLowerCase() : null;
    if (decorators.includes('Entity')) {
      const above = lines.slice(Math.max(0, line - 6), line).join('\n');
      return /@Entity\(\s*(?:\{[^{}]*name:\s*)?['"`]([^'"`]+)['"`]/.exec(above)?.[1] ?? snake(name);
    }
    const given = /\bdb_table\s*=\s*['"]([^'"]+)['"]/.exec(body)?.[1];
    return given ?? `${appOf(file)}_${name.toLowerCase()}`;
  }
  return null;
}

/** Django names tables after the app: the folder of its models. */
function appOf(file: string): string {
  const folder = posix.dirname(file);
  const own = posix.basename(folder);
  return own === 'models' ? posix.basename(posix.dirname(folder)) : own;
}

function snake(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
