import { type EstreeNode, isNode, isObject, type Meaning, nodes, type Pending } from './estree-node.ts';
import { Flag, Kind, type KindName, Role } from './grammar.ts';

/** What the special cases need from the reader that calls them. */
export interface EstreeReader {
  add(pending: Pending, kind: KindName, flags?: number): number;
  /** Adds a node that ESTree does not have. */
  addAt(kind: KindName, role: number, flags: number, start: number, end: number, parent: number): number;
  /** A child, or each of a list of children; nothing for null. */
  child(value: unknown, role: number, parent: number, meaning?: Meaning): void;
  kindAt(node: number): number;
}

type Special = (reader: EstreeReader, pending: Pending) => void;

/** Node types that need more than a line of `estree-grammar.ts`. */
export const specialFields: Readonly<Record<string, Special>> = {
  Identifier: identifier,
  Literal: literal,
  ExpressionStatement(reader, pending) {
    // In the parser's own tree, directives such as 'use strict' are not statements.
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

function identifier(reader: EstreeReader, pending: Pending): void {
  const { node, role, parent, meaning } = pending;
  // In ESTree the range of an identifier includes its annotation, in the parser's own tree it does not.
  const annotation = isNode(node.typeAnnotation) || node.optional === true;
  const end = annotation ? node.start + String(node.name).length : node.end;
  reader.addAt(meaning, role, 0, node.start, end, parent);
}

function literal(reader: EstreeReader, pending: Pending): void {
  const { value, regex, bigint } = pending.node;
  if (isObject(regex)) reader.add(pending, 'RegExp');
  else if (typeof value === 'string') reader.add(pending, 'String');
  else reader.add(pending, typeof value === 'number' && bigint === undefined ? 'Number' : 'Other');
}

function property(reader: EstreeReader, pending: Pending): void {
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
  const flags = (node.computed === true ? Flag.computed : 0) | (isPattern ? 0 : accessorFlags(node.kind));
  const parent = reader.add(pending, isPattern ? 'PatternProperty' : 'Property', flags);
  keyOf(reader, node, parent);
  reader.child(node.value, Role.value, parent, meaning);
}

function member(reader: EstreeReader, pending: Pending): void {
  const { node, meaning } = pending;
  // Heritage clauses represent type names as expressions.
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
  if (isPrivate) {
    const parent = reader.add(pending, 'Other');
    reader.child([node.object, node.property], Role.other, parent);
    return;
  }
  const isComputed = node.computed === true;
  const flags = node.optional === true ? Flag.optional : 0;
  const parent = reader.add(pending, isComputed ? 'ComputedMember' : 'Member', flags);
  reader.child(node.object, Role.object, parent);
  reader.child(node.property, Role.other, parent, isComputed ? 'Reference' : 'Name');
}

function functionLike(reader: EstreeReader, pending: Pending): void {
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

/** Type parameters, parameters, return type and body of any callable. */
function callable(reader: EstreeReader, pending: Pending, parent: number): void {
  const { node } = pending;
  reader.child(node.typeParameters, Role.typeParameter, parent);
  for (const parameter of nodes(node.params))
    reader.child(asParameter(parameter), Role.parameter, parent, 'Binding');
  reader.child(node.returnType, Role.returns, parent);
  const { body } = node;
  const isBlock = isNode(body) && body.type === 'BlockStatement';
  reader.child(isBlock ? { ...body, type: 'FunctionBody' } : body, Role.body, parent);
}

/** ESTree has no node for a parameter: its parts belong to the pattern. */
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
  };
}

function parameter(reader: EstreeReader, pending: Pending): void {
  const { node } = pending;
  const flags =
    (node.optional === true ? Flag.optional : 0) |
    (node.parameterProperty === true ? Flag.parameterProperty : 0);
  const parent = reader.add(pending, 'Parameter', flags);
  reader.child(node.decorators, Role.decorator, parent);
  reader.child(node.pattern, Role.id, parent, 'Binding');
  reader.child(node.annotation, Role.type, parent);
  reader.child(node.default, Role.default, parent);
}

function restParameter(reader: EstreeReader, pending: Pending): void {
  const { node } = pending;
  const parent = reader.add(pending, 'RestParameter');
  reader.child(node.decorators, Role.decorator, parent);
  reader.child(node.argument, Role.id, parent, 'Binding');
  reader.child(node.typeAnnotation, Role.type, parent);
}

function classMethod(reader: EstreeReader, pending: Pending): void {
  const { node } = pending;
  const isConstructor = node.kind === 'constructor' ? Flag.constructor : 0;
  const parent = reader.add(pending, 'Method', flagsOf(node) | accessorFlags(node.kind) | isConstructor);
  reader.child(node.decorators, Role.decorator, parent);
  keyOf(reader, node, parent);
  reader.child(node.value, Role.value, parent);
}

function classField(reader: EstreeReader, pending: Pending): void {
  const { node } = pending;
  const parent = reader.add(pending, 'Field', flagsOf(node));
  reader.child(node.decorators, Role.decorator, parent);
  keyOf(reader, node, parent);
  reader.child(node.typeAnnotation, Role.type, parent);
  reader.child(node.value, Role.value, parent);
}

function exportNamed(reader: EstreeReader, pending: Pending): void {
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

function exportSpecifier(reader: EstreeReader, pending: Pending): void {
  const { node } = pending;
  const parent = reader.add(pending, 'ExportName', node.exportKind === 'type' ? Flag.typeOnly : 0);
  reader.child(node.local, Role.local, parent, pending.meaning);
  reader.child(node.exported, Role.exported, parent, 'Name');
}

/** `<div>` is not a reference; `<Div>`, `<_x>` and `<a.b>` are. */
function jsxIdentifier(reader: EstreeReader, pending: Pending): void {
  const name = String(pending.node.name);
  if (pending.meaning === 'Name') reader.add(pending, 'Name');
  else if (name === 'this') reader.add(pending, 'This');
  else {
    const isObject = reader.kindAt(pending.parent) === Kind.JsxMember;
    const isComponent = !name.includes('-') && !/^[a-z]/.test(name);
    reader.add(pending, isObject || isComponent ? 'Reference' : 'Name');
  }
}

function qualifiedName(reader: EstreeReader, pending: Pending): void {
  const parent = reader.add(pending, 'QualifiedName');
  reader.child(pending.node.left, Role.left, parent, pending.meaning);
  reader.child(pending.node.right, Role.right, parent, 'Name');
}

function moduleDeclaration(reader: EstreeReader, pending: Pending): void {
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

function keyOf(reader: EstreeReader, node: EstreeNode, parent: number): void {
  reader.child(node.key, Role.key, parent, node.computed === true ? 'Reference' : 'Name');
}

function flagsOf(node: EstreeNode): number {
  return (
    (node.optional === true ? Flag.optional : 0) |
    (node.computed === true ? Flag.computed : 0) |
    (node.static === true ? Flag.static : 0) |
    (node.declare === true ? Flag.declare : 0) |
    (node.type.startsWith('TSAbstract') ? Flag.abstract : 0)
  );
}

function accessorFlags(kind: unknown): number {
  return kind === 'get' ? Flag.getter : kind === 'set' ? Flag.setter : 0;
}
