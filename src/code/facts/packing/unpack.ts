import type { CallShape, Definition, Export, Facts, Import, Use } from '#code/facts/facts.ts';
import { ByteReader } from './byte-reader.ts';
import { PackedDefinition } from './packed-definition.ts';
import { callResults, headerBytes, importForms, modules, parts, useKinds } from './vocabulary.ts';

/** Restores the facts that `pack` encoded. Everything is decoded on demand. */
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
  | 'handlers'
  | 'quotedNames'
  | 'unread'
  | 'augments'
>;

const nothingRare: Rare = {
  syntaxError: null,
  publicNames: null,
  switches: [],
  comparisons: [],
  opaque: [],
  duplicateKeys: [],
};
const none: readonly string[] = [];

/** Most files need only some of their facts: the uses in a file that is only imported are never decoded. */
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
    return modules[this.#bytes[headerBytes] as number] as Facts['module'];
  }

  get definitions() {
    this.#definitions ??= this.#unpackDefinitions();
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

  get unread() {
    return this.#rarely.unread;
  }

  get quotedNames() {
    return this.#rarely.quotedNames;
  }

  get handlers() {
    return this.#rarely.handlers;
  }

  get augments() {
    return this.#rarely.augments;
  }

  get #rarely(): Rare {
    if (this.#rare === null) {
      const start = headerBytes + 1;
      const end = this.#endOf('rare');
      this.#rare =
        start === end ? nothingRare : (JSON.parse(this.#bytes.toString('utf8', start, end)) as Rare);
    }
    return this.#rare;
  }

  #unpackDefinitions(): Definition[] {
    let details = this.#endOf('rare');
    return this.#list('definitions', (reader, lastLine) => {
      const definition = new PackedDefinition(reader, lastLine, this.#bytes, details);
      details += reader.number();
      return definition;
    });
  }

  #list<T>(part: (typeof parts)[number], one: (reader: ByteReader, lastLine: number) => T & Lined): T[] {
    const start = this.#endOf(parts[parts.indexOf(part) - 1] as (typeof parts)[number]);
    this.#strings ??= new ByteReader(this.#bytes, this.#endOf('uses'), none).stringTable(
      this.#endOf('strings'),
    );
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

  #endOf(part: (typeof parts)[number]): number {
    return this.#bytes.readUInt32LE(parts.indexOf(part) * 4);
  }
}

interface Lined {
  readonly line: number;
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
    form: importForms[marks & 7] as Import['form'],
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

function unpackRoot(marks: number): Use['rootIs'] {
  if ((marks & 8) !== 0) return 'instance';
  if (marks < 256) return 'name';
  if ((marks & 1024) !== 0) return 'cast';
  return (marks & 256) !== 0 ? 'package' : 'fixture';
}

function unpackUse(reader: ByteReader, lastLine: number): Use {
  const marks = reader.number();
  const root = reader.string();
  const scope = reader.string();
  const line = lastLine + reader.signed();
  const column = reader.number();
  const endLine = line + reader.signed();
  const path = (marks & 64) !== 0 ? reader.strings() : none;
  const typeArguments = (marks & 128) !== 0 ? reader.number() : null;
  const call = (marks & 32) !== 0 ? unpackCall(reader) : null;
  return {
    kind: useKinds[marks & 7] as Use['kind'],
    root,
    rootIs: unpackRoot(marks),
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

const noObjects: CallShape['objects'] = [];

function unpackCall(reader: ByteReader): CallShape {
  const marks = reader.number();
  const positional = reader.number();
  const unpacked = (marks & 64) !== 0 ? reader.number() : null;
  const hasLists = (marks & 16) !== 0;
  const keywords = hasLists ? reader.strings() : none;
  const objects = hasLists ? unpackObjects(reader) : noObjects;
  return {
    positional,
    keywords,
    spread: (marks & 128) !== 0,
    keywordSpread: (marks & 256) !== 0,
    objects,
    awaited: (marks & 32) !== 0,
    result: callResults[marks & 15] as CallShape['result'],
    unpacked,
  };
}

function unpackObjects(reader: ByteReader): CallShape['objects'] {
  return Array.from({ length: reader.number() }, () => {
    const head = reader.number();
    return { index: head >> 1, keys: reader.strings(), open: (head & 1) !== 0 };
  });
}
