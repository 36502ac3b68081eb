import { renameWord } from '../../edit.ts';
import type { Operator } from '../../operator.ts';
import { addedFile, feature } from '../edit.ts';
import type { PythonProject } from '../project.ts';

/** A renames a method and all its uses; B adds code that calls the old one. */
export const renameMethod: Operator<PythonProject> = {
  name: 'py: rename method',
  rule: 'S02',
  oracle: 'python',
  *candidates(project, random) {
    const methods = project
      .sites('class')
      .flatMap((target) =>
        (project.facts.get(target.path)?.definitions ?? [])
          .filter(
            ({ container, kind, name, decorators }) =>
              container === target.name &&
              kind === 'method' &&
              decorators.length === 0 &&
              /^[a-z]\w{3,}$/.test(name),
          )
          .map(({ name }) => ({ target, method: name })),
      );
    for (const { target, method } of random.shuffled(methods)) {
      const other = methods.find((entry) => entry.target.name === target.name && entry.method !== method);
      if (project.countOf(method) > 30 || !other) continue;
      const a = renameWord(project, method, `renamed_${method}`);
      const reaching = (name: string) => feature(project, target, `return ${target.name}.${name}.__name__`);
      yield {
        a,
        b: reaching(method),
        twin: { a, b: reaching(other.method) },
        consumerFile: addedFile(project),
        symbol: method,
      };
    }
  },
};
