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
import { NO_TOKENS } from '#code/lex/text-shape.ts';
import {
  begin,
  finish,
  position,
  writeByte,
  writeHash,
  writeNumber,
  writeRepeated,
  writeSigned,
  writeString,
  writeStrings,
  writeStringTable,
  writeText,
  writeWordAt,
  writeWords,
} from './byte-writer.ts';
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

/** Facts as bytes, a seventh of what JSON takes. `unpack` gives the same facts back. */
export function pack(facts: Facts): Buffer {
  begin(HEADER_BYTES);
  writeByte(MODULES.indexOf(facts.module));
  packRare(facts);
  endPart('rare');
  packDefinitions(facts.definitions);
  packEach(facts.imports, packImport);
  endPart('imports');
  packEach(facts.exports, packExport);
  endPart('exports');
  packEach(facts.uses, packUse);
  endPart('uses');
  writeStringTable();
  endPart('strings');
  return finish();
}

function endPart(part: (typeof PARTS)[number]): void {
  writeWordAt(PARTS.indexOf(part) * 4, position());
}

/** Most files have none of these; where one has, JSON is good enough. */
function packRare(facts: Facts): void {
  const { syntaxError, publicNames, switches, comparisons, opaque, duplicateKeys } = facts;
  const { unchecked, handlers, augments, quotedNames } = facts;
  const isPlain =
    syntaxError === null &&
    publicNames === null &&
    switches.length + comparisons.length + opaque.length + duplicateKeys.length === 0 &&
    unchecked === undefined &&
    handlers === undefined &&
    quotedNames === undefined &&
    augments === undefined;
  if (isPlain) return;
  writeText(
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
    }),
  );
}

/** Facts are mostly in the order of their lines: those are written as distances. */
let lastLine = 0;

/** Counts rather than iterates: that is slow in code that has just been started. */
function packEach<T>(facts: readonly T[], packOne: (fact: T) => void): void {
  writeNumber(facts.length);
  lastLine = 0;
  for (let i = 0; i < facts.length; i++) packOne(facts[i] as T);
}

function packSpan(line: number, column: number, endLine: number): void {
  writeSigned(line - lastLine);
  writeNumber(column);
  writeSigned(endLine - line);
  lastLine = line;
}

/** Details lie apart, so that whoever looks for a name need not read past them. */
function packDefinitions(definitions: readonly Definition[]): void {
  const marks: number[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < definitions.length; i++) {
    const definition = definitions[i] as Definition;
    marks.push(marksOf(definition));
    lengths.push(packDetails(definition, marks[i] as number));
  }
  endPart('details');
  writeNumber(definitions.length);
  lastLine = 0;
  for (let i = 0; i < definitions.length; i++) {
    const definition = definitions[i] as Definition;
    writeNumber(marks[i] as number);
    writeByte(DEFINITION_KINDS.indexOf(definition.kind));
    writeString(definition.name);
    writeString(definition.container);
    packSpan(definition.line, definition.column, definition.endLine);
    writeNumber(lengths[i] as number);
  }
  endPart('definitions');
}

/** Returns how many bytes it takes. */
function packDetails(definition: Definition, marks: number): number {
  const { signature, type, bases, typeParameters, literals, decorators, failure, sketch } = definition;
  const start = position();
  writeHash(definition.bodyHash);
  if ((marks & Mark.signed) !== 0) writeHash(definition.signatureHash);
  writeByte(sketch.length);
  writeWords(sketch);
  if (signature !== null) packSignature(signature);
  if (type !== null) writeString(type);
  if ((marks & Mark.supertypes) !== 0) {
    writeStrings(bases);
    writeStrings(definition.implements);
  }
  if (typeParameters !== null) {
    writeNumber(typeParameters.min);
    writeNumber(typeParameters.max);
    writeStrings(typeParameters.names);
  }
  if (literals !== null) writeStrings(literals);
  if (decorators.length > 0) writeStrings(decorators);
  if ((marks & Mark.raises) !== 0) writeStrings((failure as Failure).raises);
  return position() - start;
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
    (definition.signatureHash !== NO_TOKENS ? Mark.signed : 0)
  );
}

function failureMarks({ raises, returnsNothing }: Failure): number {
  return Mark.failure | (raises.length > 0 ? Mark.raises : 0) | (returnsNothing ? Mark.returnsNothing : 0);
}

function packSignature({ parameters, returns, generator, typeParameters }: Signature): void {
  writeNumber((parameters.length << 1) | (generator ? 1 : 0));
  writeString(returns);
  writeNumber(typeParameters.min);
  writeNumber(typeParameters.max);
  for (const parameter of parameters) {
    const { shape } = parameter;
    writeByte(
      PARAMETER_KINDS.indexOf(parameter.kind) | (parameter.required ? 8 : 0) | (shape === null ? 0 : 16),
    );
    writeString(parameter.name);
    writeString(parameter.default);
    writeString(parameter.type);
    writeString(parameter.typeName);
    if (shape !== null) packShape(shape);
  }
}

function packShape({ keys, open }: ObjectShape): void {
  writeNumber((keys.length << 1) | (open ? 1 : 0));
  for (const { name, required } of keys) {
    writeString(name);
    writeByte(required ? 1 : 0);
  }
}

function packImport(fact: Import): void {
  writeByte(IMPORT_FORMS.indexOf(fact.form) | (fact.typeOnly ? 8 : 0) | (fact.guarded ? 16 : 0));
  writeString(fact.local);
  writeString(fact.imported);
  writeString(fact.from);
  writeString(fact.scope);
  packSpan(fact.line, fact.column, fact.endLine);
}

function packExport(fact: Export): void {
  writeByte(fact.typeOnly ? 1 : 0);
  writeString(fact.name);
  writeString(fact.local);
  writeString(fact.from);
  writeString(fact.imported);
  packSpan(fact.line, fact.column, fact.endLine);
}

function packUse(use: Use): void {
  const { path, call, typeArguments } = use;
  writeByte(
    USE_KINDS.indexOf(use.kind) |
      (use.rootIs === 'instance' ? 8 : 0) |
      (use.guarded ? 16 : 0) |
      (call !== null ? 32 : 0) |
      (typeArguments !== null ? 64 : 0) |
      (path.length > 0 ? 128 : 0),
  );
  writeString(use.root);
  writeRepeated(use.scope);
  packSpan(use.line, use.column, use.endLine);
  if (path.length > 0) writeStrings(path);
  if (typeArguments !== null) writeNumber(typeArguments);
  if (call !== null) packCall(call);
}

function packCall(call: CallShape): void {
  const { keywords, objects, unpacked } = call;
  const hasLists = keywords.length + objects.length > 0;
  writeByte(
    CALL_RESULTS.indexOf(call.result) |
      (call.spread ? 8 : 0) |
      (call.keywordSpread ? 16 : 0) |
      (call.awaited ? 32 : 0) |
      (unpacked !== null ? 64 : 0) |
      (hasLists ? 128 : 0),
  );
  writeNumber(call.positional);
  if (unpacked !== null) writeNumber(unpacked);
  if (!hasLists) return;
  writeStrings(keywords);
  writeNumber(objects.length);
  for (const { index, keys, open } of objects) {
    writeNumber((index << 1) | (open ? 1 : 0));
    writeStrings(keys);
  }
}
