import { reachable } from '#lib/graph.ts';
import type { Candidate, Operator } from '../operator.ts';
import { type Project, specifier, type TopLevel } from '../project.ts';

/** Two independent modules: A makes the first use the second while it loads, B the other way round. */
export const closeCycle: Operator = {
  name: 'close import circle',
  rule: 'S19',
  oracle: 'run',
  *candidates(project, random): Iterable<Candidate> {
    const targets = random.shuffled(project.exported('class', 'variable'));
    const reach = new Map(targets.map(({ path }) => [path, reachOf(project, path)]));
    const isApart = (from: TopLevel, to: TopLevel) =>
      from.path !== to.path && !reach.get(from.path)?.has(to.path) && !reach.get(to.path)?.has(from.path);
    for (const one of targets)
      for (const two of targets) {
        const third = targets.find(
          (entry) => isApart(entry, two) && isApart(entry, one) && !reach.get(entry.path)?.has(one.path),
        );
        if (one.name >= two.name || !third || !isApart(one, two)) continue;
        const a = usingAtLoad(project, one.path, two);
        yield {
          a,
          b: usingAtLoad(project, two.path, one),
          twin: { a, b: usingAtLoad(project, two.path, third) },
          consumerFile: two.path,
          runs: [one.path, two.path],
          symbol: two.path,
        };
      }
  },
};

function usingAtLoad(project: Project, path: string, { name, path: from }: TopLevel): Map<string, string> {
  const text = project.text(path).trimEnd();
  const line = `import { ${name} as JoineryAdded } from '${specifier(path, from)}';\n`;
  return new Map([[path, `${line}${text}\n\nexport const joineryAdded = [JoineryAdded.name];\n`]]);
}

/** Every module that is loaded by importing this one. */
function reachOf(project: Project, start: string): Set<string> {
  return reachable([start], (path) => {
    const facts = project.facts.get(path);
    const requests = [
      ...(facts?.imports.map(({ from }) => from) ?? []),
      ...(facts?.exports.flatMap(({ from }) => from ?? []) ?? []),
    ];
    return requests.flatMap((request) => project.resolved(path, request) ?? []);
  });
}
