import type { Span } from '#code/facts/facts.ts';

/** Offset of the start of each line; reused from file to file. */
let starts = new Int32Array(1 << 10);

/**
 * Turns UTF-16 offsets into 1-based lines and columns. Offsets mostly ascend from call to call. Valid until the next instance is created.
 */
export class Lines {
  readonly #count: number;
  #last = 0;

  constructor(text: string) {
    let count = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      if (count === starts.length) {
        const wider = new Int32Array(count * 2);
        wider.set(starts);
        starts = wider;
      }
      starts[count++] = at + 1;
    }
    this.#count = count;
  }

  span(start: number, end: number): Span {
    return {
      line: this.line(start),
      column: this.column(start),
      endLine: this.line(Math.max(start, end - 1)),
    };
  }

  line(offset: number): number {
    const count = this.#count;
    let line = this.#last;
    if (offset < (starts[line] as number)) line = search(offset, 0, line);
    else {
      const near = Math.min(line + 8, count - 1);
      while (line < near && (starts[line + 1] as number) <= offset) line++;
      if (line === near && line + 1 < count && (starts[line + 1] as number) <= offset)
        line = search(offset, line, count - 1);
    }
    this.#last = line;
    return line + 1;
  }

  column(offset: number): number {
    return this.columnIn(this.line(offset), offset);
  }

  /** The column of an offset whose line is known. */
  columnIn(line: number, offset: number): number {
    return offset - (starts[line - 1] as number) + 1;
  }
}

function search(offset: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
