import type { Operator } from '../../operator.ts';
import { addedFile, feature, freeFunctions, plainParameters, replaced } from '../edit.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const join = (parameters: string, result = 'left + right') =>
  `def joinery_join(${parameters}):\n    return ${result}\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'joinery_join',
    before: join('left, right'),
    after: `async ${join('left, right')}`,
    afterInTwin: join('left, right, mark=""', 'left + mark + right'),
    imports: 'joinery_join',
    uses: ['def added_feature(value):', '    return str(joinery_join("a", "b"))'],
  },
];

/** A makes a function asynchronous; B adds a call that does not wait. In the twin A adds another function instead. */
export const makeAsync: Operator<PythonProject> = {
  name: 'py: make asynchronous',
  rule: 'S08',
  oracle: 'python',
  *candidates(project, random) {
    for (const target of random.shuffled(freeFunctions(project))) {
      const parameters = plainParameters(target);
      if (!parameters || target.definition.signature?.generator) continue;
      const b = feature(
        project,
        target,
        `result = ${target.name}(${parameters.map(() => 'value').join(', ')})`,
        'return str(result)',
      );
      yield {
        a: replaced(project, target, (text) => `async ${text}`),
        b,
        twin: {
          a: replaced(
            project,
            target,
            (text) => `async def joinery_${target.name}():\n    return None\n\n\n${text}`,
          ),
          b,
        },
        consumerFile: addedFile(project),
        symbol: target.name,
      };
    }
    // Few functions of a package are only there for other code.
    yield* planted(project, random, shapes);
  },
};
