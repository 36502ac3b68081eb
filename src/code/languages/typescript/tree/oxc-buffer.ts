import type { FlatTree } from './flat-tree.ts';
import { Flag, type FlagName, Kind, type KindName, Role, type RoleName } from './grammar.ts';
import { ENUMS, ERRORS, STRUCTURES } from './oxc-layout.ts';

/** The buffer into which oxc writes its tree, as `oxc-parser/src-js/raw-transfer/common.js` hands it out. */
export interface OxcBuffer extends Uint8Array {
  readonly int32: Int32Array;
}

const TRANSPARENT = 254;
const LEFT_OUT = 255;
const SAME_ROLE = 255;

const IN_PLACE = 0;
const POINTER = 1;
const VECTOR = 2;

interface Part {
  readonly how: number;
  readonly role: number;
  readonly offset: number;
  /** Size of one element of a vector. */
  readonly size: number;
  /** Index of a structure, or -1 when the part is an enum. */
  readonly structure: number;
  /** By discriminant: the structure plus one, negative when it lies in place; 0 is none. */
  readonly variants: Int16Array;
  /** Exists only if the part before it does. */
  readonly dependent: boolean;
  /** An identifier that may be absent: then the pointer to its name is null. */
  readonly nameOffset: number;
}

interface Structure {
  readonly kind: number;
  readonly parts: readonly Part[];
  /** Three numbers each: offset, value, flag. */
  readonly flags: Int32Array;
}

const structures = compileStructures();
const program = structures.findIndex((structure) => structure.kind === Kind.Program);

/** Explicit stack: trees may be nested deeper than the call stack. Four numbers per pending structure. */
let stack = new Int32Array(1 << 14);

/** Reads the program at `position` into `tree`. */
export function readBuffer(buffer: OxcBuffer, position: number, tree: FlatTree): void {
  const { int32 } = buffer;
  tree.clear();
  let top = push(0, program, position, Role.other, -1);
  while (top > 0) {
    top -= 4;
    const structure = structures[stack[top] as number] as Structure;
    const at = stack[top + 1] as number;
    const role = stack[top + 2] as number;
    let parent = stack[top + 3] as number;
    const { kind, parts } = structure;
    if (kind === LEFT_OUT) continue;
    if (kind !== TRANSPARENT) {
      let flags = 0;
      const marks = structure.flags;
      for (let i = 0; i < marks.length; i += 3) {
        if (buffer[at + (marks[i] as number)] === marks[i + 1]) flags |= marks[i + 2] as number;
      }
      parent = tree.add(kind, role, flags, int32[at >> 2] as number, int32[(at >> 2) + 1] as number, parent);
    }
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i] as Part;
      if (part.dependent && !exists(buffer, at, parts[i - 1] as Part)) continue;
      top = pushPart(buffer, top, part, at + part.offset, part.role === SAME_ROLE ? role : part.role, parent);
    }
  }
  tree.close();
}

/** The first error the parser reports: its message and the UTF-16 offset it points at. */
export function firstErrorInBuffer(
  buffer: OxcBuffer,
  data: number,
): { message: string; offset: number } | null {
  const { int32 } = buffer;
  const vector = (data + ERRORS.vector) >> 2;
  if (int32[vector + 2] === 0) return null;
  const error = int32[vector] as number;
  const text = (error + ERRORS.message) >> 2;
  const from = int32[text] as number;
  const message = new TextDecoder().decode(buffer.slice(from, from + (int32[text + 2] as number)));
  const labels = (error + ERRORS.labels) >> 2;
  const offset = int32[labels + 2] === 0 ? 0 : (int32[(int32[labels] as number) >> 2] as number);
  return { message, offset };
}

function pushPart(
  buffer: OxcBuffer,
  top: number,
  part: Part,
  at: number,
  role: number,
  parent: number,
): number {
  const { int32 } = buffer;
  if (part.how === VECTOR) {
    const first = int32[at >> 2] as number;
    if (first === 0) return top;
    let filled = top;
    for (let i = (int32[(at >> 2) + 2] as number) - 1; i >= 0; i--) {
      filled = pushOne(buffer, filled, part, first + i * part.size, role, parent);
    }
    return filled;
  }
  if (part.how === POINTER) {
    const target = int32[at >> 2] as number;
    return target === 0 ? top : pushOne(buffer, top, part, target, role, parent);
  }
  if (part.nameOffset > 0 && int32[(at + part.nameOffset) >> 2] === 0) return top;
  return pushOne(buffer, top, part, at, role, parent);
}

