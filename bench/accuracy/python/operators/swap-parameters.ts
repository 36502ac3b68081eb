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
    after: join('right, left'),
    afterInTwin: join('left, right, mark=""', 'left + mark + right'),
    imports: 'joinery_join',
    uses: ['def added_feature(value):', '    return joinery_join("a", "b")'],
  },
];

/** A swaps the first two parameters; B adds a call in the old order. */
export const swapParameters: Operator<PythonProject> = {
  name: 'py: swap parameters',
  rule: 'S06',
  oracle: 'python',
  *candidates(project, random) {
    for (const target of random.shuffled(freeFunctions(project))) {
      const parameters = plainParameters(target);
      const [first, second, ...rest] = parameters ?? [];
      if (!parameters || first === undefined || second === undefined) continue;
      const having = (list: readonly string[]) =>
        replaced(project, target, (text) => withParameters(text, list) ?? text);
      const a = having([second, first, ...rest]);
      if (a.get(target.path) === project.text(target.path)) continue;
      const given = ['value.first', 'value.second', ...rest.map(() => 'value')];
      const b = feature(project, target, `return ${target.name}(${given.join(', ')})`);
      yield {
        a,
        b,
        twin: { a: having([...parameters, 'joinery_added=None']), b },
        consumerFile: addedFile(project),
        symbol: target.name,
      };
    }
    // Few functions of a package are only there for other code.
    yield* planted(project, random, shapes);
  },
};
