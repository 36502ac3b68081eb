import { ConfigError } from '#schema/errors.ts';
import type { GateKind } from '#schema/gates.ts';
import { hostileMarkdown, lineOf, type MarkdownNode, readMarkdown, spanOf } from './markdown.ts';
import { headingText, type Refusal, readBlocks } from './written-gates.ts';

/** A command of a section `## Quality Gates`, as written. */
export interface WrittenGate {
  /** `lint`, `unit-tests`. */
  readonly name: string;
  readonly kind: GateKind;
  readonly command: string;
  /** Title of the heading above it, inside the section. */
  readonly subsystem: string | null;
  readonly line: number;
}

const mentioned = /quality\s+gates/i;
/** `## 2. Quality Gates (must pass):` */
const title = /^[^\p{L}]*quality\s+gates(?:\s*\([^)]*\))?[\s:]*$/iu;

/** The gates in an agent file; null if it has no such section. What cannot be read is an error that names its lines. */
export function parseGateSection(file: string, text: string): readonly WrittenGate[] | null {
  const sections = sectionsOf(file, text);
  const [section, second] = sections;
  if (section === undefined) return null;
  if (second !== undefined)
    throw complain(file, [
      { line: second.line, what: 'a second section "Quality Gates"', hint: 'keep one section' },
    ]);
  const { gates, refusals } = readBlocks(section.blocks, section.depth, text);
  if (refusals.length > 0) throw complain(file, refusals);
  if (gates.length > 0) return gates;
  throw complain(file, [
    {
      line: section.line,
      what: 'the section "Quality Gates" has no command',
      hint: 'write one: - lint: `npm run lint`',
    },
  ]);
}

/** The text of the section only: it must not change while an agent works. A text that cannot be parsed counts as a whole. */
export function gateSectionText(text: string): string {
  if (mentioned.test(text) && hostileMarkdown(text) !== null) return text;
  const [section] = sectionsOf('', text);
  return section === undefined
    ? ''
    : text.slice(section.start, section.end).trimEnd().replace(/\r\n?/g, '\n');
}

interface Section {
  readonly line: number;
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly MarkdownNode[];
}

function sectionsOf(file: string, text: string): Section[] {
  if (!mentioned.test(text)) return [];
  const hostile = hostileMarkdown(text);
  if (hostile !== null)
    throw complain(file, [
      {
        line: text.slice(0, text.search(mentioned)).split('\n').length,
        what: `the file mentions quality gates and is not read: ${hostile}`,
        hint: 'write the gates into joinery.json, as gates.commands',
      },
    ]);
  const blocks = readMarkdown(text);
  return blocks.flatMap((block, index) => {
    if (block.type !== 'heading' || !title.test(headingText(block, text))) return [];
    const depth = block.depth ?? 1;
    const rest = blocks.slice(index + 1);
    const length = rest.findIndex((each) => each.type === 'heading' && (each.depth ?? 1) <= depth);
    const inside = length < 0 ? rest : rest.slice(0, length);
    const next = length < 0 ? undefined : rest[length];
    const end = next === undefined ? text.length : spanOf(next).start;
    return [{ line: lineOf(block), depth, start: spanOf(block).start, end, blocks: inside }];
  });
}

function complain(file: string, refusals: readonly Refusal[]): ConfigError {
  const [first = { line: 1, what: 'it cannot be read', hint: '' }, ...more] = refusals;
  const others = [...new Set(more.map(({ line }) => line))].filter((line) => line !== first.line);
  const rest = others.length === 0 ? '' : `; not read either: ${lineList(others)}`;
  return new ConfigError({
    code: 'bad-gates',
    message: `${file}:${first.line}: ${first.what}${rest}`,
    hint: first.hint,
  });
}

function lineList(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ');
  const left = lines.length > 20 ? ` and ${lines.length - 20} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${left}`;
}
