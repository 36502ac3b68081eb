import { freshName, renameWord } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, importOf, typeOf } from './added-use.ts';

/** A renames a field of a type and all its uses; B adds code that reads the old field. */
export const renameField: Operator = {
  name: 'rename field',
  rule: 'S10',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const fields = project
      .exported('interface', 'class', 'type')
      .flatMap((target) =>
        (project.facts.get(target.path)?.definitions ?? [])
          .filter(
            ({ container, kind, static: isStatic }) =>
              container === target.name && kind === 'field' && !isStatic,
          )
          .map(({ name }) => ({ target, field: name })),
      );
    for (const { target, field } of random.shuffled(fields)) {
      if (!/^[A-Za-z]\w{3,}$/.test(field) || project.countOf(field) > 60) continue;
      const other = random
        .shuffled(fields)
        .find((entry) => entry.target.name === target.name && entry.field !== field);
      if (!other) continue;
      const a = renameWord(project, field, freshName(field));
      const reading = (name: string) =>
        `${importOf(target)}\nexport function addedFeature(value: ${typeOf(target)}) {\n  return value.${name};\n}\n`;
      yield {
        a,
        b: new Map([[addedFile, reading(field)]]),
        twin: { a, b: new Map([[addedFile, reading(other.field)]]) },
        consumerFile: addedFile,
        symbol: field,
      };
    }
  },
};
