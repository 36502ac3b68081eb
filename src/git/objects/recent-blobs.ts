/** Contents that were read last, up to a number of bytes; the oldest leave first. */
export class RecentBlobs {
  readonly #mostBytes: number;
  readonly #contents = new Map<string, Buffer>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(id: string): Buffer | undefined {
    return this.#contents.get(id);
  }

  add(id: string, content: Buffer): void {
    // A large one would drive out many others.
    if (this.#contents.has(id) || content.length > this.#mostBytes / 16) return;
    this.#contents.set(id, content);
    this.#bytes += content.length;
    for (const [oldest, { length }] of this.#contents) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#contents.delete(oldest);
      this.#bytes -= length;
    }
  }
}
