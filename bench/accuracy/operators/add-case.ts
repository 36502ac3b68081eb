import { insertAll } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import type { TopLevel } from '../project.ts';
import { addedFile, importOf } from './added-use.ts';
import { planted, type Shape } from './seeded-base.ts';

const levels = (...names: string[]) =>
  `export type JoineryLevel = ${names.map((name) => `'${name}'`).join(' | ')};\n`;
const modes = (...names: string[]) =>
  `export enum JoineryMode {\n${names.map((name) => `  ${name},\n`).join('')}}\n`;
const rest = "    default:\n      return 'other';\n";
const switching = (type: string, cases: readonly string[], tail: string) =>
  `export function addedFeature(value: ${type}): string {\n  switch (value) {\n${cases.map((each) => `    case ${each}:\n      return 'known';\n`).join('')}${tail}  }\n}\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'JoineryLevel',
    before: levels('low', 'high'),
    after: levels('low', 'middle', 'high'),
    afterInTwin: levels('low', 'middle', 'high'),
    uses: (from) =>
      `import type { JoineryLevel } from '${from}';\n\n${switching('JoineryLevel', ["'low'", "'high'"], '')}`,
    usesInTwin: (from) =>
      `import type { JoineryLevel } from '${from}';\n\n${switching('JoineryLevel', ["'low'", "'high'"], rest)}`,
  },
  {
    symbol: 'JoineryMode',
    before: modes('Read', 'Write'),
    after: modes('Read', 'Write', 'Append'),
    afterInTwin: modes('Read', 'Write', 'Append'),
    uses: (from) =>
      `import { JoineryMode } from '${from}';\n\n${switching('JoineryMode', ['JoineryMode.Read', 'JoineryMode.Write'], '')}`,
    usesInTwin: (from) =>
      `import { JoineryMode } from '${from}';\n\n${switching('JoineryMode', ['JoineryMode.Read', 'JoineryMode.Write'], rest)}`,
  },
];

/** A adds a member to a union of literals or to an enum; B adds a switch over all members it knows. */
export const addCase: Operator = {
  name: 'add member',
  rule: 'S14',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    for (const target of random.shuffled(project.exported('type'))) {
      const union = unionOf(target);
      const cases = target.definition.literals ?? [];
      if (!union || cases.length === 0) continue;
      const grown = insertAll(project.text(target.path), [{ offset: union.end, text: " | 'joinery-added'" }]);
      const a = new Map([[target.path, grown]]);
      const b = (tail: string) =>
        new Map([[addedFile, `${importOf(target)}\n${switching(target.name, cases, tail)}`]]);
      yield { a, b: b(''), twin: { a, b: b(rest) }, consumerFile: addedFile, symbol: target.name };
    }
    // The projects have few of them.
    yield* planted(project, random, shapes);
  },
};

function unionOf({ node }: TopLevel) {
  const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  const type = inner?.type === 'TSTypeAliasDeclaration' ? inner.typeAnnotation : null;
  return type?.type === 'TSUnionType' ? type : null;
}
