import { ESTREE } from './estree-grammar.ts';
import type { FlatTree } from './flat-tree.ts';
import { Flag, type FlagName, Kind, type KindName, Role, type RoleName } from './grammar.ts';

/** A node as the parser gives it: its properties depend on its type. */
export interface EstreeNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** What an identifier stands for where it is reached; patterns hand it down to the names in them. */
type Meaning = 'Reference' | 'Binding' | 'Name';

interface Pending {
  readonly node: EstreeNode;
  readonly role: number;
  readonly parent: number;
  readonly meaning: Meaning;
}

interface Rule {
  readonly kind: KindName | '^' | '!';
  readonly parts: readonly {
    readonly role: RoleName | '^';
    readonly property: string;
    readonly meaning: Meaning;
  }[];
  readonly flags: readonly { readonly flag: number; readonly property: string; readonly value: unknown }[];
}

const rules = new Map(ESTREE.trim().split('\n').map(compileRule));

/** Reads a program given as objects into `tree`. Slow, but it needs nothing that is experimental. */
export function readEstree(program: EstreeNode, tree: FlatTree): void {
  tree.clear();
  const reader = new Reader(tree);
  reader.run(program);
  tree.close();
}

class Reader {
  readonly #tree: FlatTree;
  readonly #stack: Pending[] = [];
  /** Children of the node at hand in order; they go onto the stack last first. */
  #children: Pending[] = [];

  constructor(tree: FlatTree) {
    this.#tree = tree;
  }

