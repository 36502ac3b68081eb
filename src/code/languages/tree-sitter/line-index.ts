/** Turns offsets (UTF-16 units) into 1-based lines and columns. Lines end as in Python: LF, CR LF or CR. */
export class LineIndex {
  readonly #starts: readonly number[];
  /** Offsets mostly ascend from call to call, so the search starts at the last answer. */
  #last = 0;

  constructor(text: string) {
    const starts = [0];
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
    }
    this.#starts = starts;
  }

  line(offset: number): number {
    return this.#indexOf(offset) + 1;
  }

  column(offset: number): number {
    return offset - (this.#starts[this.#indexOf(offset)] ?? 0) + 1;
  }

  #indexOf(offset: number): number {
    const starts = this.#starts;
    const near = this.#last;
    if ((starts[near] ?? 0) <= offset && offset < (starts[near + 1] ?? Number.POSITIVE_INFINITY)) return near;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.#last = low;
    return low;
  }
}
