import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Repository } from '#git/call/repository.ts';

export interface PackedObject {
  readonly id: string;
  readonly type: 'commit' | 'tree' | 'blob';
  readonly content: Buffer;
}

const typeNumbers = { commit: 1, tree: 2, blob: 3 };

/** Encodes many objects as git's pack file and index, and computes the name of both. */
export function packFile(
  objects: readonly PackedObject[],
  format: Repository['objectFormat'],
): { readonly name: string; readonly pack: Buffer; readonly index: Buffer } {
  const sealed = (parts: readonly Buffer[]) => {
    const content = Buffer.concat(parts);
    const seal = createHash(format).update(content).digest();
    return { seal, file: Buffer.concat([content, seal]) };
  };
  const header = Buffer.concat([Buffer.from('PACK'), numbers([2, objects.length])]);
  let offset = header.length;
  const entries = objects.map(({ id, type, content }) => {
    const bytes = Buffer.concat([
      headerOf(typeNumbers[type], content.length),
      deflateSync(content, { level: 1 }),
    ]);
    const entry = { id, bytes, crc: crc32(bytes), offset };
    offset += bytes.length;
    return entry;
  });
  const pack = sealed([header, ...entries.map(({ bytes }) => bytes)]);
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
  const index = sealed([
    Buffer.from('\xfftOc', 'latin1'),
    numbers([2]),
    numbers(idsUpTo(sorted)),
    ...sorted.map(({ id }) => Buffer.from(id, 'hex')),
    numbers(sorted.map(({ crc }) => crc)),
    numbers(sorted.map((entry) => entry.offset)),
    pack.seal,
  ]);
  return { name: `pack-${pack.seal.toString('hex')}`, pack: pack.file, index: index.file };
}

/** The type and the lowest four bits of the size, then seven more bits in each byte. */
function headerOf(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let [byte, rest] = [(type << 4) | (size & 15), Math.floor(size / 16)];
  while (rest > 0) {
    bytes.push(byte | 128);
    [byte, rest] = [rest & 127, Math.floor(rest / 128)];
  }
  return Buffer.from([...bytes, byte]);
}

/** By first byte: how many ids start with it or a smaller one. */
function idsUpTo(sorted: readonly { readonly id: string }[]): number[] {
  const counts = new Array<number>(256).fill(0);
  for (const { id } of sorted) {
    const first = Number.parseInt(id.slice(0, 2), 16);
    counts[first] = (counts[first] ?? 0) + 1;
  }
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum;
  });
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}
