import type { FlatTree } from './flat-tree.ts';
import { Flag, type FlagName, Kind, type KindName, Role, type RoleName } from './grammar.ts';
import { enumLayouts, errorLayout, structureLayouts } from './oxc-layout.ts';

/** The buffer into which oxc writes its tree. */
export interface OxcBuffer extends Uint8Array {
  readonly int32: Int32Array;
  readonly float64: Float64Array;
}

/** Above all kinds. `transparent`: writes no node, its parts replace it. `leftOut`: left out with everything below it. */
const transparent = 254;
const leftOut = 255;
/** The role of the structure itself. */
const sameRole = 255;

/** How a part stores its content. */
const structureField = 0;
const enumField = 1;
/** An optional identifier: when it is absent, the pointer to its name is null. */
const nameField = 2;
const structurePointerField = 3;
const enumPointerField = 4;
/** A pointer that exists only if the part before it, an enum, has a value. */
const dependentField = 5;
const structureVectorField = 6;
const enumVectorField = 7;
const namePointerField = 16;

/** Six numbers for each part: how, role, offset, target, size of one element, offset of the part before it. */
const partLength = 6;
const discriminantCount = 256;
/** Space on the stack for the parts of one structure that are not vectors. */
const room = 64;

/**
 * The layout as flat columns, so that one small loop reads everything: the kind of each structure, where its parts and flags start (the
 * next structure's start ends them), parts, flags (offset, value, flag), and for each enum the meaning of its discriminants: the structure
 * plus one, negative when it is stored inline; 0 is none.
 */
const layout = compileLayout();

/** Explicit stack: trees may be nested deeper than the call stack. Three numbers per pending structure. */
let stack = new Int32Array(1 << 14);

/** Number of structures read per call: V8 would compile one endless loop separately, and then again. */
const portion = 256;

/** Reads the program at `position` into `tree`. */
export function readBuffer(buffer: OxcBuffer, position: number, tree: FlatTree): void {
  tree.clear();
  // The upper bits contain the role.
  stack[0] = layout.program | (Role.other << 16);
  stack[1] = position;
  stack[2] = -1;
  for (let top = 3; top > 0; ) top = readPortion(buffer, tree, top);
  tree.close();
}

/** Reads pending structures; takes and returns the end of the stack. */
function readPortion(buffer: OxcBuffer, tree: FlatTree, pendingEnd: number): number {
  const { int32 } = buffer;
  // Local copies: the compiler would look up module variables each time.
  const { kinds, firstPart, parts, firstFlag, marks, variants } = layout;
  let { kind, role, flags, start, end, parent, after, count, allFlags } = tree;
  const { kinds: kindsFound } = tree;
  let pending = stack;
  let top = pendingEnd;
  for (let left = portion; left > 0 && top > 0; left--) {
    top -= 3;
    const structure = (pending[top] as number) & 0xffff;
    const ownRole = (pending[top] as number) >> 16;
    const at = pending[top + 1] as number;
    let above = pending[top + 2] as number;
    const ownKind = kinds[structure] as number;
    if (ownKind === leftOut) continue;
    if (ownKind !== transparent) {
      if (count === kind.length) {
        tree.count = count;
        tree.grow();
        ({ kind, role, flags, start, end, parent, after } = tree);
      }
      let ownFlags = 0;
      const flagsEnd = firstFlag[structure + 1] as number;
      for (let i = firstFlag[structure] as number; i < flagsEnd; i += 3) {
        if (buffer[at + (marks[i] as number)] === marks[i + 1]) ownFlags |= marks[i + 2] as number;
      }
      kindsFound[ownKind] = 1;
      allFlags |= ownFlags;
      kind[count] = ownKind;
      role[count] = ownRole;
      flags[count] = ownFlags;
      start[count] = int32[at >> 2] as number;
      end[count] = int32[(at >> 2) + 1] as number;
      parent[count] = above;
      if (ownKind === Kind.RegExp || ownKind === Kind.JsxText) tree.verbatim.push(count);
      above = count++;
      after[above] = count;
    }
    if (top + room > pending.length) pending = widened(top + room);
    // Last part first: the last pushed is read next.
    const first = firstPart[structure] as number;
    for (let part = (firstPart[structure + 1] as number) - partLength; part >= first; part -= partLength) {
      const how = parts[part] as number;
      const partRole = (parts[part + 1] === sameRole ? ownRole : (parts[part + 1] as number)) << 16;
      let from = at + (parts[part + 2] as number);
      let target = parts[part + 3] as number;
      if (how >= structureVectorField) {
        const elements = int32[from >> 2] as number;
        if (elements === 0) continue;
        const length = int32[(from >> 2) + 2] as number;
        const size = parts[part + 4] as number;
        if (top + length * 3 + room > pending.length) pending = widened(top + length * 3 + room);
        for (let i = length - 1; i >= 0; i--) {
          let element = elements + i * size;
          let pointed = target;
          if (how === enumVectorField) {
            const variant = variants[target + (buffer[element] as number)] as number;
            if (variant === 0) continue;
            pointed = (variant < 0 ? -variant : variant) - 1;
            element = variant < 0 ? element + 8 : (int32[(element + 8) >> 2] as number);
          }
          pending[top] = pointed | partRole;
          pending[top + 1] = element;
          pending[top + 2] = above;
          top += 3;
        }
        continue;
      }
      if (how === nameField) {
        if (int32[(from + namePointerField) >> 2] === 0) continue;
      } else if (how >= structurePointerField) {
        if (how === dependentField) {
          const before = buffer[at + (parts[part + 5] as number)] as number;
          if (variants[(parts[part + 4] as number) + before] === 0) continue;
        }
        from = int32[from >> 2] as number;
        if (from === 0) continue;
      }
      if (how === enumField || how === enumPointerField) {
        const variant = variants[target + (buffer[from] as number)] as number;
        if (variant === 0) continue;
        target = (variant < 0 ? -variant : variant) - 1;
        from = variant < 0 ? from + 8 : (int32[(from + 8) >> 2] as number);
      }
      pending[top] = target | partRole;
      pending[top + 1] = from;
      pending[top + 2] = above;
      top += 3;
    }
  }
  tree.count = count;
  tree.allFlags = allFlags;
  return top;
}

