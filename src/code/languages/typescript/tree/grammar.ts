/**
 * The vocabulary of the flat tree: what a node is (`Kind`), which part of its parent it is (`Role`) and what is
 * marked on it (`Flag`). Both readers produce exactly this, so nothing beyond them knows the parser's own shapes.
 */

const KIND_NAMES = [
  'Other',
  'Program',
  // Names. A reference is resolved through scopes, a binding declares, a name is a property or label of something.
  'Reference',
  'Binding',
  'Name',
  'PrivateName',
  // Expressions.
  'This',
  'Super',
  'String',
  'Number',
  'RegExp',
  'Template',
  'Object',
  'Property',
  'Spread',
  'Member',
  'ComputedMember',
  'Call',
  'New',
  'Update',
  'Unary',
  'Binary',
  'Logical',
  'Conditional',
  'Assignment',
  'ArrayTarget',
  'ObjectTarget',
  'TargetDefault',
  'TargetShorthand',
  'TargetProperty',
  'TargetRest',
  'Await',
  'Arrow',
  'Function',
  'Class',
  'ImportCall',
  'As',
  'Satisfies',
  // Statements.
  'Block',
  'Variables',
  'Variable',
  'If',
  'For',
  'While',
  'Switch',
  'Try',
  'Catch',
  // Patterns and parameters.
  'ObjectPattern',
  'PatternProperty',
  'ArrayPattern',
  'PatternRest',
  'PatternDefault',
  'Parameter',
  'RestParameter',
  'ThisParameter',
  'FunctionBody',
  // Classes.
  'ClassBody',
  'Method',
  'Field',
  'StaticBlock',
  'Decorator',
  // Modules.
  'Import',
  'ImportName',
  'ImportDefault',
  'ImportNamespace',
  'ExportDeclaration',
  'ExportNames',
  'ExportFrom',
  'ExportDefault',
  'ExportAll',
  'ExportName',
  'ImportEquals',
  'ExternalModule',
  'ExportAssignment',
  // JSX.
  'JsxOpening',
  'JsxMember',
  'JsxText',
  // Types.
  'TypeReference',
  'QualifiedName',
  'TypeQuery',
  'ImportType',
  'TypeParameter',
  'Union',
  'Intersection',
  'TypeLiteral',
  'PropertySignature',
  'MethodSignature',
  'CallSignature',
  'ConstructSignature',
  'FunctionType',
  'ConstructorType',
  'MappedType',
  'InferType',
  'ConditionalType',
  'Nullish',
  'Interface',
  'Heritage',
  'Implements',
  'TypeAlias',
  'Enum',
  'EnumMember',
  'Namespace',
  'GlobalModule',
  'ModuleBlock',
] as const;

const ROLE_NAMES = [
  'other',
  'id',
  'callee',
  'argument',
  'typeArgument',
  'object',
  'key',
  'value',
  'left',
  'right',
  'test',
  'body',
  'typeParameter',
  'parameter',
  'returns',
  'type',
  'super',
  'extends',
  'decorator',
  'member',
  'source',
  'specifier',
  'local',
  'imported',
  'exported',
  'declaration',
  'operand',
  'element',
  'init',
  'expression',
  'constraint',
  'default',
  'statement',
  'jsxName',
  'qualifier',
  'rest',
] as const;

const FLAG_NAMES = [
  'optional',
  'computed',
  'static',
  'async',
  'generator',
  'declare',
  'abstract',
  'typeOnly',
  'getter',
  'setter',
  'constructor',
  'declaration',
  'bodiless',
  'var',
  'parameterProperty',
  'typeof',
  'not',
  'in',
  'instanceof',
] as const;

export type KindName = (typeof KIND_NAMES)[number];
export type RoleName = (typeof ROLE_NAMES)[number];
export type FlagName = (typeof FLAG_NAMES)[number];

function numbered<N extends string>(
  names: readonly N[],
  value: (index: number) => number,
): Record<N, number> {
  return Object.freeze(Object.fromEntries(names.map((name, index) => [name, value(index)]))) as Record<
    N,
    number
  >;
}

export const Kind = numbered(KIND_NAMES, (index) => index);
export const Role = numbered(ROLE_NAMES, (index) => index);
export const Flag = numbered(FLAG_NAMES, (index) => 1 << index);

/** A table by kind: `value` for those given, 0 for all others. */
export function kindTable(kinds: readonly number[], value = 1): Uint8Array {
  const table = new Uint8Array(KIND_NAMES.length);
  for (const kind of kinds) table[kind] = value;
  return table;
}
