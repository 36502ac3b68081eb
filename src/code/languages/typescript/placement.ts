import type { Definition, DefinitionKind } from '#code/facts/facts.ts';
import { hashRange, noTokens, shapeRange } from '#code/lex/text-shape.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** A definition with the node that spans it: uses below that node belong to its scope. */
export interface Placed {
  readonly node: number;
  /** `User.save`: container and name. */
  readonly path: string;
  /** The class that this defines, or -1: `const A = class {}` is defined by the variable. */
  classNode: number;
  /** A function or method without a body: an overload signature of the ones that follow. */
  bodiless: boolean;
  /** Which half of an accessor this is. */
  half: 'getter' | 'setter' | null;
  /** Mutable until all definitions of the file are known. */
  readonly definition: Mutable<Definition>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type Range = readonly [start: number, end: number];

const nowhere: Range = [0, 0];
const none: readonly string[] = [];

/**
 * A definition with everything that follows from its place; `from` is the offset after its name, where its body starts. The caller adds the
 * rest from its syntax.
 */
export function place(
  reading: Reading,
  kind: DefinitionKind,
  name: string,
  container: string | null,
  node: number,
  from: number,
  ambient: boolean,
): Placed {
  const { tree, tokens, lines } = reading;
  const start = tree.start[node] as number;
  const end = tree.end[node] as number;
  const shape = shapeRange(tokens, from, end, kind === 'constructor' ? null : name);
  const line = lines.line(start);
  const definition: Definition = {
    name,
    container,
    kind,
    line,
    column: lines.columnIn(line, start),
    endLine: lines.line(end - 1),
    bodyHash: shape.hash,
    signatureHash: noTokens,
    sketch: shape.sketch,
    signature: null,
    type: null,
    bases: none,
    implements: none,
    typeParameters: null,
    literals: null,
    members: null,
    async: false,
    static: false,
    abstract: false,
    overrides: false,
    optional: false,
    decorators: none,
    failure: null,
    overload: false,
    conditional: false,
    ambient,
  };
  const path = container === null ? name : `${container}.${name}`;
  return { node, path, classNode: -1, bodiless: false, half: null, definition };
}

/** Sets the hash over the range of parameters, return type or heritage. */
export function signed(reading: Reading, placed: Placed, [start, end]: Range): void {
  const { definition } = placed;
  const ownName = definition.kind === 'constructor' ? null : definition.name;
  definition.signatureHash = hashRange(reading.tokens, start, end, ownName);
}

/** From `from` up to the body of a function or class, or to its end when it has none. */
export function headRange(reading: Reading, node: number, from: number): Range {
  const { tree } = reading;
  const body = childIn(tree, node, Role.body);
  return [from, (body < 0 ? tree.end[node] : tree.start[body]) as number];
}

/** The range of a type annotation. */
export function typeRange(reading: Reading, type: number): Range {
  return type < 0 ? nowhere : [reading.tree.start[type] as number, reading.tree.end[type] as number];
}

/** Dotted names of the decorators of a class or member: `@Injectable()` is `Injectable`. */
export function decoratorsOf(reading: Reading, node: number): readonly string[] {
  const { tree } = reading;
  if (childIn(tree, node, Role.decorator) < 0) return none;
  return childrenIn(tree, node, Role.decorator).flatMap((decorator) => {
    const expression = decorator + 1;
    const name = dottedName(reading, tree.kind[expression] === Kind.Call ? expression + 1 : expression);
    return name === null ? [] : [name];
  });
}
