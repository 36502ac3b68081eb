import { posix } from 'node:path';
import type { Candidate, Operator } from '../operator.ts';

/** Both sides add a module with the same name to a barrel that re-exports everything, A at its top, B at its end. */
export const twoStars: Operator = {
  name: 'two stars in a barrel',
  rule: 'S18',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const barrels = [...project.facts].filter(
      ([path, { exports }]) =>
        exports.filter(({ from }) => from !== null).length >= 3 && project.text(path).split('\n').length > 8,
    );
    const names = [
      'formatLabel',
      'isPresent',
      'toKey',
      'describeState',
      'clampIndex',
      'joinParts',
      'padText',
    ];
    for (const name of random.shuffled(names))
      for (const [path] of random.shuffled(barrels)) {
        if (project.countOf(name) > 0) continue;
        const folder = posix.dirname(path);
        const text = project.text(path).trimEnd();
        const offered = (fresh: string, letter: string) =>
          [
            `${folder}/joinery-${letter}.ts`,
            `export function ${fresh}(input: string): string {\n  return input + '${letter}';\n}\n`,
          ] as const;
        const a = new Map([offered(name, 'a'), [path, `export * from './joinery-a';\n${text}\n`] as const]);
        const bWith = (fresh: string) =>
          new Map([offered(fresh, 'b'), [path, `${text}\nexport * from './joinery-b';\n`] as const]);
        yield { a, b: bWith(name), twin: { a, b: bWith(`${name}Again`) }, consumerFile: path, symbol: name };
      }
  },
};
