import type { Span } from '../../facts.ts';

/** Turns UTF-16 offsets into 1-based lines and columns. Questions mostly come in ascending order. */
export class Lines {
  readonly #starts: Int32Array;
  #last = 0;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = Int32Array.from(starts);
  }

  span(start: number, end: number): Span {
    return {
      line: this.line(start),
      column: this.column(start),
      endLine: this.line(Math.max(start, end - 1)),
    };
  }

  line(offset: number): number {
    const starts = this.#starts;
    let line = this.#last;
    if (offset < (starts[line] as number)) line = this.#search(offset, 0, line);
    else {
      const near = Math.min(line + 8, starts.length - 1);
      while (line < near && (starts[line + 1] as number) <= offset) line++;
      if (line === near && line + 1 < starts.length && (starts[line + 1] as number) <= offset) {
        line = this.#search(offset, line, starts.length - 1);
      }
    }
    this.#last = line;
    return line + 1;
  }

  column(offset: number): number {
    return offset - (this.#starts[this.line(offset) - 1] as number) + 1;
  }

  #search(offset: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
