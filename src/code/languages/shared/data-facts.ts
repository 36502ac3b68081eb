import type { Definition, DuplicateKey, Facts, SyntaxProblem } from '#code/facts/facts.ts';
import { noFacts, plainDefinition } from '#code/facts/no-facts.ts';

/** Facts of a data file: keys may occur twice, and code may import them. */
export function dataFacts(
  duplicateKeys: readonly DuplicateKey[],
  syntaxError: SyntaxProblem | null,
  definitions: readonly Definition[] = [],
): Facts {
  return { ...noFacts, syntaxError, module: 'data', definitions, duplicateKeys };
}

/** The name of the whole file when code imports it. */
export const wholeFile = 'default';

/** A key of a data file, or the whole file. A key that contains keys lists all of them. */
export function keyDefinition(
  name: string,
  container: string | null,
  line: number,
  holdsKeys: boolean,
): Definition {
  return {
    ...plainDefinition,
    name,
    container,
    kind: container === null ? 'variable' : holdsKeys ? 'namespace' : 'field',
    line,
    column: 1,
    endLine: line,
    members: holdsKeys ? { open: false } : null,
  };
}
