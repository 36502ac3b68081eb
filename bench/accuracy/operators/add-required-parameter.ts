import { insertAll, insertArgument } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import type { TopLevel } from '../project.ts';
import { addedFile, useOf } from './added-use.ts';

/** A adds a required parameter and passes it at every call; B adds a call in the old form. */
export const addRequiredParameter: Operator = {
  name: 'add required parameter',
  rule: 'S04',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const targets = project.exported('function').filter(({ name }) => project.countOf(name) <= 30);
    for (const target of random.shuffled(targets)) {
      const place = parameterPlace(target);
      if (!place) continue;
      const { name, path } = target;
      const edit = (declared: string) => (file: string) => {
        const text = project.text(file);
        const grown = file === path ? insertAll(text, [{ offset: place.offset, text: declared }]) : text;
        return [file, insertArgument(file, grown, name, "'added' as any", place.at)] as const;
      };
      const files = [...project.occurrences(name).keys()];
      const required = place.at === 'first' ? `added: string${place.comma}` : `${place.comma}added: string`;
      const b = new Map([[addedFile, useOf(target)]]);
      yield {
        a: new Map(files.map(edit(required))),
        b,
        twin: { a: new Map([edit(required.replace('added:', 'added?:'))(path)]), b },
        consumerFile: addedFile,
        symbol: name,
      };
    }
  },
};

interface Place {
  readonly offset: number;
  readonly at: 'first' | 'last';
  readonly comma: string;
}

/** After the last parameter if a required one is allowed there; functions with optional ones are left out. */
function parameterPlace({ node, definition }: TopLevel): Place | null {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (inner?.type !== 'FunctionDeclaration' || !inner.body) return null;
  if (definition.signature?.parameters.some((parameter) => !parameter.required)) return null;
  const last = inner.params.at(-1);
  if (!last) return null;
  return { offset: last.end, at: 'last', comma: ', ' };
}
