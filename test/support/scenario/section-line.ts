import { ScenarioError } from './scenario-error.ts';

/** The text between the dashes: `-- a/src/dates.ts (moved from src/times.ts) --`. */
export interface SectionLine {
  /** `a/src/dates.ts`: the side, then the path. */
  readonly name: string;
  readonly change: SectionChange;
}

export type SectionChange =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'moved'; readonly from: string }
  | { readonly kind: 'content'; readonly notes: ReadonlySet<ContentNote> };

/** How a body represents content that plain lines cannot. */
const contentNotes = ['crlf', 'no newline at end', 'quoted', 'base64'] as const;
export type ContentNote = (typeof contentNotes)[number];

export function isSectionLine(line: string): boolean {
  return line.startsWith('-- ') && line.endsWith(' --') && line.length > '--  --'.length;
}

export function printSectionLine({ name, change }: SectionLine): string {
  const note =
    change.kind === 'deleted'
      ? 'deleted'
      : change.kind === 'moved'
        ? `moved from ${printName(change.from)}`
        : contentNotes.filter((each) => change.notes.has(each)).join(', ');
  return `-- ${printName(name)}${note === '' ? '' : ` (${note})`} --`;
}

/** An ambiguous name is quoted; one with look-alike characters is escaped. */
function printName(name: string): string {
  const isPlain =
    !/^[\s"]|\s$| \(|\p{C}|\p{Zl}|\p{Zp}/u.test(name) && name !== '' && name === name.normalize('NFC');
  if (isPlain) return name;
  return JSON.stringify(name).replace(/[^ -~]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const pattern = /^(?<name>"(?:[^"\\]|\\.)*"|(?!")(?:(?! \().)+)(?: \((?<note>.*)\))?$/;

export function parseSectionLine(line: string, number: number): SectionLine {
  const { name, note } = pattern.exec(line.slice('-- '.length, -' --'.length))?.groups ?? {};
  if (name === undefined) throw new ScenarioError(number, `cannot read the name in ${line}`);
  return { name: parseName(name, number), change: parseNote(note, number) };
}

function parseName(name: string, number: number): string {
  if (!name.startsWith('"')) return name;
  try {
    return JSON.parse(name) as string;
  } catch {
    throw new ScenarioError(number, `${name} is no JSON string`);
  }
}

function parseNote(note: string | undefined, number: number): SectionChange {
  if (note === undefined) return { kind: 'content', notes: new Set() };
  if (note === 'deleted') return { kind: 'deleted' };
  const from = /^moved from (?<from>.+)$/.exec(note)?.groups?.from;
  if (from !== undefined) return { kind: 'moved', from: parseName(from, number) };
  const notes = note.split(', ').map((each) => parseContentNote(each, number));
  return { kind: 'content', notes: new Set(notes) };
}

function parseContentNote(note: string, number: number): ContentNote {
  const known = contentNotes.find((each) => each === note);
  if (known !== undefined) return known;
  const all = ['deleted', 'moved from <path>', ...contentNotes].join(', ');
  throw new ScenarioError(
    number,
    `"${note}" is no note (${all}); a path with parentheses after a space stands in double quotes`,
  );
}
