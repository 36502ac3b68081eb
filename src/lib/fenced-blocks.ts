export interface FencedBlock {
  /** The text after the opening fence: `json`. */
  readonly info: string;
  readonly body: string;
}

const opening = /^(`{3,}|~{3,})/;

/**
 * The blocks of a text between two equal fences of backticks or tildes, each alone on its line. Reads line by line: an agent that writes
 * only fences must not keep Joinery busy.
 */
export function fencedBlocks(text: string): FencedBlock[] {
  const lines = text.split('\n');
  const closings = closingLines(lines);
  const found: FencedBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    const [fence] = opening.exec(line) ?? [];
    const end = fence === undefined ? undefined : nextAfter(closings.get(fence) ?? [], at);
    if (fence === undefined || end === undefined) continue;
    found.push({ info: line.slice(fence.length).trim(), body: bodyOf(lines.slice(at + 1, end)) });
    at = end;
  }
  return found;
}

function bodyOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** By fence: the numbers of the lines that contain only this fence, last first. */
function closingLines(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = (lines[at] ?? '').trim();
    if (opening.exec(line)?.[0] !== line) continue;
    const known = found.get(line);
    if (known) known.push(at);
    else found.set(line, [at]);
  }
  return found;
}

/** Drops earlier lines: openings are looked up in order. */
function nextAfter(numbers: number[], line: number): number | undefined {
  while ((numbers.at(-1) ?? Number.POSITIVE_INFINITY) <= line) numbers.pop();
  return numbers.at(-1);
}
