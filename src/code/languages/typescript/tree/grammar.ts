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
  'TaggedTemplate',
  'Member',
  'ComputedMember',
  'PrivateMember',
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
  'Instantiation',
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
  'Return',
  'ExpressionStatement',
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
  'IndexSignature',
  'FunctionType',
  'ConstructorType',
  'MappedType',
  'InferType',
  'ConditionalType',
  'Nullish',
  'TypeOperator',
  'Interface',
  'Heritage',
  'Implements',
  'TypeAlias',
  'Enum',
  'EnumMember',
  'Namespace',
  'AmbientModule',
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
  'property',
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
  'implements',
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
  'tag',
  'element',
  'init',
  'expression',
  'typeName',
  'constraint',
  'default',
  'block',
  'handler',
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
  'shorthand',
  'method',
  'typeOnly',
  'getter',
  'setter',
  'constructor',
  'declaration',
  'bodiless',
  'var',
  'const',
  'parameterProperty',
  'typeof',
  'not',
  'in',
  'instanceof',
  'plainAssignment',
  'readonly',
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

export const kindName = (kind: number): string => KIND_NAMES[kind] ?? '?';
export const roleName = (role: number): string => ROLE_NAMES[role] ?? '?';
