/**
 * A second implementation of the grammar, the anchors and the score, written from the specification alone: slow, character by
 * character, without regular expressions for structure, and with nothing shared with the product. Tests compare the two.
 */

export interface ReferenceRecord {
  readonly inputs: readonly string[];
  readonly outputs: readonly { readonly ref: string; readonly to: string }[];
  readonly decisions: readonly string[];
  /** `inputs: text of the line`. */
  readonly malformed: readonly string[];
  readonly absent: readonly string[];
  readonly empty: readonly string[];
  readonly none: readonly string[];
}

const subsections = [
  ['inputs', '### Inputs consumed'],
  ['outputs', '### Outputs for next agents'],
  ['decisions', '### Decisions NOT covered by inputs'],
] as const;

/** Lines that count: outside fences, comments and front matter; the others are null. */
function referenceLines(text: string): (string | null)[] {
  let plain = '';
  const characters = [...(text.codePointAt(0) === 0xfeff ? text.slice(1) : text)];
  for (const [index, character] of characters.entries()) {
    if (character === '\r') {
      if (characters[index + 1] !== '\n') plain += '\n';
    } else plain += character;
  }
  const lines: (string | null)[] = plain.normalize('NFC').split('\n');
  hideFrontMatter(lines);
  let fence = '';
  let isComment = false;
  for (const [index, line] of lines.entries()) {
    if (line === null) continue;
    if (fence !== '') {
      lines[index] = null;
      if (closesFence(line, fence)) fence = '';
    } else if (isComment) {
      lines[index] = null;
      if (line.includes('-->')) isComment = false;
    } else {
      fence = fenceOf(line);
      isComment = opensComment(line);
      if (fence !== '' || isComment) lines[index] = null;
    }
  }
  return lines;
}

function hideFrontMatter(lines: (string | null)[]): void {
  if (lines[0] !== '---') return;
  for (let end = 1; end < lines.length; end++) {
    if (lines[end] !== '---' && lines[end] !== '...') continue;
    for (let index = 0; index <= end; index++) lines[index] = null;
    return;
  }
}

/** Removes at most three spaces; null if there are more. */
function withoutIndent(line: string): string | null {
  let spaces = 0;
  while (line[spaces] === ' ') spaces += 1;
  return spaces > 3 ? null : line.slice(spaces);
}

function fenceOf(line: string): string {
  const rest = withoutIndent(line);
  const mark = rest?.[0];
  if (rest === null || (mark !== '`' && mark !== '~')) return '';
  let length = 0;
  while (rest[length] === mark) length += 1;
  if (length < 3) return '';
  return mark === '`' && rest.slice(length).includes('`') ? '' : mark.repeat(length);
}

function closesFence(line: string, fence: string): boolean {
  const rest = withoutIndent(line)?.trimEnd();
  if (rest === undefined || rest.length < fence.length) return false;
  for (const character of rest) if (character !== fence[0]) return false;
  return true;
}

function opensComment(line: string): boolean {
  const rest = withoutIndent(line);
  return rest?.startsWith('<!--') === true && !rest.slice(4).includes('-->');
}

export function referenceRecord(text: string): ReferenceRecord | null {
  const lines = referenceLines(text);
  const start = lines.lastIndexOf('## Handoff Record');
  if (start === -1) return null;
  const items = new Map<string, string[]>();
  let current: string[] | null = null;
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index];
    if (line === null || line === undefined) continue;
    if (line.startsWith('## ')) break;
    if (line.startsWith('### ')) {
      const name = subsections.find(([, heading]) => heading === line)?.[0];
      current = name === undefined ? null : (items.get(name) ?? []);
      if (name !== undefined && current) items.set(name, current);
    } else if (line.startsWith('- ')) current?.push(line);
  }
  const read = (name: string, reader: (line: string) => unknown) =>
    (items.get(name) ?? []).filter((line) => line !== '- none').map((line) => [line, reader(line)] as const);
  const inputs = read('inputs', readReference);
  const outputs = read('outputs', readReference);
  const decisions = read('decisions', readDecision);
  const bad = (name: string, list: readonly (readonly [string, unknown])[]) =>
    list.filter(([, value]) => value === null).map(([line]) => `${name}: ${line}`);
  return {
    inputs: inputs.flatMap(([, value]) => (value === null ? [] : [(value as Reference).ref])),
    outputs: outputs.flatMap(([, value]) =>
      value === null ? [] : [{ ref: (value as Reference).ref, to: (value as Reference).rest }],
    ),
    decisions: decisions.flatMap(([, value]) => (value === null ? [] : [value as string])),
    malformed: [...bad('inputs', inputs), ...bad('outputs', outputs), ...bad('decisions', decisions)],
    absent: subsections.flatMap(([name]) => (items.has(name) ? [] : [name])),
    empty: subsections.flatMap(([name]) => (items.get(name)?.length === 0 ? [name] : [])),
    none: subsections.flatMap(([name]) => (items.get(name)?.includes('- none') ? [name] : [])),
  };
}

