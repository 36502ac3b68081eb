import { freshName, renameWord } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, importOf, typeOf } from './added-use.ts';

/** A renames a method of a class and all its uses; B adds a class that overrides the old one. */
export const renameMethod: Operator = {
  name: 'rename base method',
  rule: 'S12',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const methods = project
      .exported('class')
      .flatMap((target) =>
        (project.facts.get(target.path)?.definitions ?? [])
          .filter(
            ({ container, kind, static: isStatic, name }) =>
              container === target.name && kind === 'method' && !isStatic && /^[A-Za-z]\w{3,}$/.test(name),
          )
          .map(({ name }) => ({ target, method: name })),
      );
    for (const { target, method } of random.shuffled(methods)) {
      if (project.countOf(method) > 60) continue;
      const other = random
        .shuffled(methods)
        .find((entry) => entry.target.name === target.name && entry.method !== method);
      if (!other) continue;
      const a = renameWord(project, method, freshName(method));
      const overriding = (name: string) =>
        new Map([
          [
            addedFile,
            `${importOf(target)}\nexport abstract class AddedFeature extends ${typeOf(target)} {\n  override ${name}(..._given: any[]): any {}\n}\n`,
          ],
        ]);
      yield {
        a,
        b: overriding(method),
        twin: { a, b: overriding(other.method) },
        consumerFile: addedFile,
        symbol: method,
      };
    }
  },
};
