import { parseSync, Visitor } from 'oxc-parser';
import type { Project, TopLevel } from './project.ts';

/** Replaces a word in every file: for names that mean one thing in the whole project. */
export function renameWord(
  project: Pick<Project, 'occurrences' | 'text'>,
  word: string,
  fresh: string,
): Map<string, string> {
  const pattern = new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  return new Map(
    [...project.occurrences(word).keys()].map((path) => [path, project.text(path).replace(pattern, fresh)]),
  );
}

/** Removes a definition: its text, its comment, and its entry in every re-export list. */
export function removeDefinition(project: Project, target: TopLevel): Map<string, string> {
  const edits = new Map<string, string>();
  const own = project.text(target.path);
  edits.set(target.path, own.slice(0, withComment(own, target.start)) + own.slice(target.end));
  for (const path of project.occurrences(target.name).keys()) {
    if (path !== target.path) edits.set(path, withoutReexport(path, project.text(path), target.name));
  }
  return edits;
}

/** Removes a name from every `export { … } from` list. */
export function withoutReexport(path: string, text: string, name: string): string {
  let result = text;
  const lists = parseSync(path, text).program.body.filter(
    (node) => node.type === 'ExportNamedDeclaration' && node.source !== null,
  );
  for (const list of lists.toReversed()) {
    const pattern = new RegExp(
      `(?<![\\w$])(?:type\\s+)?${name.replaceAll('$', '\\$')}(?![\\w$])(?:\\s+as\\s+[\\w$]+)?\\s*,?`,
    );
    const head = text.slice(list.start, list.end).replace(pattern, '');
    result = result.slice(0, list.start) + head + result.slice(list.end);
  }
  return result;
}

/** Start of the comment that belongs to a statement. */
function withComment(text: string, start: number): number {
  const before = text.slice(0, start);
  const match = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(before);
  return match ? match.index : start;
}

/** Inserts an argument into every call of a function by its name. */
export function insertArgument(
  path: string,
  text: string,
  callee: string,
  argument: string,
  at: 'first' | 'last',
): string {
  const places: { readonly offset: number; readonly text: string }[] = [];
  new Visitor({
    CallExpression: (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== callee) return;
      const edge = at === 'first' ? node.arguments[0] : node.arguments.at(-1);
      if (!edge) places.push({ offset: node.end - 1, text: argument });
      else if (at === 'first') places.push({ offset: edge.start, text: `${argument}, ` });
      else places.push({ offset: edge.end, text: `, ${argument}` });
    },
  }).visit(parseSync(path, text).program);
  return insertAll(text, places);
}

export function insertAll(
  text: string,
  places: readonly { readonly offset: number; readonly text: string }[],
): string {
  let result = text;
  for (const place of places.toSorted((a, b) => b.offset - a.offset))
    result = result.slice(0, place.offset) + place.text + result.slice(place.offset);
  return result;
}

/** Replaces spans that do not overlap. */
export function replaceAll(
  text: string,
  spans: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): string {
  let result = text;
  for (const span of spans.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, span.start) + span.text + result.slice(span.end);
  return result;
}

/** `name(value, value)` with as many arguments as base requires. */
export function callOf({ name, definition }: TopLevel): string {
  const required = definition.signature?.parameters.filter((parameter) => parameter.required).length ?? 0;
  return `${name}(${Array.from({ length: required }, () => 'value').join(', ')})`;
}

/** A readable new name with a prefix: `parse` becomes `renamedParse`. */
export function freshName(name: string, prefix = 'renamed'): string {
  return /^[A-Z]/.test(name)
    ? `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}${name}`
    : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