interface Reference {
  readonly ref: string;
  readonly rest: string;
}

/** Line and paragraph separators end a line for the dot of a regular expression. */
function isOneLine(text: string): boolean {
  return text !== '' && !text.includes('\u2028') && !text.includes('\u2029');
}

function readReference(line: string): Reference | null {
  if (!line.startsWith('- `')) return null;
  const end = line.indexOf('`', 3);
  if (end === -1) return null;
  const ref = line.slice(3, end);
  const hash = ref.indexOf('#');
  if (hash < 1 || hash === ref.length - 1) return null;
  if (!line.startsWith('` → ', end)) return null;
  const rest = line.slice(end + 4);
  return isOneLine(rest) ? { ref, rest } : null;
}

function readDecision(line: string): string | null {
  const mark = '. Reason: ';
  const text = line.slice(2);
  const at = text.indexOf(mark, 1);
  if (at === -1) return null;
  const [what, why] = [text.slice(0, at), text.slice(at + mark.length)];
  return isOneLine(what) && isOneLine(why) ? `${what} | ${why}` : null;
}

/** Anchors of all headings of a text without underlined ones, links or tags. */
export function referenceAnchors(text: string): string[] {
  const taken: string[] = [];
  for (const line of referenceLines(text)) {
    const title = line === null ? null : titleOf(line);
    if (title === null) continue;
    const slug = slugOf(title);
    let anchor = slug;
    for (let n = 1; taken.includes(anchor); n++) anchor = `${slug}-${n}`;
    taken.push(anchor);
  }
  return taken;
}

function titleOf(line: string): string | null {
  const rest = withoutIndent(line);
  if (rest === null) return null;
  let level = 0;
  while (rest[level] === '#') level += 1;
  if (level < 1 || level > 6) return null;
  const after = rest[level];
  if (after !== undefined && after !== ' ' && after !== '\t') return null;
  let title = rest.slice(level).trim();
  let end = title.length;
  while (end > 0 && title[end - 1] === '#') end -= 1;
  if (end < title.length && (end === 0 || title[end - 1] === ' ' || title[end - 1] === '\t'))
    title = title.slice(0, end).trimEnd();
  return title;
}

function slugOf(title: string): string {
  let slug = '';
  for (const character of title.trim().toLowerCase()) {
    if (character === ' ') slug += '-';
    else if (character === '-' || /\p{L}|\p{M}|\p{N}|\p{Pc}/u.test(character)) slug += character;
  }
  return slug.normalize('NFC');
}

/** An agent, as far as the score needs it. */
export interface ReferenceAgent {
  readonly role: string;
  readonly order: number;
  readonly outputs: readonly { readonly ref: string; readonly to: readonly string[] }[];
  readonly inputs: readonly string[];
  readonly isTerminal: boolean;
}

/** Outputs that no addressee cites, and isolated agents, as the study defines them. */
export function referenceGaps(agents: readonly ReferenceAgent[]): {
  readonly gaps: string[];
  readonly orphans: string[];
} {
  const gaps: string[] = [];
  const orphans: string[] = [];
  for (const from of agents) {
    const others = agents.filter((agent) => agent !== from);
    let handedOn = 0;
    let cited = 0;
    for (const ref of new Set(from.outputs.map((output) => output.ref))) {
      const to = from.outputs.filter((output) => output.ref === ref).flatMap((output) => output.to);
      const addressees = others.filter(({ role }) => to.includes(role));
      if (addressees.length === 0) continue;
      handedOn += 1;
      if (others.some(({ inputs }) => inputs.includes(ref))) cited += 1;
      const later = addressees.filter(({ order }) => order > from.order);
      if (later.length > 0 && !later.some(({ inputs }) => inputs.includes(ref))) gaps.push(ref);
    }
    const isAlone = from.inputs.length === 0 && !['planner', 'thinker'].includes(from.role);
    const isIgnored = handedOn >= 2 && cited / handedOn < 0.2 && !from.isTerminal;
    if (isAlone || isIgnored) orphans.push(from.role);
  }
  return { gaps: gaps.sort(), orphans: orphans.sort() };
}

export function referenceScore(agents: readonly ReferenceAgent[]): {
  readonly possible: number;
  readonly actual: number;
  readonly score: number | null;
} {
  let possible = 0;
  let actual = 0;
  for (const from of agents) {
    for (const to of agents) {
      if (from.order >= to.order) continue;
      const addressed = [
        ...new Set(from.outputs.filter((output) => output.to.includes(to.role)).map(({ ref }) => ref)),
      ];
      possible += addressed.length;
      for (const ref of addressed) if (to.inputs.includes(ref)) actual += 1;
    }
  }
  if (possible === 0) return { possible, actual, score: null };
  // Rounds half up by hand: the remainder decides.
  const whole = Math.trunc((actual * 100) / possible);
  const rest = actual * 100 - whole * possible;
  return { possible, actual, score: rest * 2 >= possible ? whole + 1 : whole };
}
