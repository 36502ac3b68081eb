import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Repository } from './repository.ts';

/**
 * Objects that we make by our own hand: a process of git for each would cost more than what it does. They become files
 * when git is about to read something: most unions are never read by anybody but us.
 */
export class OwnObjects {
  readonly #dir: string;
  readonly #format: Repository['objectFormat'];
  readonly #unwritten = new Map<string, Buffer>();

  constructor(dir: string, format: Repository['objectFormat']) {
    this.#dir = dir;
    this.#format = format;
  }

  /** Returns the id. */
  add(type: 'commit' | 'tree', content: Buffer): string {
    const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash(this.#format).update(object).digest('hex');
    this.#unwritten.set(id, object);
    return id;
  }

  /** `name`: what git is asked for, when that is known. */
  write(name?: string): void {
    if (name !== undefined && !this.#unwritten.has(/^[0-9a-f]*/.exec(name)?.[0] ?? '')) return;
    for (const [id, object] of this.#unwritten) {
      const folder = join(this.#dir, id.slice(0, 2));
      const file = join(folder, id.slice(2));
      mkdirSync(folder, { recursive: true });
      if (!existsSync(file)) writeFileSync(file, deflateSync(object, { level: 1 }));
    }
    this.#unwritten.clear();
  }
}
