import type { Operator } from '../../operator.ts';
import { appended, moduleOf } from '../edit.ts';
import type { PythonProject } from '../project.ts';

/** Both sides add a function with the same name to one module, B before its first definition, A at its end: B's is lost. */
export const duplicateDefinition: Operator<PythonProject> = {
  name: 'py: duplicate definition',
  rule: 'S17',
  oracle: 'python',
  *candidates(project, random) {
    const name = 'added_feature';
    for (const [path, { definitions }] of random.shuffled([...project.facts])) {
      const first = definitions.find(
        ({ container, kind, decorators, conditional }) =>
          container === null && kind === 'function' && decorators.length === 0 && !conditional,
      );
      if (!first || project.text(path).split('\n').length < 40) continue;
      const lines = project.text(path).split('\n');
      const own = (fresh: string, sign: string) => `def ${fresh}(text):\n    return str(text) + '${sign}'\n`;
      const b = new Map([
        [
          path,
          [...lines.slice(0, first.line - 1), own(name, 'b'), '', ...lines.slice(first.line - 1)].join('\n'),
        ],
      ]);
      yield {
        a: appended(project, path, own(name, 'a')),
        b,
        twin: { a: appended(project, path, own(`${name}_again`, 'a')), b },
        runs: [moduleOf(path)],
        consumerFile: path,
        symbol: name,
      };
    }
  },
};
