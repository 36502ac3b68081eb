import type {
  CallShape,
  Definition,
  Export,
  Facts,
  Failure,
  Import,
  ObjectShape,
  Signature,
  Use,
} from '#code/facts/facts.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { ByteWriter } from './byte-writer.ts';
import {
  callResults,
  definitionKinds,
  headerBytes,
  importForms,
  Mark,
  modules,
  parameterKinds,
  parts,
  useKinds,
} from './vocabulary.ts';

/** Facts as bytes, a seventh of the size of JSON. `unpack` restores the same facts. */
export function pack(facts: Facts): Buffer {
  return new Packer().pack(facts);
}

class Packer {
  readonly #writer = new ByteWriter(headerBytes);
  /** Facts are mostly sorted by line: lines are written as differences. */
  #lastLine = 0;

  pack(facts: Facts): Buffer {
    this.#writer.writeByte(modules.indexOf(facts.module));
    this.#packRare(facts);
    this.#endPart('rare');
    this.#packDefinitions(facts.definitions);
    this.#packEach(facts.imports, (fact) => this.#packImport(fact));
    this.#endPart('imports');
    this.#packEach(facts.exports, (fact) => this.#packExport(fact));
    this.#endPart('exports');
    this.#packEach(facts.uses, (fact) => this.#packUse(fact));
    this.#endPart('uses');
    this.#writer.writeStringTable();
    this.#endPart('strings');
    return this.#writer.finish();
  }

  #endPart(part: (typeof parts)[number]): void {
    this.#writer.writeWordAt(parts.indexOf(part) * 4, this.#writer.position());
  }

  #packRare(facts: Facts): void {
    const { syntaxError, publicNames, switches, comparisons, opaque, duplicateKeys } = facts;
    const { unchecked, handlers, augments, quotedNames, unread } = facts;
    const isPlain =
      syntaxError === null &&
      publicNames === null &&
      switches.length + comparisons.length + opaque.length + duplicateKeys.length === 0 &&
      unchecked === undefined &&
      handlers === undefined &&
      quotedNames === undefined &&
      unread === undefined &&
      augments === undefined;
    if (isPlain) return;
    this.#writer.writeText(
      JSON.stringify({
        syntaxError,
        publicNames,
        switches,
        comparisons,
        opaque,
        duplicateKeys,
        unchecked,
        handlers,
        augments,
        quotedNames,
        unread,
      }),
    );
  }

  #packEach<T>(facts: readonly T[], packOne: (fact: T) => void): void {
    this.#writer.writeNumber(facts.length);
    this.#lastLine = 0;
    for (let i = 0; i < facts.length; i++) packOne(facts[i] as T);
  }

  #packSpan(line: number, column: number, endLine: number): void {
    this.#writer.writeSigned(line - this.#lastLine);
    this.#writer.writeNumber(column);
    this.#writer.writeSigned(endLine - line);
    this.#lastLine = line;
  }

  #packDefinitions(definitions: readonly Definition[]): void {
    const marks: number[] = [];
    const lengths: number[] = [];
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition;
      marks.push(marksOf(definition));
      lengths.push(this.#packDetails(definition, marks[i] as number));
    }
    this.#endPart('details');
    this.#writer.writeNumber(definitions.length);
    this.#lastLine = 0;
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition;
      this.#writer.writeNumber(marks[i] as number);
      this.#writer.writeByte(definitionKinds.indexOf(definition.kind));
      this.#writer.writeString(definition.name);
      this.#writer.writeString(definition.container);
      this.#packSpan(definition.line, definition.column, definition.endLine);
      this.#writer.writeNumber(lengths[i] as number);
    }
    this.#endPart('definitions');
  }

  #packDetails(definition: Definition, marks: number): number {
    const { signature, type, bases, typeParameters, literals, decorators, failure, sketch } = definition;
    const start = this.#writer.position();
    this.#writer.writeHash(definition.bodyHash);
    if ((marks & Mark.signed) !== 0) this.#writer.writeHash(definition.signatureHash);
    this.#writer.writeByte(sketch.length);
    this.#writer.writeWords(sketch);
    if (signature !== null) this.#packSignature(signature);
    if (type !== null) this.#writer.writeString(type);
    if ((marks & Mark.supertypes) !== 0) {
      this.#writer.writeStrings(bases);
      this.#writer.writeStrings(definition.implements);
    }
    if (typeParameters !== null) {
      this.#writer.writeNumber(typeParameters.min);
      this.#writer.writeNumber(typeParameters.max);
      this.#writer.writeStrings(typeParameters.names);
    }
    if (literals !== null) this.#writer.writeStrings(literals);
    if (decorators.length > 0) this.#writer.writeStrings(decorators);
    if ((marks & Mark.raises) !== 0) this.#writer.writeStrings((failure as Failure).raises);
    return this.#writer.position() - start;
  }

  #packSignature({ parameters, returns, generator, typeParameters }: Signature): void {
    this.#writer.writeNumber((parameters.length << 1) | (generator ? 1 : 0));
    this.#writer.writeString(returns);
    this.#writer.writeNumber(typeParameters.min);
    this.#writer.writeNumber(typeParameters.max);
    for (const parameter of parameters) {
      const { shape } = parameter;
      this.#writer.writeByte(
        parameterKinds.indexOf(parameter.kind) | (parameter.required ? 8 : 0) | (shape === null ? 0 : 16),
      );
      this.#writer.writeString(parameter.name);
      this.#writer.writeString(parameter.default);
      this.#writer.writeString(parameter.type);
      this.#writer.writeString(parameter.typeName);
      if (shape !== null) this.#packShape(shape);
    }
  }

  #packShape({ keys, open }: ObjectShape): void {
    this.#writer.writeNumber((keys.length << 1) | (open ? 1 : 0));
    for (const { name, required } of keys) {
      this.#writer.writeString(name);
      this.#writer.writeByte(required ? 1 : 0);
    }
  }

  #packImport(fact: Import): void {
    this.#writer.writeByte(
      importForms.indexOf(fact.form) | (fact.typeOnly ? 8 : 0) | (fact.guarded ? 16 : 0),
    );
    this.#writer.writeString(fact.local);
    this.#writer.writeString(fact.imported);
    this.#writer.writeString(fact.from);
    this.#writer.writeString(fact.scope);
    this.#packSpan(fact.line, fact.column, fact.endLine);
  }

  #packExport(fact: Export): void {
    this.#writer.writeByte(fact.typeOnly ? 1 : 0);
    this.#writer.writeString(fact.name);
    this.#writer.writeString(fact.local);
    this.#writer.writeString(fact.from);
    this.#writer.writeString(fact.imported);
    this.#packSpan(fact.line, fact.column, fact.endLine);
  }

  #packUse(use: Use): void {
    const { path, call, typeArguments } = use;
    // Rare flags come last, so that the common ones fit into one byte.
    this.#writer.writeNumber(
      useKinds.indexOf(use.kind) |
        (use.rootIs === 'instance' ? 8 : 0) |
        (use.guarded ? 16 : 0) |
        (call !== null ? 32 : 0) |
        (path.length > 0 ? 64 : 0) |
        (typeArguments !== null ? 128 : 0) |
        (use.rootIs === 'package' ? 256 : 0) |
        (use.rootIs === 'fixture' ? 512 : 0) |
        (use.rootIs === 'cast' ? 1024 : 0),
    );
    this.#writer.writeString(use.root);
    this.#writer.writeRepeated(use.scope);
    this.#packSpan(use.line, use.column, use.endLine);
    if (path.length > 0) this.#writer.writeStrings(path);
    if (typeArguments !== null) this.#writer.writeNumber(typeArguments);
    if (call !== null) this.#packCall(call);
  }

  #packCall(call: CallShape): void {
    const { keywords, objects, unpacked } = call;
    const hasLists = keywords.length + objects.length > 0;
    // One byte, unless something rare is among them.
    this.#writer.writeNumber(
      callResults.indexOf(call.result) |
        (hasLists ? 16 : 0) |
        (call.awaited ? 32 : 0) |
        (unpacked !== null ? 64 : 0) |
        (call.spread ? 128 : 0) |
        (call.keywordSpread ? 256 : 0),
    );
    this.#writer.writeNumber(call.positional);
    if (unpacked !== null) this.#writer.writeNumber(unpacked);
    if (!hasLists) return;
    this.#writer.writeStrings(keywords);
    this.#writer.writeNumber(objects.length);
    for (const { index, keys, open } of objects) {
      this.#writer.writeNumber((index << 1) | (open ? 1 : 0));
      this.#writer.writeStrings(keys);
    }
  }
}

