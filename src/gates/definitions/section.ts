import { nearest } from '#lib/nearest.ts';
import { ConfigError } from '#schema/errors.ts';
import { type GateKind, gateKinds } from '#schema/gates.ts';

/** A command of a section `## Quality Gates`, as written. */
export interface WrittenGate {
  readonly kind: GateKind;
  readonly command: string;
  /** Title of the `###` above it. */
  readonly subsystem: string | null;
  readonly line: number;
}

const gateLine = /^[-*+\s]*(?:\*\*|__)?([A-Za-z][A-Za-z -]*?)(?:\*\*|__)?:(?:\*\*|__)?\s*(.*)$/;
/** A list item with nothing but a command: its author expects it to run. */
const nameless = /^\s*[-*+]\s+`[^`]+`\s*$/;
const lineEnd = /\r\n?|\n/;
/** Close enough to a gate's name to be a misspelling of it. */
const variant = /^(tests?|testing|lint(s|er|ing)|type[ -]?check(s|er|ing)?|types|builds?|building)$/i;
const nothing = /^(none|n\/a|-|–|—)$/i;

/** The gates in an agent file; null if it has no such section. A line that cannot be understood is an error. */
export function parseGateSection(file: string, text: string): readonly WrittenGate[] | null {
  const lines = proseLines(text);
  const starts = lines.flatMap(({ heading }, index) =>
    heading?.level === 2 && /^quality gates$/i.test(heading.title) ? [index] : [],
  );
  const [start, second] = starts;
  if (start === undefined) return null;
  if (second !== undefined)
    throw complain(file, second, 'a second section "Quality Gates"', 'keep one section');
  const gates: WrittenGate[] = [];
  let subsystem: string | null = null;
  for (const [offset, { heading, text: line }] of lines.slice(start + 1).entries()) {
    if (heading && heading.level <= 2) break;
    if (heading) {
      if (heading.level === 3) subsystem = heading.title;
      continue;
    }
    const number = start + 1 + offset;
    const gate = readLine(file, number, line);
    if (gate) gates.push({ ...gate, subsystem, line: number + 1 });
  }
  if (gates.length > 0) return gates;
  throw complain(
    file,
    start,
    'the section "Quality Gates" has no command',
    'write one: - lint: `npm run lint`',
  );
}

/** The lines of the section only: they must not change while an agent works. */
export function gateSectionText(text: string): string {
  const lines = proseLines(text);
  const start = lines.findIndex(
    ({ heading }) => heading?.level === 2 && /^quality gates$/i.test(heading.title),
  );
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex(({ heading }) => heading && heading.level <= 2);
  const end = length < 0 ? lines.length : start + 1 + length;
  return text.split(lineEnd).slice(start, end).join('\n').trimEnd();
}

interface ProseLine {
  readonly text: string;
  readonly heading: { readonly level: number; readonly title: string } | null;
}

/** Comments become blank lines; `#` inside a fence is a shell comment, not a heading. */
function proseLines(text: string): ProseLine[] {
  const visible = text.replace(/<!--.*?(?:-->|$)/gs, (comment) => comment.replace(/[^\n]/g, ''));
  let fence: string | null = null;
  return visible.split(lineEnd).map((line) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === null || (mark.startsWith(fence) && line.trim() === mark))) {
      fence = fence === null ? mark : null;
      return { text: '', heading: null };
    }
    const heading = fence === null ? /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line) : null;
    return {
      text: line,
      heading: heading ? { level: heading[1]?.length ?? 0, title: plain(heading[2] ?? '') } : null,
    };
  });
}

function plain(title: string): string {
  return title.replace(/[`*_]/g, '').replace(/:$/, '').trim();
}

function readLine(file: string, index: number, line: string): Pick<WrittenGate, 'kind' | 'command'> | null {
  const match = gateLine.exec(line);
  if (!match) {
    if (nameless.test(line))
      throw complain(file, index, 'a command without a name', 'say what it is: - test: `npm test`');
    return null;
  }
  const [, name = '', value = ''] = match;
  const kind = gateKinds.find((each) => each === name.trim().toLowerCase());
  if (!kind) return refuseUnknown(file, index, name.trim(), value.trim());
  const command = commandIn(file, index, value.trim());
  return command === null ? null : { kind, command };
}

/** Prose may contain a colon, but a command under an unknown or misspelt name would silently not run: refuse it. */
function refuseUnknown(file: string, index: number, name: string, value: string): null {
  if (!/^`[^`]+`$/.test(value) && !variant.test(name)) return null;
  const meant = nearest(name.toLowerCase().replace(/[ -]/g, ''), gateKinds);
  const guess = meant ? `; did you mean "${meant}"?` : '';
  throw complain(
    file,
    index,
    `there is no gate "${name}"${guess}`,
    `gates are ${gateKinds.slice(0, -1).join(', ')} and ${gateKinds.at(-1)}`,
  );
}

/** Removes backticks around the command. Without them, the text itself is the command, including its backticks. */
function commandIn(file: string, index: number, value: string): string | null {
  const quoted = /^(`{1,20})(.*?)\1(?!`)/.exec(value);
  if (value.startsWith('`') && !quoted) throw complain(file, index, 'a backtick is not closed', 'close it');
  const command = (quoted?.[2] ?? value).trim();
  if (nothing.test(command)) return null;
  if (command === '')
    throw complain(file, index, 'the command is missing', 'write it behind the colon, or "none"');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(command))
    throw complain(file, index, 'the command holds control characters', 'write it again as plain text');
  return command;
}

function complain(file: string, index: number, what: string, hint: string): ConfigError {
  return new ConfigError({ code: 'bad-gates', message: `${file}:${index + 1}: ${what}`, hint });
}