  run(program: EstreeNode): void {
    this.#stack.push({ node: program, role: Role.other, parent: -1, meaning: 'Reference' });
    for (let next = this.#stack.pop(); next !== undefined; next = this.#stack.pop()) {
      this.#children = [];
      const special = SPECIAL[next.node.type];
      if (special) special(this, next);
      else this.byRule(next, next.node.type);
      for (let i = this.#children.length - 1; i >= 0; i--) this.#stack.push(this.#children[i] as Pending);
    }
  }

  byRule(pending: Pending, type: string): void {
    const rule = rules.get(type);
    if (rule === undefined) throw new Error(`unknown node type ${type}`);
    const { node, role } = pending;
    if (rule.kind === '!') return;
    let flags = 0;
    for (const { flag, property, value } of rule.flags) if (node[property] === value) flags |= flag;
    const parent = rule.kind === '^' ? pending.parent : this.add(pending, rule.kind, flags);
    for (const part of rule.parts) {
      this.child(node[part.property], part.role === '^' ? role : Role[part.role], parent, part.meaning);
    }
  }

  add(pending: Pending, kind: KindName, flags = 0): number {
    const { node, role, parent } = pending;
    return this.#tree.add(Kind[kind], role, flags, node.start, node.end, parent);
  }

  kindAt(node: number): number {
    return this.#tree.kind[node] as number;
  }

  /** Adds a node that ESTree does not have as such. */
  addAt(kind: KindName, role: number, flags: number, start: number, end: number, parent: number): number {
    return this.#tree.add(Kind[kind], role, flags, start, end, parent);
  }

  /** A child, or each of a list of children; nothing for null. */
  child(value: unknown, role: number, parent: number, meaning: Meaning = 'Reference'): void {
    if (Array.isArray(value)) for (const element of value) this.child(element, role, parent, meaning);
    else if (isNode(value)) this.#children.push({ node: value, role, parent, meaning });
  }
}

type Special = (reader: Reader, pending: Pending) => void;

const SPECIAL: Readonly<Record<string, Special>> = {
  Identifier: identifier,
  Literal: literal,
  ExpressionStatement(reader, pending) {
    // Directives such as 'use strict' are no statements in the parser's own tree.
    if (typeof pending.node.directive === 'string') return;
    reader.child(pending.node.expression, Role.expression, reader.add(pending, 'ExpressionStatement'));
  },
  Property: property,
  ObjectPattern(reader, pending) {
    const isTarget = pending.meaning === 'Reference';
    const parent = reader.add(pending, isTarget ? 'ObjectTarget' : 'ObjectPattern');
    for (const member of nodes(pending.node.properties)) {
      reader.child(member, member.type === 'RestElement' ? Role.rest : Role.member, parent, pending.meaning);
    }
  },
  ArrayPattern(reader, pending) {
    const isTarget = pending.meaning === 'Reference';
    const parent = reader.add(pending, isTarget ? 'ArrayTarget' : 'ArrayPattern');
    for (const element of nodes(pending.node.elements)) {
      reader.child(
        element,
        element.type === 'RestElement' ? Role.rest : Role.element,
        parent,
        pending.meaning,
      );
    }
  },
  AssignmentPattern(reader, pending) {
    const isTarget = pending.meaning === 'Reference';
    const parent = reader.add(pending, isTarget ? 'TargetDefault' : 'PatternDefault');
    reader.child(pending.node.left, Role.left, parent, pending.meaning);
    reader.child(pending.node.right, Role.right, parent);
  },
  RestElement(reader, pending) {
    const parent = reader.add(pending, pending.meaning === 'Reference' ? 'TargetRest' : 'PatternRest');
    reader.child(pending.node.argument, Role.operand, parent, pending.meaning);
  },
  MemberExpression: member,
  BinaryExpression(reader, pending) {
    const { operator, left } = pending.node;
    const isPrivate = isNode(left) && left.type === 'PrivateIdentifier';
    const flags = operator === 'instanceof' ? Flag.instanceof : operator === 'in' && !isPrivate ? Flag.in : 0;
    const parent = reader.add(pending, 'Binary', flags);
    reader.child(left, Role.left, parent);
    reader.child(pending.node.right, Role.right, parent);
  },
  VariableDeclarator(reader, pending) {
    const parent = reader.add(pending, 'Variable');
    reader.child(pending.node.id, Role.id, parent, 'Binding');
    if (isNode(pending.node.id)) reader.child(pending.node.id.typeAnnotation, Role.type, parent);
    reader.child(pending.node.init, Role.init, parent);
  },
  FunctionDeclaration: functionLike,
  FunctionExpression: functionLike,
  TSDeclareFunction: functionLike,
  TSEmptyBodyFunctionExpression: functionLike,
  ArrowFunctionExpression(reader, pending) {
    callable(reader, pending, reader.add(pending, 'Arrow', pending.node.async === true ? Flag.async : 0));
  },
  TSFunctionType: (reader, pending) => callable(reader, pending, reader.add(pending, 'FunctionType')),
  TSConstructorType: (reader, pending) => callable(reader, pending, reader.add(pending, 'ConstructorType')),
  TSCallSignatureDeclaration: (reader, pending) =>
    callable(reader, pending, reader.add(pending, 'CallSignature')),
  TSConstructSignatureDeclaration: (reader, pending) =>
    callable(reader, pending, reader.add(pending, 'ConstructSignature')),
  TSMethodSignature(reader, pending) {
    const { node } = pending;
    const parent = reader.add(pending, 'MethodSignature', flagsOf(node) | accessorFlags(node.kind));
    keyOf(reader, node, parent);
    callable(reader, pending, parent);
  },
  TSPropertySignature(reader, pending) {
    const parent = reader.add(pending, 'PropertySignature', flagsOf(pending.node));
    keyOf(reader, pending.node, parent);
    reader.child(pending.node.typeAnnotation, Role.type, parent);
  },
  TSIndexSignature(reader, pending) {
    const parent = reader.add(pending, 'IndexSignature');
    for (const parameter of nodes(pending.node.parameters))
      reader.child(parameter.typeAnnotation, Role.type, parent);
    reader.child(pending.node.typeAnnotation, Role.returns, parent);
  },
  MethodDefinition: classMethod,
  TSAbstractMethodDefinition: classMethod,
  PropertyDefinition: classField,
  TSAbstractPropertyDefinition: classField,
  AccessorProperty: classField,
  TSAbstractAccessorProperty: classField,
  Parameter: parameter,
  RestParameter: restParameter,
  ThisParameter: (reader, pending) =>
    reader.child(pending.node.typeAnnotation, Role.type, reader.add(pending, 'ThisParameter')),
  FunctionBody: (reader, pending) =>
    reader.child(pending.node.body, Role.statement, reader.add(pending, 'FunctionBody')),
  ExportNamedDeclaration: exportNamed,
  ExportSpecifier: exportSpecifier,
  JSXIdentifier: jsxIdentifier,
  TSQualifiedName: qualifiedName,
  TSModuleDeclaration: moduleDeclaration,
};

function identifier(reader: Reader, pending: Pending): void {
  const { node, role, parent, meaning } = pending;
  // The annotation of an identifier counts to its range in ESTree, not in the parser's own tree.
  const annotation = isNode(node.typeAnnotation) || node.optional === true;
  const end = annotation ? node.start + String(node.name).length : node.end;
  reader.addAt(meaning, role, 0, node.start, end, parent);
}

function literal(reader: Reader, pending: Pending): void {
  const { value, regex, bigint } = pending.node;
  if (isObject(regex)) reader.add(pending, 'RegExp');
  else if (typeof value === 'string') reader.add(pending, 'String');
  else reader.add(pending, typeof value === 'number' && bigint === undefined ? 'Number' : 'Other');
}

function property(reader: Reader, pending: Pending): void {
  const { node, meaning, parent: above } = pending;
  const isTarget = reader.kindAt(above) === Kind.ObjectTarget;
  if (isTarget && node.shorthand === true) {
    const parent = reader.add(pending, 'TargetShorthand');
    reader.child(node.key, Role.left, parent);
    if (isNode(node.value) && node.value.type === 'AssignmentPattern')
      reader.child(node.value.right, Role.right, parent);
    return;
  }
  if (isTarget) {
    const parent = reader.add(pending, 'TargetProperty', node.computed === true ? Flag.computed : 0);
    keyOf(reader, node, parent);
    reader.child(node.value, Role.value, parent);
    return;
  }
  const isPattern = meaning === 'Binding';
  const flags = (node.computed === true ? Flag.computed : 0) | (node.shorthand === true ? Flag.shorthand : 0);
  const more = isPattern ? 0 : accessorFlags(node.kind) | (node.method === true ? Flag.method : 0);
  const parent = reader.add(pending, isPattern ? 'PatternProperty' : 'Property', flags | more);
  keyOf(reader, node, parent);
  reader.child(node.value, Role.value, parent, meaning);
}

function member(reader: Reader, pending: Pending): void {
  const { node, meaning } = pending;
  // Heritage clauses give type names as if they were expressions.
  const above = reader.kindAt(pending.parent);
  const isTypeName =
    above === Kind.Heritage ||
    above === Kind.Implements ||
    (above === Kind.QualifiedName && pending.role === Role.left);
  if (isTypeName) {
    const parent = reader.add(pending, 'QualifiedName');
    reader.child(node.object, Role.left, parent, meaning);
    reader.child(node.property, Role.right, parent, 'Name');
    return;
  }
  const isPrivate = isNode(node.property) && node.property.type === 'PrivateIdentifier';
  const kind = node.computed === true ? 'ComputedMember' : isPrivate ? 'PrivateMember' : 'Member';
  const parent = reader.add(pending, kind, node.optional === true ? Flag.optional : 0);
  reader.child(node.object, Role.object, parent);
  reader.child(node.property, Role.property, parent, kind === 'Member' ? 'Name' : 'Reference');
}

function functionLike(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const isBodiless = node.type === 'TSDeclareFunction' || node.type === 'TSEmptyBodyFunctionExpression';
  const isDeclaration = node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction';
  const flags =
    (isBodiless ? Flag.bodiless : 0) |
    (isDeclaration ? Flag.declaration : 0) |
    (node.generator === true ? Flag.generator : 0) |
    (node.async === true ? Flag.async : 0) |
    (node.declare === true ? Flag.declare : 0);
  const parent = reader.add(pending, 'Function', flags);
  reader.child(node.id, Role.id, parent, 'Binding');
  callable(reader, pending, parent);
}

/** Type parameters, parameters, return type and body of whatever has them. */
function callable(reader: Reader, pending: Pending, parent: number): void {
  const { node } = pending;
  reader.child(node.typeParameters, Role.typeParameter, parent);
  for (const parameter of nodes(node.params))
    reader.child(asParameter(parameter), Role.parameter, parent, 'Binding');
  reader.child(node.returnType, Role.returns, parent);
  const { body } = node;
  const isBlock = isNode(body) && body.type === 'BlockStatement';
  reader.child(isBlock ? { ...body, type: 'FunctionBody' } : body, Role.body, parent);
}

/** ESTree has no node for a parameter: its parts hang on the pattern. */
function asParameter(node: EstreeNode): EstreeNode {
  if (node.type === 'Identifier' && node.name === 'this') return { ...node, type: 'ThisParameter' };
  if (node.type === 'RestElement') return { ...node, type: 'RestParameter' };
  const isProperty = node.type === 'TSParameterProperty';
  const inner = isProperty && isNode(node.parameter) ? node.parameter : node;
  const hasDefault = inner.type === 'AssignmentPattern';
  const pattern = hasDefault && isNode(inner.left) ? inner.left : inner;
  return {
    type: 'Parameter',
    start: node.start,
    end: node.end,
    decorators: node.decorators,
    pattern,
    annotation: pattern.typeAnnotation,
    default: hasDefault ? inner.right : null,
    optional: inner.optional === true || pattern.optional === true,
    parameterProperty: isProperty,
    readonly: node.readonly === true,
  };
}

function parameter(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const flags =
    (node.optional === true ? Flag.optional : 0) |
    (node.parameterProperty === true ? Flag.parameterProperty : 0) |
    (node.readonly === true ? Flag.readonly : 0);
  const parent = reader.add(pending, 'Parameter', flags);
  reader.child(node.decorators, Role.decorator, parent);
  reader.child(node.pattern, Role.id, parent, 'Binding');
  reader.child(node.annotation, Role.type, parent);
  reader.child(node.default, Role.default, parent);
}

function restParameter(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const parent = reader.add(pending, 'RestParameter');
  reader.child(node.decorators, Role.decorator, parent);
  reader.child(node.argument, Role.id, parent, 'Binding');
  reader.child(node.typeAnnotation, Role.type, parent);
}

function classMethod(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const isConstructor = node.kind === 'constructor' ? Flag.constructor : 0;
  const parent = reader.add(pending, 'Method', flagsOf(node) | accessorFlags(node.kind) | isConstructor);
  reader.child(node.decorators, Role.decorator, parent);
  keyOf(reader, node, parent);
  reader.child(node.value, Role.value, parent);
}

function classField(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const parent = reader.add(pending, 'Field', flagsOf(node));
  reader.child(node.decorators, Role.decorator, parent);
  keyOf(reader, node, parent);
  reader.child(node.typeAnnotation, Role.type, parent);
  reader.child(node.value, Role.value, parent);
}

function exportNamed(reader: Reader, pending: Pending): void {
  const { node } = pending;
  if (isNode(node.declaration)) {
    reader.child(node.declaration, Role.declaration, reader.add(pending, 'ExportDeclaration'));
    return;
  }
  const isFrom = isNode(node.source);
  const flags = node.exportKind === 'type' ? Flag.typeOnly : 0;
  const parent = reader.add(pending, isFrom ? 'ExportFrom' : 'ExportNames', flags);
  // The local name of a re-export is a name of the other module.
  reader.child(node.specifiers, Role.specifier, parent, isFrom ? 'Name' : 'Reference');
  reader.child(node.source, Role.source, parent);
}

function exportSpecifier(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const parent = reader.add(pending, 'ExportName', node.exportKind === 'type' ? Flag.typeOnly : 0);
  reader.child(node.local, Role.local, parent, pending.meaning);
  reader.child(node.exported, Role.exported, parent, 'Name');
}

/** `<div>` names nothing of ours, `<Div>`, `<_x>` and `<a.b>` do. */
function jsxIdentifier(reader: Reader, pending: Pending): void {
  const name = String(pending.node.name);
  if (pending.meaning === 'Name') reader.add(pending, 'Name');
  else if (name === 'this') reader.add(pending, 'This');
  else {
    const isObject = reader.kindAt(pending.parent) === Kind.JsxMember;
    const isComponent = !name.includes('-') && !/^[a-z]/.test(name);
    reader.add(pending, isObject || isComponent ? 'Reference' : 'Name');
  }
}

function qualifiedName(reader: Reader, pending: Pending): void {
  const parent = reader.add(pending, 'QualifiedName');
  reader.child(pending.node.left, Role.left, parent, pending.meaning);
  reader.child(pending.node.right, Role.right, parent, 'Name');
}

function moduleDeclaration(reader: Reader, pending: Pending): void {
  const { node } = pending;
  const { id } = node;
  const flags = node.declare === true ? Flag.declare : 0;
  if (node.global === true) {
    reader.child(node.body, Role.body, reader.add(pending, 'GlobalModule', flags));
  } else if (isNode(id) && id.type === 'Literal') {
    const parent = reader.add(pending, 'AmbientModule', flags);
    reader.child(id, Role.source, parent);
    reader.child(node.body, Role.body, parent);
  } else if (isNode(id)) {
    // `namespace A.B {}` is a namespace in a namespace.
    const [first, ...rest] = partsOf(id);
    const parent = reader.add(pending, 'Namespace', flags);
    reader.child(first, Role.id, parent, 'Binding');
    const inner =
      rest.length === 0 ? node.body : { ...node, id: joined(rest), start: rest[0]?.start, declare: false };
    reader.child(inner, Role.body, parent);
  }
}

function partsOf(id: EstreeNode): EstreeNode[] {
  const parts: EstreeNode[] = [];
  let current = id;
  while (current.type === 'TSQualifiedName' && isNode(current.left) && isNode(current.right)) {
    parts.push(current.right);
    current = current.left;
  }
  return [...parts, current].toReversed();
}

function joined(parts: readonly EstreeNode[]): EstreeNode {
  return parts.reduce((left, right) => ({
    type: 'TSQualifiedName',
    start: left.start,
    end: right.end,
    left,
    right,
  }));
}

function keyOf(reader: Reader, node: EstreeNode, parent: number): void {
  reader.child(node.key, Role.key, parent, node.computed === true ? 'Reference' : 'Name');
}

function flagsOf(node: EstreeNode): number {
  return (
    (node.optional === true ? Flag.optional : 0) |
    (node.computed === true ? Flag.computed : 0) |
    (node.static === true ? Flag.static : 0) |
    (node.declare === true ? Flag.declare : 0) |
    (node.readonly === true ? Flag.readonly : 0) |
    (node.type.startsWith('TSAbstract') ? Flag.abstract : 0)
  );
}

function accessorFlags(kind: unknown): number {
  return kind === 'get' ? Flag.getter : kind === 'set' ? Flag.setter : 0;
}

function nodes(value: unknown): EstreeNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNode(value: unknown): value is EstreeNode {
  return isObject(value) && typeof value.type === 'string';
}

function compileRule(line: string): [string, Rule] {
  const [type = '', kind = '', ...words] = line.split(' ');
  return [
    type,
    {
      kind: kind === '-' ? 'Other' : (kind as Rule['kind']),
      parts: words.filter((word) => !word.startsWith('+')).map(compilePart),
      flags: words.filter((word) => word.startsWith('+')).map(compileFlag),
    },
  ];
}

function compilePart(word: string): Rule['parts'][number] {
  const [, role = '', property = '', meaning = 'Reference'] = /^(\^|\w+):(\w+)(?:=(\w+))?$/.exec(word) ?? [];
  return { role: role as RoleName | '^', property, meaning: meaning as Meaning };
}

function compileFlag(word: string): Rule['flags'][number] {
  const [, flag = '', property = '', value] = /^\+(\w+):(\w+)(?:=(.+))?$/.exec(word) ?? [];
  return {
    flag: Flag[flag as FlagName],
    property,
    value: value === undefined ? true : value.replace('_', ' '),
  };
}
