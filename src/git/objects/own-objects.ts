import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';
import { type PackedObject, packFile } from './pack-file.ts';

const mostUnwritten = 16 * 1024 * 1024;

/** The id that git gives to this content. */
export function objectId(
  format: Repository['objectFormat'],
  type: PackedObject['type'],
  content: Buffer,
): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/**
 * Objects that Joinery creates without git: a git process for each would cost more than the work. They are collected in memory and written
 * as one pack when git is about to read something; most unions are read only by Joinery.
 */
export class OwnObjects {
  readonly #dir: string;
  readonly #format: Repository['objectFormat'];
  readonly #unwritten = new Map<string, PackedObject>();
  readonly #written = new Set<string>();
  #unwrittenBytes = 0;

  constructor(objectsDir: string, format: Repository['objectFormat']) {
    this.#dir = join(objectsDir, 'pack');
    this.#format = format;
  }

  /** Returns the id. */
  add(type: PackedObject['type'], content: Buffer): string {
    const id = objectId(this.#format, type, content);
    if (this.#unwritten.has(id) || this.#written.has(id)) return id;
    this.#unwritten.set(id, { id, type, content });
    this.#unwrittenBytes += content.length;
    if (this.#unwrittenBytes > mostUnwritten) this.write();
    return id;
  }

  /** `name`: the object that git is about to look up, when that is known. */
  write(name?: string): void {
    if (this.#unwritten.size === 0) return;
    if (name !== undefined && !this.#unwritten.has(/^[0-9a-f]*/.exec(name)?.[0] ?? '')) return;
    const { name: packName, pack, index } = packFile([...this.#unwritten.values()], this.#format);
    const file = join(this.#dir, packName);
    mkdirSync(this.#dir, { recursive: true });
    // Git may be reading at the same time and finds packs by their index: the complete index appears last, by a rename.
    writeFileSync(`${file}.pack`, pack);
    writeFileSync(`${file}.draft`, index);
    renameSync(`${file}.draft`, `${file}.idx`);
    for (const id of this.#unwritten.keys()) this.#written.add(id);
    this.#unwritten.clear();
    this.#unwrittenBytes = 0;
  }
}
