import type { Candidate, Operator } from '../operator.ts';

/** Both sides add a file; the paths differ only in letter case. */
export const pathCollision: Operator = {
  name: 'path collision',
  rule: 'T07',
  oracle: 'paths',
  *candidates(project, random): Iterable<Candidate> {
    const folders = [
      ...new Set([...project.facts.keys()].map((path) => path.slice(0, path.lastIndexOf('/')))),
    ];
    const names = ['joinery-panel', 'joinery-notes', 'joinery-clock', 'joinery-label', 'joinery-token'];
    for (const folder of random.shuffled(folders)) {
      for (const name of random.shuffled(names).slice(0, 3)) {
        const capital = name.charAt(0).toUpperCase() + name.slice(1);
        const file = (path: string, value: number) =>
          new Map([[`${folder}/${path}.ts`, `export const own = ${value};\n`]]);
        const a = file(capital, 1);
        yield {
          a,
          b: file(name, 2),
          twin: { a, b: file(`${name}-b`, 2) },
          consumerFile: `${folder}/${name}.ts`,
          symbol: name,
        };
      }
    }
  },
};
