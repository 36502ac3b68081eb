import type {
  Definition,
  DefinitionKind,
  Members,
  Signature,
  TypeName,
  TypeParameters,
} from '../../facts.ts';
import { hashRange, shapeRange } from '../../text-shape.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** A definition with the node that spans it: uses below that node stand in its scope. */
export interface Placed {
  readonly node: number;
  /** `User.save`: container and name. */
  readonly path: string;
  /** Only `overload` is settled later, when all of one name are known. */
  readonly definition: Definition & { overload: boolean };
  /** The class that this defines, or -1: `const A = class {}` is defined by the variable. */
  readonly classNode: number;
  /** A function or method without a body: a signature of the ones that follow. */
  readonly bodiless: boolean;
  /** Which half of an accessor this is. */
  readonly half: 'getter' | 'setter' | null;
}

/** A definition in the making: its place is given, everything else has a default. */
export interface Draft {
  readonly node: number;
  readonly name: string;
  readonly container: string | null;
  readonly kind: DefinitionKind;
  /** Offset behind the name: from here on the text is the definition's body. */
  readonly from: number;
  readonly ambient: boolean;
  conditional: boolean;
  /** Range of parameters, return type, heritage. */
  signatureRange: Range;
  signature: Signature | null;
  type: TypeName | null;
  bases: readonly TypeName[];
  implements: readonly TypeName[];
  typeParameters: TypeParameters | null;
  literals: readonly string[] | null;
  members: Members | null;
  async: boolean;
  static: boolean;
  abstract: boolean;
  overrides: boolean;
  optional: boolean;
  decorators: readonly string[];
  bodiless: boolean;
  half: Placed['half'];
  classNode: number;
}

export type Range = readonly [start: number, end: number];

const NOWHERE: Range = [0, 0];
const NONE: readonly string[] = [];

export function draft(
  kind: DefinitionKind,
  name: string,
  container: string | null,
  node: number,
  from: number,
  ambient: boolean,
): Draft {
  return {
    node,
    name,
    container,
    kind,
    from,
    ambient,
    conditional: false,
    signatureRange: NOWHERE,
    signature: null,
    type: null,
    bases: NONE,
    implements: NONE,
    typeParameters: null,
    literals: null,
    members: null,
    async: false,
    static: false,
    abstract: false,
    overrides: false,
    optional: false,
    decorators: NONE,
    bodiless: false,
    half: null,
    classNode: -1,
  };
}

export function place(reading: Reading, draft: Draft): Placed {
  const { tree, tokens, lines } = reading;
  const { node, name, container } = draft;
  const start = tree.start[node] as number;
  const end = tree.end[node] as number;
  const ownName = draft.kind === 'constructor' ? null : name;
  const shape = shapeRange(tokens, draft.from, end, ownName);
  return {
    node,
    path: container === null ? name : `${container}.${name}`,
    classNode: draft.classNode,
    bodiless: draft.bodiless,
    half: draft.half,
    definition: {
      name,
      container,
      kind: draft.kind,
      line: lines.line(start),
      column: lines.column(start),
      endLine: lines.line(end - 1),
      bodyHash: shape.hash,
      signatureHash: hashRange(tokens, draft.signatureRange[0], draft.signatureRange[1], ownName),
      sketch: shape.sketch,
      signature: draft.signature,
      type: draft.type,
      bases: draft.bases,
      implements: draft.implements,
      typeParameters: draft.typeParameters,
      literals: draft.literals,
      members: draft.members,
      async: draft.async,
      static: draft.static,
      abstract: draft.abstract,
      overrides: draft.overrides,
      optional: draft.optional,
      decorators: draft.decorators,
      overload: false,
      conditional: draft.conditional,
      ambient: draft.ambient,
    },
  };
}

/** From `from` up to the body of a function or class, or to its end when it has none. */
export function headRange(reading: Reading, node: number, from: number): Range {
  const { tree } = reading;
  const body = childIn(tree, node, Role.body);
  return [from, (body < 0 ? tree.end[node] : tree.start[body]) as number];
}

/** The range of a type annotation. */
export function typeRange(reading: Reading, type: number): Range {
  return type < 0 ? NOWHERE : [reading.tree.start[type] as number, reading.tree.end[type] as number];
}

/** Dotted names of the decorators of a class or member: `@Injectable()` is `Injectable`. */
export function decoratorsOf(reading: Reading, node: number): readonly string[] {
  const { tree } = reading;
  if (childIn(tree, node, Role.decorator) < 0) return NONE;
  return childrenIn(tree, node, Role.decorator).flatMap((decorator) => {
    const expression = decorator + 1;
    const name = dottedName(reading, tree.kind[expression] === Kind.Call ? expression + 1 : expression);
    return name === null ? [] : [name];
  });
}
