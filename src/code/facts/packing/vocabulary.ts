import type {
  CallResult,
  Definition,
  DefinitionKind,
  Facts,
  Import,
  Parameter,
  Use,
} from '#code/facts/facts.ts';

/** Words that packed facts store as small numbers. Raise the layout of the store when anything here changes. */

/** The parts of the bytes; a header of 32-bit numbers says where each ends. */
export const parts = ['rare', 'details', 'definitions', 'imports', 'exports', 'uses', 'strings'] as const;
export const headerBytes = parts.length * 4;

export const modules = [
  'esm',
  'commonjs',
  'script',
  'namespace',
  'data',
] as const satisfies readonly Facts['module'][];

export const definitionKinds = [
  'function',
  'class',
  'interface',
  'type',
  'enum',
  'namespace',
  'variable',
  'method',
  'constructor',
  'field',
  'accessor',
  'enum-member',
] as const satisfies readonly DefinitionKind[];

/** Bits of a definition: its flags, then which of its parts exist. */
export const Mark = {
  async: 1 << 0,
  static: 1 << 1,
  abstract: 1 << 2,
  overrides: 1 << 3,
  optional: 1 << 4,
  overload: 1 << 5,
  conditional: 1 << 6,
  ambient: 1 << 7,
  signature: 1 << 8,
  type: 1 << 9,
  supertypes: 1 << 10,
  typeParameters: 1 << 11,
  literals: 1 << 12,
  decorators: 1 << 13,
  members: 1 << 14,
  open: 1 << 15,
  failure: 1 << 16,
  raises: 1 << 17,
  returnsNothing: 1 << 18,
  signed: 1 << 19,
  keyed: 1 << 20,
  lent: 1 << 21,
  hidden: 1 << 22,
} as const satisfies Partial<Record<keyof Definition, number>> & Record<string, number>;

export const parameterKinds = [
  'positional-only',
  'positional',
  'keyword-only',
  'rest',
  'keyword-rest',
] as const satisfies readonly Parameter['kind'][];

export const importForms = [
  'static',
  'dynamic',
  'require',
  'executed',
] as const satisfies readonly Import['form'][];

export const useKinds = [
  'call',
  'new',
  'read',
  'type',
  'jsx',
  'decorator',
  'extends',
  'implements',
] as const satisfies readonly Use['kind'][];

export const callResults = [
  'member',
  'tested',
  'chained',
  'dropped',
  'other',
  'expected',
  'item',
  'entered',
  'sized',
  'iterated',
] as const satisfies readonly CallResult[];
