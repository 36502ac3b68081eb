import type { PythonProject, PythonSite } from './project.ts';

/** `networkx/utils/misc.py` is imported as `networkx.utils.misc`. */
export function moduleOf(path: string): string {
  return path.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.');
}

/** The file side B adds. */
export function addedFile({ top }: PythonProject): string {
  return `${top}/joinery_added_feature.py`;
}

/** A new file whose `added_feature` uses a name of the project. */
export function feature(
  project: PythonProject,
  { path, name }: Pick<PythonSite, 'path' | 'name'>,
  ...body: readonly string[]
): Map<string, string> {
  return added(project, [
    `from ${moduleOf(path)} import ${name}`,
    '',
    '',
    'def added_feature(value):',
    ...body.map((line) => `    ${line}`),
  ]);
}

export function added(project: PythonProject, lines: readonly string[]): Map<string, string> {
  return new Map([[addedFile(project), `${lines.join('\n')}\n`]]);
}

/** The lines of a definition, and those around it. */
function around(project: PythonProject, { path, definition: { line, endLine } }: PythonSite) {
  const lines = project.text(path).split('\n');
  return {
    before: lines.slice(0, line - 1),
    own: lines.slice(line - 1, endLine),
    after: lines.slice(endLine),
  };
}

/** The file with other lines instead of a definition. */
export function replaced(
  project: PythonProject,
  site: PythonSite,
  change: (text: string) => string,
): Map<string, string> {
  const { before, own, after } = around(project, site);
  return new Map([[site.path, [...before, change(own.join('\n')), ...after].join('\n')]]);
}

/** Parameters if all are plain and on one line, with their defaults; null for any other list. */
export function plainParameters({ definition: { signature } }: PythonSite): readonly string[] | null {
  if (!signature?.parameters.every(({ kind, required }) => kind === 'positional' && required)) return null;
  return signature.parameters.map(({ name }) => name);
}

/** The head of a function with another parameter list; null if it does not fit on one line. */
export function withParameters(text: string, parameters: readonly string[]): string | null {
  const [head = '', ...body] = text.split('\n');
  const changed = head.replace(
    /^((?:async )?def \w+)\([^()]*\)/,
    (_, start) => `${start}(${parameters.join(', ')})`,
  );
  return changed === head ? null : [changed, ...body].join('\n');
}

/** Functions that nothing in the project uses, so that A has no calls to adapt. */
export function freeFunctions(project: PythonProject): PythonSite[] {
  return project
    .sites('function')
    .filter(({ name, definition }) => !definition.async && !project.isUsed(name));
}

/** Appends code to a module. */
export function appended(project: PythonProject, path: string, code: string): Map<string, string> {
  return new Map([[path, `${project.text(path).trimEnd()}\n\n\n${code}`]]);
}
