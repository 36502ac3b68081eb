import type { RawDiagnostic } from './checker.ts';

type Range = Pick<RawDiagnostic, 'line' | 'column' | 'endLine' | 'text'>;

const longestLine = 300;

/** Lines of texts; each text is split once. */
export class LineIndex {
  readonly #known = new Map<string, { readonly text: string; readonly starts: number[] }>();

  /** Lines, columns and the line's own text for a range of offsets. */
  range(file: string, text: string, start: number, end: number): Range {
    const starts = this.#startsOf(file, text);
    const line = lineAt(starts, start);
    const own = text.slice(starts[line] ?? 0, starts[line + 1] ?? text.length);
    return {
      line: line + 1,
      column: start - (starts[line] ?? 0) + 1,
      endLine: lineAt(starts, Math.max(start, end)) + 1,
      text: own.trim().slice(0, longestLine),
    };
  }

  #startsOf(file: string, text: string): number[] {
    const known = this.#known.get(file);
    if (known?.text === text) return known.starts;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#known.set(file, { text, starts });
    return starts;
  }
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