function pushOne(
  buffer: OxcBuffer,
  top: number,
  part: Part,
  at: number,
  role: number,
  parent: number,
): number {
  if (part.structure >= 0) return push(top, part.structure, at, role, parent);
  const variant = part.variants[buffer[at] as number] as number;
  if (variant === 0) return top;
  if (variant < 0) return push(top, -variant - 1, at + 8, role, parent);
  return push(top, variant - 1, buffer.int32[(at + 8) >> 2] as number, role, parent);
}

function push(top: number, structure: number, at: number, role: number, parent: number): number {
  if (top + 4 > stack.length) {
    const larger = new Int32Array(stack.length * 2);
    larger.set(stack);
    stack = larger;
  }
  stack[top] = structure;
  stack[top + 1] = at;
  stack[top + 2] = role;
  stack[top + 3] = parent;
  return top + 4;
}

function exists(buffer: OxcBuffer, at: number, part: Part): boolean {
  return part.variants[buffer[at + part.offset] as number] !== 0;
}

function compileStructures(): Structure[] {
  const lines = STRUCTURES.trim().split('\n');
  const index = new Map(lines.map((line, i) => [line.slice(0, line.indexOf(' ')), i]));
  const enums = compileEnums(index);
  return lines.map((line) => {
    const [, kind = '', ...rest] = line.split(' ');
    return {
      kind: kindOf(kind),
      parts: rest.filter((word) => !word.startsWith('+')).map((word) => compilePart(word, index, enums)),
      flags: Int32Array.from(rest.filter((word) => word.startsWith('+')).flatMap(compileFlag)),
    };
  });
}

function kindOf(word: string): number {
  if (word === '^') return TRANSPARENT;
  if (word === '!') return LEFT_OUT;
  return word === '-' ? Kind.Other : Kind[word as KindName];
}

function compileEnums(structureIndex: ReadonlyMap<string, number>): Map<string, Int16Array> {
  const enums = new Map<string, Int16Array>();
  for (const line of ENUMS.trim().split('\n')) {
    const [name = '', ...words] = line.split(' ');
    const variants = new Int16Array(256);
    if (words[0] === '+') variants.set(enums.get(words[1] as string) as Int16Array);
    for (const word of words) {
      const [, discriminant, inPlace, target] = /^(\d+):(=?)(\w+)$/.exec(word) ?? [];
      if (target === undefined) continue;
      const reference = (structureIndex.get(target) as number) + 1;
      variants[Number(discriminant)] = inPlace ? -reference : reference;
    }
    enums.set(name, variants);
  }
  return enums;
}

function compilePart(
  word: string,
  index: ReadonlyMap<string, number>,
  enums: ReadonlyMap<string, Int16Array>,
): Part {
  const [, role = '', star, , element = '', size, offset, dependent] =
    /^(\^|\w+):(\*?)(\[?)(\w+)(?:\/(\d+)\])?@(\d+)(\??)$/.exec(word) ?? [];
  const variants = enums.get(element);
  return {
    how: size ? VECTOR : star ? POINTER : IN_PLACE,
    role: role === '^' ? SAME_ROLE : Role[role as RoleName],
    offset: Number(offset),
    size: Number(size ?? 0),
    structure: variants ? -1 : (index.get(element) as number),
    variants: variants ?? new Int16Array(0),
    dependent: dependent === '?',
    nameOffset: element === 'BindingIdentifier' ? 16 : 0,
  };
}

function compileFlag(word: string): number[] {
  const [, name = '', offset, value] = /^\+(\w+)@(\d+)(?:=(\d+))?$/.exec(word) ?? [];
  return [Number(offset), Number(value ?? 1), Flag[name as FlagName]];
}
