import type { Operator } from '../../operator.ts';
import { addedFile, feature, freeFunctions, plainParameters, replaced, withParameters } from '../edit.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const join = (parameters: string, result = 'left + right') =>
  `def joinery_join(${parameters}):\n    return ${result}\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'joinery_join',
    before: join('left, right'),
    after: join('left, right, mark', 'left + mark + right'),
    afterInTwin: join('left, right, mark=""', 'left + mark + right'),
    imports: 'joinery_join',
    uses: ['def added_feature(value):', '    return joinery_join("a", "b")'],
  },
];

/** A adds a required parameter; B adds a call in the old form. */
export const addRequiredParameter: Operator<PythonProject> = {
  name: 'py: add required parameter',
  rule: 'S04',
  oracle: 'python',
  *candidates(project, random) {
    for (const target of random.shuffled(freeFunctions(project))) {
      const parameters = plainParameters(target);
      if (!parameters) continue;
      const growing = (extra: string) =>
        replaced(project, target, (text) => withParameters(text, [...parameters, extra]) ?? text);
      const a = growing('joinery_added');
      if (a.get(target.path) === project.text(target.path)) continue;
      const b = feature(
        project,
        target,
        `return ${target.name}(${parameters.map(() => 'value').join(', ')})`,
      );
      yield {
        a,
        b,
        twin: { a: growing('joinery_added=None'), b },
        consumerFile: addedFile(project),
        symbol: target.name,
      };
    }
    // Few functions of a package are only there for other code.
    yield* planted(project, random, shapes);
  },
};
