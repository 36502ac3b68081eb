import type { Operator } from '../../operator.ts';
import { addedFile, feature, replaced } from '../edit.ts';
import type { PythonProject } from '../project.ts';

/** A removes a function that nothing uses any more; B adds a use. */
export const removeFunction: Operator<PythonProject> = {
  name: 'py: remove function',
  rule: 'S01',
  oracle: 'python',
  *candidates(project, random) {
    const functions = project.sites('function', 'class');
    for (const target of random.shuffled(functions)) {
      const spare = random.shuffled(functions).find(({ name }) => name !== target.name);
      if (project.isUsed(target.name) || !spare) continue;
      const listed = new RegExp(`^\\s*["']${target.name}["'],\\n`, 'gm');
      const a = new Map(
        [...replaced(project, target, () => '')].map(
          ([path, text]) => [path, text.replace(listed, '')] as const,
        ),
      );
      yield {
        a,
        b: feature(project, target, `return ${target.name}`),
        twin: { a, b: feature(project, spare, `return ${spare.name}`) },
        consumerFile: addedFile(project),
        symbol: target.name,
      };
    }
  },
};
