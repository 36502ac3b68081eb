import { callOf, insertAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, functionOf, importOf } from './added-use.ts';

/** A makes a function asynchronous; B adds a call that does not wait. */
export const makeAsync: Operator = {
  name: 'make asynchronous',
  rule: 'S08',
  oracle: 'run',
  *candidates(project, random): Iterable<Candidate> {
    for (const target of random.shuffled(project.exported('function'))) {
      const node = functionOf(target);
      if (!node || node.async || node.generator) continue;
      if (project.isImported(target.name) || project.isUsedAtHome(target)) continue;
      const returned = node.returnType?.typeAnnotation;
      if (returned?.type === 'TSTypePredicate') continue;
      const places = [
        { offset: node.start, text: 'async ' },
        ...(returned
          ? [
              { offset: returned.start, text: 'Promise<' },
              { offset: returned.end, text: '>' },
            ]
          : []),
      ];
      const a = new Map([[target.path, insertAll(project.text(target.path), places)]]);
      const calling = (async: string, wait: string) =>
        new Map([
          [
            addedFile,
            `${importOf(target)}\nexport ${async}function addedFeature(value: any) {\n  const result = ${wait}${callOf(target)};\n  return String(result);\n}\n`,
          ],
        ]);
      yield {
        a,
        b: calling('', ''),
        twin: { a, b: calling('async ', 'await ') },
        consumerFile: addedFile,
        symbol: target.name,
      };
    }
  },
};
