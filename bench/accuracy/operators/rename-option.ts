import { freshName, renameWord } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import type { Project, TopLevel } from '../project.ts';
import { addedFile, importOf } from './added-use.ts';

/** A renames a key of an options object; B adds a call that passes the old key. */
export const renameOption: Operator = {
  name: 'rename option key',
  rule: 'S05',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const functions = project.exported('function');
    const options = functions.flatMap((target) => optionsOf(project, target));
    for (const { target, index, keys, key } of random.shuffled(options)) {
      if (project.countOf(key) > 60) continue;
      const given = [...new Set([...keys.filter(({ required }) => required).map(({ name }) => name), key])];
      const literal = `{ ${given.map((name) => `${name}: value`).join(', ')} }`;
      const parameters = target.definition.signature?.parameters ?? [];
      const count = Math.max(index + 1, parameters.filter(({ required }) => required).length);
      const args = Array.from({ length: count }, (_, at) => (at === index ? literal : 'value'));
      const call = `${importOf(target)}\nexport function addedFeature(value: any) {\n  return ${target.name}(${args.join(', ')});\n}\n`;
      const other = renameWord(project, key, freshName(key));
      const spare = new Map([
        [
          target.path,
          `${project.text(target.path)}\nexport type AddedOption = { ${freshName(key)}?: string };\n`,
        ],
      ]);
      const b = new Map([[addedFile, call]]);
      yield { a: other, b, twin: { a: spare, b }, consumerFile: addedFile, symbol: key };
    }
  },
};

interface Option {
  readonly target: TopLevel;
  readonly index: number;
  readonly keys: readonly { readonly name: string; readonly required: boolean }[];
  readonly key: string;
}

function optionsOf(project: Project, target: TopLevel): Option[] {
  return (target.definition.signature?.parameters ?? []).flatMap((parameter, index) => {
    const keys = parameter.shape?.keys ?? keysOf(project, parameter.typeName);
    return keys.map(({ name }) => ({ target, index, keys, key: name }));
  });
}

function keysOf(project: Project, type: string | null): Option['keys'] {
  // A class needs more than its fields to be written as a literal.
  const isPlain = project.exported('interface', 'type').some(({ name }) => name === type);
  if (type === null || !isPlain) return [];
  return [...project.facts.values()].flatMap(({ definitions }) =>
    definitions
      .filter(({ container, kind }) => container === type && kind === 'field')
      .map(({ name, optional }) => ({ name, required: !optional })),
  );
}
