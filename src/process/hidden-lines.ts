/** A longer line is processed in pieces; they overlap by more than the length of any hidden value. */
const longestLine = 64 * 1024;
const overlap = 16 * 1024;

/** Hides secret values in a stream of text, wherever its chunks end. */
export class HiddenLines {
  readonly #hide: (text: string) => string;
  readonly #decoder = new TextDecoder('utf-8');
  #rest = '';

  constructor(hide: (text: string) => string) {
    this.#hide = hide;
  }

  /** Returns the text that is complete so far. */
  add(chunk: Uint8Array): string {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    const shown = this.#hide(text.slice(0, end));
    this.#rest = text.slice(end);
    if (this.#rest.length <= longestLine) return shown;
    const clean = this.#hide(this.#rest);
    this.#rest = clean.slice(-overlap);
    return shown + clean.slice(0, -overlap);
  }

  end(): string {
    const shown = this.#hide(this.#rest + this.#decoder.decode());
    this.#rest = '';
    return shown;
  }
}
