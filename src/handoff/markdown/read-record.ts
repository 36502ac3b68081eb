import { type ProseLine, proseLines } from './prose-lines.ts';

/** `01-plan.md#requirements` as written. */
interface WrittenRef {
  readonly path: string;
  readonly anchor: string;
}

interface InputItem extends WrittenRef {
  readonly usedFor: string;
  readonly line: number;
}

interface OutputItem extends WrittenRef {
  /** Addressees as written: `developer + qa-tester (test plan)`. */
  readonly to: string;
  readonly line: number;
}

interface DecisionItem {
  readonly decision: string;
  readonly reason: string;
  readonly line: number;
}

/** The three subsections that every record has. */
export const requiredSubsections = {
  inputs: '### Inputs consumed',
  outputs: '### Outputs for next agents',
  decisions: '### Decisions NOT covered by inputs',
} as const;
export type Subsection = keyof typeof requiredSubsections;

interface MalformedItem {
  readonly subsection: Subsection;
  readonly text: string;
  readonly line: number;
}

/** The content of a Handoff Record, and the lines that cannot be read. */
export interface HandoffRecord {
  /** Line of `## Handoff Record`. */
  readonly line: number;
  readonly inputs: readonly InputItem[];
  readonly outputs: readonly OutputItem[];
  readonly decisions: readonly DecisionItem[];
  /** Subsections that say `- none`. */
  readonly none: readonly Subsection[];
  readonly malformed: readonly MalformedItem[];
  /** Required subsections that are missing. */
  readonly absent: readonly Subsection[];
  /** Required subsections without an item, each with its line. */
  readonly empty: readonly { readonly subsection: Subsection; readonly line: number }[];
  /** Titles of additional subsections. */
  readonly others: readonly string[];
  readonly isOrdered: boolean;
  /** Whether another `## ` section follows. */
  readonly isLast: boolean;
  /** Number of records before this one in the same file. */
  readonly earlier: number;
}

const input = /^- `(?<path>[^`#]+)#(?<anchor>[^`]+)` → (?<usedFor>.+)$/;
const output = /^- `(?<path>[^`#]+)#(?<anchor>[^`]+)` → (?<to>.+)$/;
const decision = /^- (?<decision>.+?)\. Reason: (?<reason>.+)$/;
const none = /^- none$/;

/** The last Handoff Record of a Markdown text, parsed strictly; null if there is none. */
export function readRecord(text: string): HandoffRecord | null {
  return recordIn(proseLines(text));
}

export function recordIn(lines: readonly ProseLine[]): HandoffRecord | null {
  const starts = lines.flatMap(({ text }, index) => (text === '## Handoff Record' ? [index] : []));
  const start = starts.at(-1);
  if (start === undefined) return null;
  const after = lines.slice(start + 1);
  const next = after.findIndex(({ text }) => text.startsWith('## '));
  const block = next === -1 ? after : after.slice(0, next);
  return {
    ...readBlock(block),
    line: lines[start]?.number ?? 1,
    isLast: next === -1,
    earlier: starts.length - 1,
  };
}

type Block = Omit<HandoffRecord, 'line' | 'isLast' | 'earlier'>;

function readBlock(block: readonly ProseLine[]): Block {
  const parts = partsOf(block);
  const items = (wanted: Subsection) =>
    parts.filter(({ subsection }) => subsection === wanted).flatMap((part) => part.items);
  const read = { inputs: readInput, outputs: readOutput, decisions: readDecision };
  const names = Object.keys(requiredSubsections) as Subsection[];
  const found = parts.flatMap(({ subsection }) => (subsection === null ? [] : [subsection]));
  const whole = <T>(wanted: Subsection, reader: (item: ProseLine) => T | null): T[] =>
    items(wanted).flatMap((item) => (none.test(item.text) ? [] : (reader(item) ?? [])));
  return {
    inputs: whole('inputs', readInput),
    outputs: whole('outputs', readOutput),
    decisions: whole('decisions', readDecision),
    none: names.filter((name) => items(name).some(({ text }) => none.test(text))),
    malformed: names.flatMap((subsection) =>
      items(subsection)
        .filter((item) => !none.test(item.text) && read[subsection](item) === null)
        .map(({ text, number }) => ({ subsection, text, line: number })),
    ),
    absent: names.filter((name) => !found.includes(name)),
    empty: names.flatMap((subsection) => {
      const part = parts.find((each) => each.subsection === subsection);
      return part && items(subsection).length === 0 ? [{ subsection, line: part.line }] : [];
    }),
    others: parts.filter(({ subsection }) => subsection === null).map(({ title }) => title),
    isOrdered: found.every(
      (name, index) => index === 0 || names.indexOf(found[index - 1] ?? name) <= names.indexOf(name),
    ),
  };
}

interface Part {
  readonly subsection: Subsection | null;
  readonly title: string;
  readonly line: number;
  readonly items: ProseLine[];
}

/** Items are lines that start with `- `; everything else in a subsection is for people. */
function partsOf(block: readonly ProseLine[]): Part[] {
  const parts: Part[] = [];
  for (const line of block) {
    if (line.text.startsWith('### ')) {
      const subsection = (Object.keys(requiredSubsections) as Subsection[]).find(
        (name) => requiredSubsections[name] === line.text,
      );
      parts.push({
        subsection: subsection ?? null,
        title: line.text.slice('### '.length),
        line: line.number,
        items: [],
      });
    } else if (line.text.startsWith('- ')) parts.at(-1)?.items.push(line);
  }
  return parts;
}

function readInput({ text, number }: ProseLine): InputItem | null {
  const { path, anchor, usedFor } = input.exec(text)?.groups ?? {};
  if (path === undefined || anchor === undefined || usedFor === undefined) return null;
  return { path, anchor, usedFor, line: number };
}

function readOutput({ text, number }: ProseLine): OutputItem | null {
  const { path, anchor, to } = output.exec(text)?.groups ?? {};
  if (path === undefined || anchor === undefined || to === undefined) return null;
  return { path, anchor, to, line: number };
}

function readDecision({ text, number }: ProseLine): DecisionItem | null {
  const groups = decision.exec(text)?.groups;
  if (groups?.decision === undefined || groups.reason === undefined) return null;
  return { decision: groups.decision, reason: groups.reason, line: number };
}
