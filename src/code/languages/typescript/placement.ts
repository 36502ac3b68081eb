import type { Definition, DefinitionKind, Members, Signature, TypeName } from '../../facts.ts';
import { hashRange, sketchRange } from '../../text-shape.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** A definition with the node that spans it: uses below that node stand in its scope. */
export interface Placed {
  readonly node: number;
  /** `User.save`: container and name. */
  readonly path: string;
  readonly definition: Definition;
  /** The class that this defines, or -1: `const A = class {}` is defined by the variable. */
  readonly classNode: number;
  /** A function or method without a body: a signature of the ones that follow. */
  readonly bodiless: boolean;
}

/** What varies from one definition to the next; the rest follows from the node. */
export interface Draft {
  readonly node: number;
  readonly name: string;
  readonly container: string | null;
  readonly kind: DefinitionKind;
  /** Offset behind the name: from here on the text is the definition's body. */
  readonly from: number;
  readonly ambient: boolean;
  /** Range of parameters, return type, heritage. */
  readonly signatureRange?: readonly [number, number];
  readonly signature?: Signature | null;
  readonly type?: TypeName | null;
  readonly bases?: readonly TypeName[];
  readonly members?: Members | null;
  readonly async?: boolean;
  readonly static?: boolean;
  readonly abstract?: boolean;
  readonly optional?: boolean;
  readonly decorators?: readonly string[];
  readonly conditional?: boolean;
  readonly bodiless?: boolean;
  readonly classNode?: number;
}

const NOWHERE = [0, 0] as const;

export function place(reading: Reading, draft: Draft): Placed {
  const { tree, tokens, lines } = reading;
  const { node, name, container } = draft;
  const end = tree.end[node] as number;
  const ownName = draft.kind === 'constructor' ? null : name;
  const [signatureFrom, signatureTo] = draft.signatureRange ?? NOWHERE;
  const span = lines.span(tree.start[node] as number, end);
  return {
    node,
    path: container === null ? name : `${container}.${name}`,
    classNode: draft.classNode ?? -1,
    bodiless: draft.bodiless ?? false,
    definition: {
      name,
      container,
      kind: draft.kind,
      line: span.line,
      column: span.column,
      endLine: span.endLine,
      bodyHash: hashRange(tokens, draft.from, end, ownName),
      signatureHash: hashRange(tokens, signatureFrom, signatureTo, ownName),
      sketch: sketchRange(tokens, draft.from, end, ownName),
      signature: draft.signature ?? null,
      type: draft.type ?? null,
      bases: draft.bases ?? [],
      members: draft.members ?? null,
      async: draft.async ?? false,
      static: draft.static ?? false,
      abstract: draft.abstract ?? false,
      optional: draft.optional ?? false,
      decorators: draft.decorators ?? [],
      overload: false,
      conditional: draft.conditional ?? false,
      ambient: draft.ambient,
    },
  };
}

/** From `from` up to the body of a function or class, or to its end when it has none. */
export function headRange(reading: Reading, node: number, from: number): readonly [number, number] {
  const { tree } = reading;
  const body = childIn(tree, node, Role.body);
  return [from, (body < 0 ? tree.end[node] : tree.start[body]) as number];
}

/** The range of a type annotation. */
export function typeRange(reading: Reading, type: number): readonly [number, number] {
  return type < 0 ? NOWHERE : [reading.tree.start[type] as number, reading.tree.end[type] as number];
}

/** Dotted names of the decorators of a class or member: `@Injectable()` is `Injectable`. */
export function decoratorsOf(reading: Reading, node: number): string[] {
  const { tree } = reading;
  return childrenIn(tree, node, Role.decorator).flatMap((decorator) => {
    const expression = decorator + 1;
    const name = dottedName(reading, tree.kind[expression] === Kind.Call ? expression + 1 : expression);
    return name === null ? [] : [name];
  });
}
