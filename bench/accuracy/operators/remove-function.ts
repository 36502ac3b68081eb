import { removeDefinition } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, useOf } from './added-use.ts';

/** A removes a function that nothing uses any more; B adds a use. */
export const removeFunction: Operator = {
  name: 'remove function',
  rule: 'S01',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const functions = project.exported('function', 'variable', 'class');
    for (const target of random.shuffled(functions)) {
      if (project.isImported(target.name) || project.isUsedAtHome(target)) continue;
      const other = random
        .shuffled(functions)
        .find(({ name, path }) => name !== target.name && path === target.path);
      const spare = other ?? random.shuffled(functions).find(({ path }) => path !== target.path);
      if (!spare) continue;
      const a = removeDefinition(project, target);
      yield {
        a,
        b: new Map([[addedFile, useOf(target)]]),
        twin: { a, b: new Map([[addedFile, useOf(spare)]]) },
        consumerFile: addedFile,
        symbol: target.name,
      };
    }
  },
};
