import type { Definition, DuplicateKey, Facts, SyntaxProblem } from '#code/facts/facts.ts';
import { NO_TOKENS } from '#code/lex/text-shape.ts';

/** Facts of a data file: a key may stand twice, and code may import the keys. */
export function dataFacts(
  duplicateKeys: readonly DuplicateKey[],
  syntaxError: SyntaxProblem | null,
  definitions: readonly Definition[] = [],
): Facts {
  return {
    syntaxError,
    module: 'data',
    definitions,
    imports: [],
    exports: [],
    publicNames: null,
    uses: [],
    switches: [],
    comparisons: [],
    opaque: [],
    duplicateKeys,
  };
}

/** What code gets that imports a data file as a whole. */
export const wholeFile = 'default';

/** A key of a data file, or the whole of it. One that holds keys itself lists all of them. */
export function keyDefinition(
  name: string,
  container: string | null,
  line: number,
  holdsKeys: boolean,
): Definition {
  return {
    name,
    container,
    kind: container === null ? 'variable' : holdsKeys ? 'namespace' : 'field',
    line,
    column: 1,
    endLine: line,
    bodyHash: NO_TOKENS,
    signatureHash: NO_TOKENS,
    sketch: [],
    signature: null,
    type: null,
    bases: [],
    implements: [],
    typeParameters: null,
    literals: null,
    members: holdsKeys ? { open: false } : null,
    async: false,
    static: false,
    abstract: false,
    overrides: false,
    optional: false,
    decorators: [],
    failure: null,
    overload: false,
    conditional: false,
    ambient: false,
  };
}
