import type { Random } from '../../random.ts';
import { type Project, specifier } from '../project.ts';
import { addedFile } from './added-use.ts';

/** Code that a module of the project gets before the branches fork, and its text after A. */
export interface Shape {
  readonly symbol: string;
  readonly before: string;
  readonly after: string;
  /** What A does in the twin. */
  readonly afterInTwin: string;
  /** What B adds, and what it adds in the twin if that differs; `from` is the module to import from. */
  readonly uses: (from: string) => string;
  readonly usesInTwin?: (from: string) => string;
}

/** A construct that no module of the project has, appended to randomly drawn modules. */
export function* planted(project: Project, random: Random, shapes: readonly Shape[]) {
  const paths = [...project.facts.keys()].filter((path) => project.facts.get(path)?.definitions.length);
  for (const path of random.shuffled(paths))
    for (const shape of random.shuffled(shapes).slice(0, 2)) {
      const withCode = (code: string) => new Map([[path, `${project.text(path).trimEnd()}\n\n${code}`]]);
      const using = (uses: Shape['uses']) => new Map([[addedFile, uses(specifier(addedFile, path))]]);
      yield {
        base: withCode(shape.before),
        a: withCode(shape.after),
        b: using(shape.uses),
        twin: { a: withCode(shape.afterInTwin), b: using(shape.usesInTwin ?? shape.uses) },
        consumerFile: addedFile,
        symbol: shape.symbol,
      };
    }
}
