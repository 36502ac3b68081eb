import { renameWord } from '../../edit.ts';
import type { Operator } from '../../operator.ts';
import { addedFile, feature } from '../edit.ts';
import type { PythonProject } from '../project.ts';

/** A renames a function or class and all its uses; B adds a use of the old name. */
export const renameSymbol: Operator<PythonProject> = {
  name: 'py: rename symbol',
  rule: 'S02',
  oracle: 'python',
  *candidates(project, random) {
    for (const target of random.shuffled(project.sites('function', 'class'))) {
      const { name, path } = target;
      if (project.countOf(name) > 30) continue;
      const fresh = `renamed_${name}`;
      const a = renameWord(project, name, fresh);
      const b = feature(project, target, `return ${name}`);
      yield {
        a,
        b,
        twin: { a: new Map([...a, [path, `${(a.get(path) ?? '').trimEnd()}\n\n\n${name} = ${fresh}\n`]]), b },
        consumerFile: addedFile(project),
        symbol: name,
      };
    }
  },
};
