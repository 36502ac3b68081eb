import { parseSync, Visitor } from 'oxc-parser';
import { insertAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import type { TopLevel } from '../project.ts';
import { addedFile, useOf } from './added-use.ts';

interface Place {
  readonly offset: number;
  readonly text: string;
}

/** A adds a type parameter to a type and an argument to every use of it; B adds a use without. */
export const addTypeParameter: Operator = {
  name: 'add type parameter',
  rule: 'S16',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    for (const target of random.shuffled(project.exported('interface', 'type'))) {
      const { name, path } = target;
      const place = parameterPlace(target);
      if (!place || project.countOf(name) > 40) continue;
      const declaring = (text: string): Place => ({ offset: place.offset, text: place.around(text) });
      const a = new Map<string, string>();
      for (const file of project.occurrences(name).keys()) {
        const places = usePlaces(file, project.text(file), name);
        if (file === path) places.push(declaring('JoineryAdded'));
        if (places.length > 0) a.set(file, insertAll(project.text(file), places));
      }
      const optional = insertAll(project.text(path), [declaring('JoineryAdded = unknown')]);
      const b = new Map([[addedFile, useOf(target)]]);
      yield { a, b, twin: { a: new Map([[path, optional]]), b }, consumerFile: addedFile, symbol: name };
    }
  },
};

/** After the last type parameter; a required one may not follow one with a default. */
function parameterPlace({ node }: TopLevel) {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (inner?.type !== 'TSInterfaceDeclaration' && inner?.type !== 'TSTypeAliasDeclaration') return null;
  const parameters = inner.typeParameters?.params ?? [];
  if (parameters.some((parameter) => parameter.default)) return null;
  const last = parameters.at(-1);
  return last
    ? { offset: last.end, around: (text: string) => `, ${text}` }
    : { offset: inner.id.end, around: (text: string) => `<${text}>` };
}

function usePlaces(file: string, text: string, name: string): Place[] {
  const places: Place[] = [];
  const use = (at: number, given: { readonly end: number } | null | undefined) =>
    places.push(given ? { offset: given.end - 1, text: ', any' } : { offset: at, text: '<any>' });
  new Visitor({
    TSTypeReference: ({ typeName, typeArguments }) => {
      if (typeName.type === 'Identifier' && typeName.name === name) use(typeName.end, typeArguments);
    },
    TSInterfaceHeritage: ({ expression, typeArguments }) => {
      if (expression.type === 'Identifier' && expression.name === name) use(expression.end, typeArguments);
    },
    TSClassImplements: ({ expression, typeArguments }) => {
      if (expression.type === 'Identifier' && expression.name === name) use(expression.end, typeArguments);
    },
  }).visit(parseSync(file, text).program);
  return places;
}
