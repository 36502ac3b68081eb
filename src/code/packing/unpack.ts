import type {
  CallShape,
  Definition,
  Export,
  Facts,
  Failure,
  Import,
  Members,
  ObjectShape,
  Parameter,
  Signature,
  TypeParameters,
  Use,
} from '../facts.ts';
import { NO_TOKENS } from '../text-shape.ts';
import { ByteReader } from './byte-reader.ts';
import {
  CALL_RESULTS,
  DEFINITION_KINDS,
  HEADER_BYTES,
  IMPORT_FORMS,
  Mark,
  MODULES,
  PARAMETER_KINDS,
  PARTS,
  USE_KINDS,
} from './vocabulary.ts';

/** The facts that `pack` made these bytes of. Nothing is read before it is asked for. */
export function unpack(bytes: Buffer): Facts {
  return new PackedFacts(bytes);
}

type Rare = Pick<
  Facts,
  | 'syntaxError'
  | 'publicNames'
  | 'switches'
  | 'comparisons'
  | 'opaque'
  | 'duplicateKeys'
  | 'unchecked'
  | 'augments'
>;

const NOTHING_RARE: Rare = {
  syntaxError: null,
  publicNames: null,
  switches: [],
  comparisons: [],
  opaque: [],
  duplicateKeys: [],
};
const NONE: readonly string[] = [];

/** Most files are only asked for some of their facts: a file that others lead to has uses that nobody reads. */
class PackedFacts implements Facts {
  readonly #bytes: Buffer;
  #strings: readonly string[] | null = null;
  #rare: Rare | null = null;
  #definitions: readonly Definition[] | null = null;
  #imports: readonly Import[] | null = null;
  #exports: readonly Export[] | null = null;
  #uses: readonly Use[] | null = null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get module() {
    return MODULES[this.#bytes[HEADER_BYTES] as number] as Facts['module'];
  }

  get definitions() {
    this.#definitions ??= this.#list('definitions', unpackDefinition);
    return this.#definitions;
  }

  get imports() {
    this.#imports ??= this.#list('imports', unpackImport);
    return this.#imports;
  }

  get exports() {
    this.#exports ??= this.#list('exports', unpackExport);
    return this.#exports;
  }

  get uses() {
    this.#uses ??= this.#list('uses', unpackUse);
    return this.#uses;
  }

  get syntaxError() {
    return this.#rarely.syntaxError;
  }

  get publicNames() {
    return this.#rarely.publicNames;
  }

  get switches() {
    return this.#rarely.switches;
  }

  get comparisons() {
    return this.#rarely.comparisons;
  }

  get opaque() {
    return this.#rarely.opaque;
  }

  get duplicateKeys() {
    return this.#rarely.duplicateKeys;
  }

  get unchecked() {
    return this.#rarely.unchecked;
  }

  get augments() {
    return this.#rarely.augments;
  }

  get #rarely(): Rare {
    if (this.#rare === null) {
      const start = HEADER_BYTES + 1;
      const end = this.#endOf('rare');
      this.#rare =
        start === end ? NOTHING_RARE : (JSON.parse(this.#bytes.toString('utf8', start, end)) as Rare);
    }
    return this.#rare;
  }

  #list<T>(part: (typeof PARTS)[number], one: (reader: ByteReader, lastLine: number) => T & Lined): T[] {
    const start = this.#endOf(PARTS[PARTS.indexOf(part) - 1] as (typeof PARTS)[number]);
    this.#strings ??= JSON.parse(
      this.#bytes.toString('utf8', this.#endOf('uses'), this.#endOf('strings')),
    ) as string[];
    const reader = new ByteReader(this.#bytes, start, this.#strings);
    const count = reader.number();
    const all = new Array<T>(count);
    let lastLine = 0;
    for (let i = 0; i < count; i++) {
      const fact = one(reader, lastLine);
      lastLine = fact.line;
      all[i] = fact;
    }
    return all;
  }

  #endOf(part: (typeof PARTS)[number]): number {
    return this.#bytes.readUInt32LE(PARTS.indexOf(part) * 4);
  }
}

interface Lined {
  readonly line: number;
}

