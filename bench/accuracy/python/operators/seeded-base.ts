import type { Random } from '#bench/random.ts';
import { added, addedFile, appended, moduleOf } from '../edit.ts';
import type { PythonProject } from '../project.ts';

/** Code that a module of the project gets before the branches fork, and its text after A. */
export interface Shape {
  readonly symbol: string;
  readonly before: string;
  readonly after: string;
  readonly afterInTwin: string;
  /** What B adds after its import from the module. */
  readonly imports: string;
  readonly uses: readonly string[];
}

/** A construct that the project lacks, appended to randomly drawn modules. */
export function* planted(project: PythonProject, random: Random, shapes: readonly Shape[]) {
  for (const [path] of random.shuffled(
    [...project.facts].filter(([, { definitions }]) => definitions.length > 2),
  ))
    for (const shape of random.shuffled(shapes).slice(0, 2)) {
      const withCode = (code: string) => appended(project, path, code);
      const b = added(project, [`from ${moduleOf(path)} import ${shape.imports}`, '', '', ...shape.uses]);
      yield {
        base: withCode(shape.before),
        a: withCode(shape.after),
        b,
        twin: { a: withCode(shape.afterInTwin), b },
        consumerFile: addedFile(project),
        symbol: shape.symbol,
      };
    }
}
