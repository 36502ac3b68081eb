import type { NamedTypeParameters, ObjectShape, Parameter, Signature, TypeName } from '#code/facts/facts.ts';
import { normalText } from '#code/lex/text-shape.ts';
import { childIn, childrenIn, dottedName, has, type Reading } from './reading.ts';
import { returnedShape } from './returned-shape.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { memberName, objectShape, typeNameOf } from './types.ts';

const defaultLength = 80;
const typeLength = 200;

/**
 * The signature of a function, arrow, method signature or function type. `infersPatterns`: nothing around it determines the types of its
 * parameters, so a pattern without an annotation does.
 */
export function signatureOf(
  reading: Reading,
  callable: number,
  name = '',
  { infersPatterns = false } = {},
): Signature {
  const { tree } = reading;
  const { kind, role, after } = tree;
  const parameters: Parameter[] = [];
  const typeParameters = { min: 0, max: 0 };
  let returns: string | null = null;
  for (let child = callable + 1; child < (after[callable] as number); child = after[child] as number) {
    if (role[child] === Role.parameter) {
      if (kind[child] !== Kind.ThisParameter) parameters.push(parameterOf(reading, child, infersPatterns));
    } else if (role[child] === Role.typeParameter) {
      countTypeParameter(reading, child, typeParameters);
    } else if (role[child] === Role.returns) returns = textOf(reading, child, typeLength);
  }
  returns ??= returnedShape(reading, callable, name);
  return { parameters, returns, generator: has(tree, callable, Flag.generator), typeParameters };
}

/** `Page` for `<T>(): Promise<Page<T>>`: a named type that the text of the annotation does not tell from a type parameter. */
export function genericResult(
  reading: Reading,
  callable: number,
  { typeParameters }: Signature,
): TypeName | null {
  const { tree, names } = reading;
  const returns = childIn(tree, callable, Role.returns);
  if (returns < 0 || typeParameters.max === 0) return null;
  const isPromise =
    tree.kind[returns] === Kind.TypeReference &&
    tree.kind[returns + 1] === Kind.Reference &&
    names.ofNode(returns + 1) === 'Promise';
  return typeNameOf(reading, isPromise ? childIn(tree, returns, Role.typeArgument) : returns);
}

/** React's types of function components: `React.FC<Props>` takes one object. */
const component = /^(?:React\.)?(?:FC|FunctionComponent|VFC|VoidFunctionComponent)$/;

/** The signature that the annotation of a component implies; null for every other annotation. */
export function componentSignature(reading: Reading, type: number): Signature | null {
  const { tree } = reading;
  if (tree.kind[type] !== Kind.TypeReference || !component.test(dottedName(reading, type + 1) ?? ''))
    return null;
  const props = childIn(tree, type, Role.typeArgument);
  return props < 0 ? null : propsSignature(reading, props);
}

/** The signature of a component that takes props of a type. */
export function propsSignature(reading: Reading, props: number): Signature {
  const parameter: Parameter = {
    name: 'props',
    kind: 'positional',
    required: true,
    default: null,
    type: textOf(reading, props, typeLength),
    typeName: typeNameOf(reading, props),
    shape: objectShape(reading, props),
  };
  return { parameters: [parameter], returns: null, generator: false, typeParameters: { min: 0, max: 0 } };
}

/** The callable of a value or annotation: an arrow, a function expression, a function type; else -1. */
export function callableIn(reading: Reading, node: number): number {
  const kind = node < 0 ? -1 : reading.tree.kind[node];
  return kind === Kind.Arrow || kind === Kind.Function || kind === Kind.FunctionType ? node : -1;
}

function parameterOf(reading: Reading, node: number, infersPatterns: boolean): Parameter {
  const { tree, names } = reading;
  const id = childIn(tree, node, Role.id);
  const type = childIn(tree, node, Role.type);
  const value = childIn(tree, node, Role.default);
  const isRest = tree.kind[node] === Kind.RestParameter;
  return {
    name: tree.kind[id] === Kind.Binding ? names.ofNode(id) : '',
    kind: isRest ? 'rest' : 'positional',
    required: !isRest && value < 0 && !has(tree, node, Flag.optional),
    default: value < 0 ? null : textOf(reading, value, defaultLength),
    type: type < 0 ? null : textOf(reading, type, typeLength),
    typeName: typeNameOf(reading, type),
    shape: type < 0 ? (infersPatterns ? patternShape(reading, id, value) : null) : objectShape(reading, type),
  };
}

/** `({ limit = 10 } = {})` takes an object with these keys. */
function patternShape(reading: Reading, pattern: number, value: number): ObjectShape | null {
  const { tree } = reading;
  const isEmpty = value >= 0 && tree.kind[value] === Kind.Object && tree.after[value] === value + 1;
  if (tree.kind[pattern] !== Kind.ObjectPattern || !isEmpty) return null;
  const keys: { name: string; required: boolean }[] = [];
  for (const property of childrenIn(tree, pattern, Role.member)) {
    const name = memberName(reading, property);
    if (name === null || tree.kind[childIn(tree, property, Role.value)] !== Kind.PatternDefault) return null;
    keys.push({ name, required: false });
  }
  const all = tree.after[pattern] as number;
  let parts = 0;
  for (let child = pattern + 1; child < all; child = tree.after[child] as number) parts++;
  // A rest takes other keys.
  return keys.length > 0 && parts === keys.length ? { keys, open: false } : null;
}

/** Type parameters of a callable, class, interface or type alias. */
export function typeParametersOf(reading: Reading, node: number): NamedTypeParameters {
  const { tree, names } = reading;
  const typeParameters = { min: 0, max: 0, names: [] as string[] };
  for (let child = node + 1; child < (tree.after[node] as number); child = tree.after[child] as number) {
    if (tree.role[child] !== Role.typeParameter) continue;
    countTypeParameter(reading, child, typeParameters);
    typeParameters.names.push(names.ofNode(childIn(tree, child, Role.id)));
  }
  return typeParameters;
}

function countTypeParameter({ tree }: Reading, node: number, count: { min: number; max: number }): void {
  count.max++;
  if (childIn(tree, node, Role.default) < 0) count.min++;
}

function textOf(reading: Reading, node: number, limit: number): string {
  return normalText(
    reading.tokens,
    reading.tree.start[node] as number,
    reading.tree.end[node] as number,
    limit,
  );
}