function marksOf(definition: Definition): number {
  const { members, failure } = definition;
  return (
    (definition.async ? Mark.async : 0) |
    (definition.static ? Mark.static : 0) |
    (definition.abstract ? Mark.abstract : 0) |
    (definition.overrides ? Mark.overrides : 0) |
    (definition.optional ? Mark.optional : 0) |
    (definition.overload ? Mark.overload : 0) |
    (definition.conditional ? Mark.conditional : 0) |
    (definition.ambient ? Mark.ambient : 0) |
    (definition.hidden ? Mark.hidden : 0) |
    (definition.signature !== null ? Mark.signature : 0) |
    (definition.type !== null ? Mark.type : 0) |
    (definition.bases.length + definition.implements.length > 0 ? Mark.supertypes : 0) |
    (definition.typeParameters !== null ? Mark.typeParameters : 0) |
    (definition.literals !== null ? Mark.literals : 0) |
    (definition.decorators.length > 0 ? Mark.decorators : 0) |
    (members === null ? 0 : members.open ? Mark.members | Mark.open : Mark.members) |
    (members?.keyed ? Mark.keyed : 0) |
    (members?.lent ? Mark.lent : 0) |
    (failure === null ? 0 : failureMarks(failure)) |
    (definition.signatureHash !== noTokens ? Mark.signed : 0)
  );
}

function failureMarks({ raises, returnsNothing }: Failure): number {
  return Mark.failure | (raises.length > 0 ? Mark.raises : 0) | (returnsNothing ? Mark.returnsNothing : 0);
}
