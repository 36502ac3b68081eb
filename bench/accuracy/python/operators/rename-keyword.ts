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
    after: join('left, other', 'left + other'),
    afterInTwin: join('left, right, mark=""', 'left + mark + right'),
    imports: 'joinery_join',
    uses: ['def added_feature(value):', '    return joinery_join("a", right="b")'],
  },
];

/** A renames a parameter; B adds a call that passes it by its old name. */
export const renameKeyword: Operator<PythonProject> = {
  name: 'py: rename keyword',
  rule: 'S05',
  oracle: 'python',
  *candidates(project, random) {
    for (const target of random.shuffled(freeFunctions(project))) {
      const parameters = plainParameters(target);
      const renamed = parameters && random.shuffled(parameters)[0];
      if (!parameters || renamed === undefined || renamed === null) continue;
      const renaming = (to: string) =>
        replaced(project, target, (text) =>
          text.replace(new RegExp(`(?<![\\w.])${renamed}(?!\\w)`, 'g'), to),
        );
      const b = feature(
        project,
        target,
        `return ${target.name}(${parameters.map((name) => `${name}=value`).join(', ')})`,
      );
      const byPlace = feature(
        project,
        target,
        `return ${target.name}(${parameters.map(() => 'value').join(', ')})`,
      );
      const a = renaming(`joinery_${renamed}`);
      yield { a, b, twin: { a, b: byPlace }, consumerFile: addedFile(project), symbol: target.name };
    }
    // Few functions of a package are only there for other code.
    yield* planted(project, random, shapes);
  },
};