function widened(atLeast: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(stack.length * 2, atLeast));
  larger.set(stack);
  stack = larger;
  return larger;
}

/** The first error the parser reports: its message and the UTF-16 offset it points at. */
export function firstErrorInBuffer(
  buffer: OxcBuffer,
  data: number,
): { message: string; offset: number } | null {
  const { int32 } = buffer;
  const vector = (data + errorLayout.vector) >> 2;
  if (int32[vector + 2] === 0) return null;
  const error = int32[vector] as number;
  const text = (error + errorLayout.message) >> 2;
  const from = int32[text] as number;
  const message = new TextDecoder().decode(buffer.slice(from, from + (int32[text + 2] as number)));
  const labels = (error + errorLayout.labels) >> 2;
  const offset = int32[labels + 2] === 0 ? 0 : (int32[(int32[labels] as number) >> 2] as number);
  return { message, offset };
}

function compileLayout() {
  const lines = structureLayouts
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const index = new Map(lines.map(([name = ''], i) => [name, i]));
  const enums = new Map<string, number>();
  const discriminants = compileEnums(index, enums);
  const firstParts: number[] = [];
  const allParts: number[] = [];
  const firstFlags: number[] = [];
  const allFlags: number[] = [];
  for (const [, , ...words] of lines) {
    firstParts.push(allParts.length);
    firstFlags.push(allFlags.length);
    for (const word of words) {
      if (word.startsWith('+')) allFlags.push(...compileFlag(word));
      else allParts.push(...compilePart(word, index, enums, allParts.slice(-partLength)));
    }
  }
  return {
    kinds: Uint8Array.from(lines, ([, kind = '']) => kindOf(kind)),
    firstPart: Int32Array.of(...firstParts, allParts.length),
    parts: Int32Array.from(allParts),
    firstFlag: Int32Array.of(...firstFlags, allFlags.length),
    marks: Int32Array.from(allFlags),
    variants: discriminants,
    program: index.get('Program') as number,
  };
}

function kindOf(word: string): number {
  if (word === '^') return transparent;
  if (word === '!') return leftOut;
  return word === '-' ? Kind.Other : Kind[word as KindName];
}

/** All enums in one array; records in `enums` where each starts. */
function compileEnums(structureIndex: ReadonlyMap<string, number>, enums: Map<string, number>): Int16Array {
  const lines = enumLayouts.trim().split('\n');
  const all = new Int16Array(lines.length * discriminantCount);
  for (const [i, line] of lines.entries()) {
    const [name = '', ...words] = line.split(' ');
    const first = i * discriminantCount;
    enums.set(name, first);
    if (words[0] === '+') {
      const inherited = enums.get(words[1] as string) as number;
      all.copyWithin(first, inherited, inherited + discriminantCount);
    }
    for (const word of words) {
      const [, discriminant, inPlace, target] = /^(\d+):(=?)(\w+)$/.exec(word) ?? [];
      if (target === undefined) continue;
      const reference = (structureIndex.get(target) as number) + 1;
      all[first + Number(discriminant)] = inPlace ? -reference : reference;
    }
  }
  return all;
}

function compilePart(
  word: string,
  index: ReadonlyMap<string, number>,
  enums: ReadonlyMap<string, number>,
  before: readonly number[],
): number[] {
  const [, role = '', star, , element = '', size, offset, dependent] =
    /^(\^|\w+):(\*?)(\[?)(\w+)(?:\/(\d+)\])?@(\d+)(\??)$/.exec(word) ?? [];
  const first = enums.get(element);
  const isEnum = first !== undefined;
  const target = isEnum ? first : (index.get(element) as number);
  const partRole = role === '^' ? sameRole : Role[role as RoleName];
  if (dependent === '?') {
    const [how, , offsetBefore = 0, targetBefore = 0] = before;
    if (isEnum || !star || how !== enumField) throw new Error(`${word} depends on what is no enum`);
    return [dependentField, partRole, Number(offset), target, targetBefore, offsetBefore];
  }
  let how = size ? structureVectorField : star ? structurePointerField : structureField;
  if (isEnum) how++;
  else if (how === structureField && element === 'BindingIdentifier') how = nameField;
  return [how, partRole, Number(offset), target, Number(size ?? 0), 0];
}

function compileFlag(word: string): number[] {
  const [, name = '', offset, value] = /^\+(\w+)@(\d+)(?:=(\d+))?$/.exec(word) ?? [];
  return [Number(offset), Number(value ?? 1), Flag[name as FlagName]];
}
