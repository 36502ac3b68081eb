import type { DuplicateKey, Facts, SyntaxProblem } from '#code/facts/facts.ts';

/** Facts of a data file: it defines and uses nothing that linking knows, but a key may stand twice. */
export function dataFacts(duplicateKeys: readonly DuplicateKey[], syntaxError: SyntaxProblem | null): Facts {
  return {
    syntaxError,
    module: 'data',
    definitions: [],
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
