import { noTokens } from '#code/lex/text-shape.ts';
import type { Definition, Facts } from './facts.ts';

/** Facts of an empty file; extractors add theirs. */
export const noFacts: Facts = {
  syntaxError: null,
  module: 'script',
  definitions: [],
  imports: [],
  exports: [],
  publicNames: null,
  uses: [],
  switches: [],
  comparisons: [],
  opaque: [],
  duplicateKeys: [],
};

/** Defaults of a definition; add name, kind and location. */
export const plainDefinition = {
  container: null,
  bodyHash: noTokens,
  signatureHash: noTokens,
  sketch: [],
  signature: null,
  type: null,
  bases: [],
  implements: [],
  typeParameters: null,
  literals: null,
  members: null,
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
} satisfies Partial<Definition>;
