import type {
  Definition,
  Failure,
  Members,
  ObjectShape,
  Parameter,
  Signature,
  TypeParameters,
} from '#code/facts/facts.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { ByteReader } from './byte-reader.ts';
import { definitionKinds, Mark, parameterKinds } from './vocabulary.ts';

const hashBytes = 8;
const none: readonly string[] = [];

type Details = Pick<
  Definition,
  'signature' | 'type' | 'bases' | 'implements' | 'typeParameters' | 'literals' | 'decorators' | 'failure'
>;

/** Mostly only the name of a definition is used: name and container are read at once, the rest on demand. */
export class PackedDefinition implements Definition {
  readonly name: string;
  readonly container: string | null;
  readonly kind: Definition['kind'];
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly #marks: number;
  readonly #bytes: Buffer;
  readonly #strings: readonly string[];
  /** Where its details start. */
  readonly #at: number;
  #sketch: readonly number[] | null = null;
  #details: Details | null = null;

  constructor(reader: ByteReader, lastLine: number, bytes: Buffer, details: number) {
    this.#marks = reader.number();
    this.kind = definitionKinds[reader.byte()] as Definition['kind'];
    this.name = reader.string();
    this.container = reader.nullable();
    this.line = lastLine + reader.signed();
    this.column = reader.number();
    this.endLine = this.line + reader.signed();
    this.#bytes = bytes;
    this.#strings = reader.allStrings;
    this.#at = details;
  }

  get bodyHash() {
    return this.#bytes.readDoubleLE(this.#at);
  }

  get signatureHash() {
    if (!this.#has(Mark.signed)) return noTokens;
    return this.#bytes.readDoubleLE(this.#at + hashBytes);
  }

  get sketch() {
    this.#sketch ??= this.#unpackSketch();
    return this.#sketch;
  }

  get signature() {
    return this.#has(Mark.signature) ? this.#all.signature : null;
  }

  get type() {
    return this.#has(Mark.type) ? this.#all.type : null;
  }

  get bases() {
    return this.#has(Mark.supertypes) ? this.#all.bases : none;
  }

  get implements() {
    return this.#has(Mark.supertypes) ? this.#all.implements : none;
  }

  get typeParameters() {
    return this.#has(Mark.typeParameters) ? this.#all.typeParameters : null;
  }

  get literals() {
    return this.#has(Mark.literals) ? this.#all.literals : null;
  }

  get decorators() {
    return this.#has(Mark.decorators) ? this.#all.decorators : none;
  }

  get failure() {
    return this.#has(Mark.failure) ? this.#all.failure : null;
  }

  get members(): Members | null {
    if (!this.#has(Mark.members)) return null;
    const open = this.#has(Mark.open);
    return {
      open,
      ...(this.#has(Mark.keyed) ? { keyed: true } : {}),
      ...(this.#has(Mark.lent) ? { lent: true } : {}),
    };
  }

  get async() {
    return this.#has(Mark.async);
  }

  get static() {
    return this.#has(Mark.static);
  }

  get abstract() {
    return this.#has(Mark.abstract);
  }

  get overrides() {
    return this.#has(Mark.overrides);
  }

  get optional() {
    return this.#has(Mark.optional);
  }

  get overload() {
    return this.#has(Mark.overload);
  }

  get conditional() {
    return this.#has(Mark.conditional);
  }

  get ambient() {
    return this.#has(Mark.ambient);
  }

  get hidden() {
    return this.#has(Mark.hidden) ? true : undefined;
  }

  #has(mark: number): boolean {
    return (this.#marks & mark) !== 0;
  }

  get #sketchAt(): number {
    return this.#at + (this.#has(Mark.signed) ? 2 * hashBytes : hashBytes);
  }

  get #all(): Details {
    this.#details ??= this.#unpack();
    return this.#details;
  }

  #unpackSketch(): number[] {
    const reader = new ByteReader(this.#bytes, this.#sketchAt, this.#strings);
    return Array.from({ length: reader.byte() }, () => reader.word());
  }

  #unpack(): Details {
    const marks = this.#marks;
    const start = this.#sketchAt;
    const reader = new ByteReader(this.#bytes, start + 1 + 4 * (this.#bytes[start] as number), this.#strings);
    const signature = (marks & Mark.signature) !== 0 ? unpackSignature(reader) : null;
    const type = (marks & Mark.type) !== 0 ? reader.string() : null;
    const hasSupertypes = (marks & Mark.supertypes) !== 0;
    const bases = hasSupertypes ? reader.strings() : none;
    const promised = hasSupertypes ? reader.strings() : none;
    const typeParameters =
      (marks & Mark.typeParameters) !== 0
        ? { ...unpackTypeParameters(reader), names: reader.strings() }
        : null;
    const literals = (marks & Mark.literals) !== 0 ? reader.strings() : null;
    const decorators = (marks & Mark.decorators) !== 0 ? reader.strings() : none;
    const failure = (marks & Mark.failure) !== 0 ? unpackFailure(reader, marks) : null;
    return { signature, type, bases, implements: promised, typeParameters, literals, decorators, failure };
  }
}

function unpackTypeParameters(reader: ByteReader): TypeParameters {
  const min = reader.number();
  return { min, max: reader.number() };
}

function unpackFailure(reader: ByteReader, marks: number): Failure {
  const raises = (marks & Mark.raises) !== 0 ? reader.strings() : none;
  return { raises, returnsNothing: (marks & Mark.returnsNothing) !== 0 };
}

function unpackSignature(reader: ByteReader): Signature {
  const head = reader.number();
  const returns = reader.nullable();
  const typeParameters = unpackTypeParameters(reader);
  const parameters = new Array<Parameter>(head >> 1);
  for (let i = 0; i < parameters.length; i++) parameters[i] = unpackParameter(reader);
  return { parameters, returns, generator: (head & 1) !== 0, typeParameters };
}

function unpackParameter(reader: ByteReader): Parameter {
  const marks = reader.byte();
  return {
    name: reader.string(),
    kind: parameterKinds[marks & 7] as Parameter['kind'],
    required: (marks & 8) !== 0,
    default: reader.nullable(),
    type: reader.nullable(),
    typeName: reader.nullable(),
    shape: (marks & 16) !== 0 ? unpackShape(reader) : null,
  };
}

function unpackShape(reader: ByteReader): ObjectShape {
  const head = reader.number();
  const keys = Array.from({ length: head >> 1 }, () => ({
    name: reader.string(),
    required: reader.byte() === 1,
  }));
  return { keys, open: (head & 1) !== 0 };
}
