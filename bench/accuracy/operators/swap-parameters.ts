import { parseSync, Visitor } from 'oxc-parser';
import { insertAll, replaceAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import type { Project, TopLevel } from '../project.ts';
import { addedFile, functionOf, importOf } from './added-use.ts';

/** A swaps the first two parameters of a function and the arguments of every call; B adds a call in the old order. */
export const swapParameters: Operator = {
  name: 'swap parameters',
  rule: 'S06',
  oracle: 'run',
  *candidates(project, random): Iterable<Candidate> {
    const targets = project.exported('function').filter(({ name }) => project.countOf(name) <= 30);
    for (const target of random.shuffled(targets)) {
      const { name, path } = target;
      const parameters = functionOf(target)?.params ?? [];
      const isPlain = parameters.every((node) => node.type === 'Identifier' && !node.optional);
      const last = parameters.at(-1);
      if (parameters.length < 2 || !isPlain || !last) continue;
      const files = [...project.occurrences(name).keys()];
      const a = new Map(files.map((file) => [file, swapped(project, file, target)] as const));
      if ([...a.values()].includes(null)) continue;
      const grown = insertAll(project.text(path), [{ offset: last.end, text: ', joineryAdded?: unknown' }]);
      const args = parameters.map((_, at) => ['value.first', 'value.second'][at] ?? 'value').join(', ');
      const call = `${importOf(target)}\nexport function addedFeature(value: any) {\n  return ${name}(${args});\n}\n`;
      const b = new Map([[addedFile, call]]);
      yield { a, b, twin: { a: new Map([[path, grown]]), b }, consumerFile: addedFile, symbol: name };
    }
  },
};

/** Null if calls are nested: their arguments cannot be swapped one by one. */
function swapped(project: Project, file: string, target: TopLevel): string | null {
  const text = project.text(file);
  const lists: (readonly Span[])[] = file === target.path ? [functionOf(target)?.params ?? []] : [];
  new Visitor({
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === target.name) lists.push(node.arguments);
    },
  }).visit(parseSync(file, text).program);
  const spans = lists.flatMap(([first, second]) =>
    first && second
      ? [
          { start: first.start, end: first.end, text: text.slice(second.start, second.end) },
          { start: second.start, end: second.end, text: text.slice(first.start, first.end) },
        ]
      : [],
  );
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  return sorted.some(({ start }, at) => start < (sorted[at - 1]?.end ?? 0)) ? null : replaceAll(text, sorted);
}

interface Span {
  readonly start: number;
  readonly end: number;
}
