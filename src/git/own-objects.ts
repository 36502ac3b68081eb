import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Repository } from './repository.ts';

const mostUnwritten = 16 * 1024 * 1024;

/**
 * Objects that we make by our own hand: a process of git for each would cost more than what it does. They become files
 * when git is about to read something: most unions are never read by anybody but us.
 */
export class OwnObjects {
  readonly #dir: string;
  readonly #format: Repository['objectFormat'];
  readonly #unwritten = new Map<string, Buffer>();
  #unwrittenBytes = 0;

  constructor(dir: string, format: Repository['objectFormat']) {
    this.#dir = dir;
    this.#format = format;
  }

  /** Returns the id. */
  add(type: 'commit' | 'tree', content: Buffer): string {
    const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash(this.#format).update(object).digest('hex');
    if (this.#unwritten.has(id)) return id;
    this.#unwritten.set(id, object);
    this.#unwrittenBytes += object.length;
    if (this.#unwrittenBytes > mostUnwritten) this.write();
    return id;
  }

  /** `name`: what git is asked for, when that is known. */
  write(name?: string): void {
    if (name !== undefined && !this.#unwritten.has(/^[0-9a-f]*/.exec(name)?.[0] ?? '')) return;
    for (const [id, object] of this.#unwritten) {
      const folder = join(this.#dir, id.slice(0, 2));
      const file = join(folder, id.slice(2));
      if (existsSync(file)) continue;
      mkdirSync(folder, { recursive: true });
      // Git may be reading beside us: an object is there whole or not at all.
      const draft = join(this.#dir, `joinery-${process.pid}-${id}`);
      writeFileSync(draft, deflateSync(object, { level: 1 }));
      renameSync(draft, file);
    }
    this.#unwritten.clear();
    this.#unwrittenBytes = 0;
  }
}