function unpackDefinition(reader: ByteReader, lastLine: number): Definition {
  const marks = reader.number();
  const kind = DEFINITION_KINDS[reader.byte()] as Definition['kind'];
  const name = reader.string();
  const container = reader.nullable();
  const line = lastLine + reader.signed();
  const column = reader.number();
  const endLine = line + reader.signed();
  const bodyHash = reader.hex(8);
  const signatureHash = (marks & Mark.signed) !== 0 ? reader.hex(8) : NO_TOKENS;
  const sketch = unpackSketch(reader);
  const signature = (marks & Mark.signature) !== 0 ? unpackSignature(reader) : null;
  const type = (marks & Mark.type) !== 0 ? reader.string() : null;
  const hasSupertypes = (marks & Mark.supertypes) !== 0;
  const bases = hasSupertypes ? reader.strings() : NONE;
  const promised = hasSupertypes ? reader.strings() : NONE;
  const typeParameters = (marks & Mark.typeParameters) !== 0 ? unpackTypeParameters(reader) : null;
  const literals = (marks & Mark.literals) !== 0 ? reader.strings() : null;
  const decorators = (marks & Mark.decorators) !== 0 ? reader.strings() : NONE;
  const failure = (marks & Mark.failure) !== 0 ? unpackFailure(reader, marks) : null;
  return {
    name,
    container,
    kind,
    line,
    column,
    endLine,
    bodyHash,
    signatureHash,
    sketch,
    signature,
    type,
    bases,
    implements: promised,
    typeParameters,
    literals,
    members: (marks & Mark.members) !== 0 ? membersIn(marks) : null,
    async: (marks & Mark.async) !== 0,
    static: (marks & Mark.static) !== 0,
    abstract: (marks & Mark.abstract) !== 0,
    overrides: (marks & Mark.overrides) !== 0,
    optional: (marks & Mark.optional) !== 0,
    decorators,
    failure,
    overload: (marks & Mark.overload) !== 0,
    conditional: (marks & Mark.conditional) !== 0,
    ambient: (marks & Mark.ambient) !== 0,
  };
}

function unpackSketch(reader: ByteReader): number[] {
  const count = reader.byte();
  const sketch = new Array<number>(count);
  for (let i = 0; i < count; i++) sketch[i] = reader.word();
  return sketch;
}

function unpackTypeParameters(reader: ByteReader): TypeParameters {
  const min = reader.number();
  return { min, max: reader.number() };
}

function unpackFailure(reader: ByteReader, marks: number): Failure {
  const raises = (marks & Mark.raises) !== 0 ? reader.strings() : NONE;
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
    kind: PARAMETER_KINDS[marks & 7] as Parameter['kind'],
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

function unpackImport(reader: ByteReader, lastLine: number): Import {
  const marks = reader.byte();
  const local = reader.nullable();
  const imported = reader.string();
  const from = reader.string();
  const scope = reader.string();
  const line = lastLine + reader.signed();
  return {
    local,
    imported,
    from,
    form: IMPORT_FORMS[marks & 7] as Import['form'],
    typeOnly: (marks & 8) !== 0,
    guarded: (marks & 16) !== 0,
    scope,
    line,
    column: reader.number(),
    endLine: line + reader.signed(),
  };
}

function unpackExport(reader: ByteReader, lastLine: number): Export {
  const typeOnly = reader.byte() === 1;
  const name = reader.string();
  const local = reader.nullable();
  const from = reader.nullable();
  const imported = reader.nullable();
  const line = lastLine + reader.signed();
  return {
    name,
    local,
    from,
    imported,
    typeOnly,
    line,
    column: reader.number(),
    endLine: line + reader.signed(),
  };
}

function unpackUse(reader: ByteReader, lastLine: number): Use {
  const marks = reader.byte();
  const root = reader.string();
  const scope = reader.string();
  const line = lastLine + reader.signed();
  const column = reader.number();
  const endLine = line + reader.signed();
  const path = (marks & 128) !== 0 ? reader.strings() : NONE;
  const typeArguments = (marks & 64) !== 0 ? reader.number() : null;
  const call = (marks & 32) !== 0 ? unpackCall(reader) : null;
  return {
    kind: USE_KINDS[marks & 7] as Use['kind'],
    root,
    rootIs: (marks & 8) !== 0 ? 'instance' : 'name',
    path,
    line,
    column,
    endLine,
    scope,
    call,
    typeArguments,
    guarded: (marks & 16) !== 0,
  };
}

const NO_OBJECTS: CallShape['objects'] = [];

function unpackCall(reader: ByteReader): CallShape {
  const marks = reader.byte();
  const positional = reader.number();
  const unpacked = (marks & 64) !== 0 ? reader.number() : null;
  const hasLists = (marks & 128) !== 0;
  const keywords = hasLists ? reader.strings() : NONE;
  const objects = hasLists ? unpackObjects(reader) : NO_OBJECTS;
  return {
    positional,
    keywords,
    spread: (marks & 8) !== 0,
    keywordSpread: (marks & 16) !== 0,
    objects,
    awaited: (marks & 32) !== 0,
    result: CALL_RESULTS[marks & 7] as CallShape['result'],
    unpacked,
  };
}

function unpackObjects(reader: ByteReader): CallShape['objects'] {
  return Array.from({ length: reader.number() }, () => {
    const head = reader.number();
    return { index: head >> 1, keys: reader.strings(), open: (head & 1) !== 0 };
  });
}

function membersIn(marks: number): Members {
  const open = (marks & Mark.open) !== 0;
  return (marks & Mark.keyed) !== 0 ? { open, keyed: true } : { open };
}
