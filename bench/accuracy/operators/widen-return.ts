import { parseSync, Visitor } from 'oxc-parser';
import { callOf, insertAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, functionOf, importOf } from './added-use.ts';

/** A lets a function also return nothing and handles that at every call; B adds a call that reads from the result. */
export const widenReturn: Operator = {
  name: 'return may be undefined',
  rule: 'S07',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const targets = project.exported('function').filter(({ name }) => project.countOf(name) <= 30);
    for (const target of random.shuffled(targets)) {
      const { name, path } = target;
      const returned = functionOf(target)?.returnType?.typeAnnotation;
      if (!returned || /^TS(Void|Any|Unknown|Never|TypePredicate)/.test(returned.type)) continue;
      const isSimple = /^TS(TypeReference|ArrayType|\w+Keyword)$/.test(returned.type);
      const a = new Map<string, string>();
      for (const file of project.occurrences(name).keys()) {
        const places = callEnds(file, project.text(file), name).map((offset) => ({ offset, text: '!' }));
        if (file === path)
          places.push(
            { offset: returned.end, text: `${isSimple ? '' : ')'} | undefined` },
            ...(isSimple ? [] : [{ offset: returned.start, text: '(' }]),
          );
        if (places.length > 0) a.set(file, insertAll(project.text(file), places));
      }
      const reading = (how: string) =>
        new Map([
          [
            addedFile,
            `${importOf(target)}\nexport function addedFeature(value: any) {\n  return ${callOf(target)}${how}toString();\n}\n`,
          ],
        ]);
      yield { a, b: reading('.'), twin: { a, b: reading('?.') }, consumerFile: addedFile, symbol: name };
    }
  },
};

function callEnds(file: string, text: string, name: string): number[] {
  const ends: number[] = [];
  new Visitor({
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === name) ends.push(node.end);
    },
  }).visit(parseSync(file, text).program);
  return ends;
}
