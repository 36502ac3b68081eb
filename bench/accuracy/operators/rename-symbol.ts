import { freshName, renameWord } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, useOf } from './added-use.ts';

/** A renames a function, class or type and all its uses; B adds a use of the old name. */
export const renameSymbol: Operator = {
  name: 'rename symbol',
  rule: 'S02',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const targets = project.exported('function', 'class', 'interface', 'type');
    for (const target of random.shuffled(targets.filter(({ name }) => project.countOf(name) <= 60))) {
      const { name, path } = target;
      const fresh = freshName(name);
      const a = renameWord(project, name, fresh);
      const isType = target.definition.kind === 'interface' || target.definition.kind === 'type';
      const alias = `\nexport ${isType ? 'type ' : ''}{ ${fresh} as ${name} };\n`;
      const b = new Map([[addedFile, useOf(target)]]);
      yield {
        a,
        b,
        twin: { a: new Map([...a, [path, `${a.get(path) ?? ''}${alias}`]]), b },
        consumerFile: addedFile,
        symbol: name,
      };
    }
  },
};
