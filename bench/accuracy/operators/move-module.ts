import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { insertAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { type Project, specifier } from '../project.ts';
import { addedFile, useOf } from './added-use.ts';

/** A moves a module to another folder and updates every import; B adds an import from the old place. */
export const moveModule: Operator = {
  name: 'move module',
  rule: 'S03',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const targets = project.exported('function', 'class', 'interface', 'type', 'variable');
    for (const target of random.shuffled(targets)) {
      const from = target.path;
      if (/(^|\/)index\.ts$/.test(from)) continue;
      const to = posix.join(posix.dirname(from), 'moved', posix.basename(from));
      const a = new Map<string, string | null>([[from, null]]);
      for (const path of project.facts.keys()) {
        const text = redirected(project, path, from, to);
        if (path === from) a.set(to, text);
        else if (text !== project.text(path)) a.set(path, text);
      }
      const shim = `export * from '${specifier(from, to)}';\n`;
      const b = new Map([[addedFile, useOf(target)]]);
      yield {
        a,
        b,
        twin: { a: new Map([...a, [from, shim]]), b },
        consumerFile: addedFile,
        symbol: from,
      };
    }
  },
};

/** The text of a module after `from` became `to`: its relative imports lead to the same modules as before. */
function redirected(project: Project, path: string, from: string, to: string): string {
  const text = project.text(path);
  const { module } = parseSync(path, text);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest)),
  ];
  const edits = new Map<number, { start: number; end: number; text: string }>();
  for (const request of requests) {
    if (!request?.value.startsWith('.')) continue;
    const target = project.resolved(path, request.value);
    if (target === null || (path !== from && target !== from)) continue;
    const now = specifier(path === from ? to : path, target === from ? to : target);
    edits.set(request.start, { start: request.start, end: request.end, text: `'${now}'` });
  }
  let result = text;
  for (const edit of [...edits.values()].toSorted((a, b) => b.start - a.start))
    result = insertAll(result.slice(0, edit.start) + result.slice(edit.end), [
      { offset: edit.start, text: edit.text },
    ]);
  return result;
}
