export type Priority = 1 | 2 | 3;

export interface PrioritySection {
  readonly title: string;
  readonly priority: Priority;
  readonly lines: readonly string[];
}

/**
 * Whole sections by priority, within a limit in UTF-8 bytes. A section of lower priority never takes the room of a higher
 * one; if the top-priority sections alone are too long, each gets a fair share and says what was cut.
 */
export function fitByPriority(all: readonly PrioritySection[], maxBytes: number): string {
  const sections = all.filter(({ lines }) => lines.length > 0).toSorted((a, b) => a.priority - b.priority);
  const first = sections.filter(({ priority }) => priority === 1).map(render);
  // If the important sections had to be cut, nothing else is included.
  if (bytesOf(first) > maxBytes) return fairShares(first, maxBytes).join('\n\n');
  const fitted = first;
  for (const section of sections.filter(({ priority }) => priority !== 1)) {
    const text = render(section);
    // Later sections are less important: a short one must not take the room that this one did not find.
    if (bytesOf([...fitted, text]) > maxBytes) break;
    fitted.push(text);
  }
  return fitted.join('\n\n');
}

function render({ title, lines }: PrioritySection): string {
  return `## ${title}\n\n${lines.map((line) => `- ${line.replace(/\s+/g, ' ').trim()}`).join('\n')}`;
}

function bytesOf(texts: readonly string[]): number {
  return Buffer.byteLength(texts.join('\n\n'));
}

/** Whole lines of every section, in turn, as long as there is room; a section that lost lines says how many. */
function fairShares(texts: readonly string[], maxBytes: number): string[] {
  const notice = (count: number) => `- [${count} more left out for length]`;
  const share = shareOf(texts, maxBytes - 2 * (texts.length - 1));
  return texts.map((text) => {
    if (Buffer.byteLength(text) <= share) return text;
    const [title = '', blank = '', ...lines] = text.split('\n');
    const kept = [title, blank];
    let room = share - Buffer.byteLength(`${title}\n${blank}\n`) - Buffer.byteLength(notice(lines.length));
    let count = 0;
    for (const line of lines) {
      room -= Buffer.byteLength(line) + 1;
      // The first line of an important section is never lost completely.
      if (room < 0 && count === 0) kept.push(beginningOf(line, room + Buffer.byteLength(line)));
      if (room < 0) break;
      kept.push(line);
      count += 1;
    }
    return [...kept, notice(lines.length - count)].join('\n');
  });
}

/** The share of each long text: what short ones do not use goes to the others. */
function shareOf(texts: readonly string[], bytes: number): number {
  let open = texts.map((text) => Buffer.byteLength(text));
  let room = bytes;
  for (;;) {
    const share = Math.floor(room / open.length);
    const long = open.filter((size) => size > share);
    if (long.length === open.length || long.length === 0) return share;
    room -= open.filter((size) => size <= share).reduce((sum, size) => sum + size, 0);
    open = long;
  }
}

/** As many whole characters as fit into the bytes, and a mark of the cut. */
function beginningOf(line: string, bytes: number): string {
  const mark = ' …';
  const cut = Buffer.from(line).subarray(0, Math.max(0, bytes - Buffer.byteLength(mark)));
  return `${cut.toString('utf8').replace(/\uFFFD+$/, '')}${mark}`;
}
