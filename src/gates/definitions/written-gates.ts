import type { GateKind } from '#schema/gates.ts';
import { gateName, plainName } from './gate-names.ts';
import { lineOf, linesOf, type MarkdownLine, type MarkdownNode, type Piece, spanOf } from './markdown.ts';

/** A line of the section that may be a gate and cannot be read as one. */
export interface Refusal {
  readonly line: number;
  readonly what: string;
  readonly hint: string;
}

interface Written {
  readonly name: string;
  readonly kind: GateKind;
  readonly command: string;
  readonly subsystem: string | null;
  readonly line: number;
}

const form = 'write it as - name: `command`';
/** `Run:` before a list says what follows; a remark is no gate. */
const remark =
  /^(note|notes|hint|tip|remark|warning|important|caution|info|example|see|todo|why|when|where)$/i;
const nothing = /^(none|n\/a|-|–|—)$/i;
/** Between a name and its command: `lint: `, `lint — `, `lint → `. */
const separator = /(?:[:：](?=\s|$)|\s(?:—|–|-|--|→|->|=>|=)(?=\s|$)|(?:→|->|=>)(?=\s|$))/;
const programs =
  /^(pytest|tox|nox|make|rspec|jest|vitest|eslint|mypy|ruff|tsc|phpunit|pyright|rake|gradle|mvn)$/;
const longestName = 60;

/**
 * Reads the blocks of a section: each item of a list, row of a table and line of a code block is a gate or is refused. Sentences are
 * prose, unless they hold a command.
 */
export function readBlocks(
  blocks: readonly MarkdownNode[],
  depth: number,
  source: string,
): { readonly gates: Written[]; readonly refusals: Refusal[] } {
  const reader = new SectionReader(depth, source);
  reader.readAll(blocks, null);
  return { gates: reader.gates, refusals: reader.refusals.sort((a, b) => a.line - b.line) };
}

class SectionReader {
  readonly gates: Written[] = [];
  readonly refusals: Refusal[] = [];
  readonly #depth: number;
  readonly #source: string;
  #subsystem: string | null = null;

  constructor(depth: number, source: string) {
    this.#depth = depth;
    this.#source = source;
  }

  /** `named`: the name that commands without one have here. */
  readAll(blocks: readonly MarkdownNode[], named: string | null): void {
    let above = named;
    for (const [index, block] of blocks.entries()) {
      const next = blocks[index + 1];
      above = this.#read(block, next, above) ?? named;
    }
  }

  /** Returns the name that it gives to the commands of the next block. */
  #read(block: MarkdownNode, next: MarkdownNode | undefined, named: string | null): string | null {
    switch (block.type) {
      case 'heading':
        if (block.depth === this.#depth + 1) this.#subsystem = headingText(block, this.#source);
        return null;
      case 'paragraph':
        return this.#readSentences(linesOf(block, this.#source), next);
      case 'list':
        for (const item of block.children ?? []) this.#readItem(item, named);
        return null;
      case 'code':
        this.#readCode(block, named);
        return null;
      case 'table':
        for (const row of block.children?.slice(1) ?? []) this.#readRow(row);
        return null;
      case 'blockquote':
        this.readAll(block.children ?? [], null);
        return null;
      case 'html':
        this.#readHtml(block);
        return null;
      default:
        return null;
    }
  }

  #readItem(item: MarkdownNode, named: string | null): void {
    const [first, ...rest] = item.children ?? [];
    if (first === undefined) return;
    if (first.type !== 'paragraph') {
      this.readAll(item.children ?? [], named);
      return;
    }
    const [line, ...more] = linesOf(first, this.#source);
    if (line === undefined) {
      this.readAll(rest, named);
      return;
    }
    const pieces = withoutBox(line.pieces);
    const entry = entryOf(pieces, this.#source);
    const isLast = more.length === 0;
    if (entry?.command === '' && rest.some(holdsCommands) && isLast) {
      // `- Lint:` with its commands below; a group needs no name of its own.
      this.readAll(rest, entry.name);
      return;
    }
    if (entry === null && isLast && rest.some(({ type }) => type === 'list') && !hasCommand(pieces)) {
      this.readAll(rest, null);
      return;
    }
    const [below] = more;
    if (entry?.command === '' && below !== undefined && isCodeAlone(below.pieces)) {
      // `- lint:` with its command in the next line.
      this.#add(entry.name, textOf(below.pieces).trim(), below.number);
      more.shift();
    } else if (entry !== null && !entry.isPlain && !entry.isQuoted) this.#weigh(entry, line.number);
    else if (entry !== null)
      this.#take(entry, line.number, entry.isQuoted || startsEntry(more[0], this.#source));
    else if (named !== null && isCodeAlone(pieces)) this.#add(named, pieces[0]?.text ?? '', line.number);
    else this.#refuse(line.number, ...complaintOf(pieces));
    this.#readSentences(more, undefined);
    for (const block of rest) this.#readDetails(block);
  }

  /** Below a gate: remarks on it, where no command may hide. */
  #readDetails(block: MarkdownNode): void {
    if (block.type === 'paragraph') this.#readSentences(linesOf(block, this.#source), undefined);
    else if (block.type === 'list')
      for (const item of block.children ?? [])
        for (const each of item.children ?? []) this.#readDetails(each);
    else this.#read(block, undefined, null);
  }

  #readSentences(lines: readonly MarkdownLine[], next: MarkdownNode | undefined): string | null {
    let last: string | null = null;
    for (const [index, { number, pieces }] of lines.entries()) {
      const entry = entryOf(pieces, this.#source);
      const isLast = index === lines.length - 1;
      last = null;
      if (entry?.command === '' && isLast && next !== undefined && holdsCommands(next)) last = entry.name;
      else if (entry !== null && (entry.isPlain || entry.isQuoted))
        this.#take(entry, number, isLast || entry.isQuoted || startsEntry(lines[index + 1], this.#source));
      else if (hasCommand(pieces)) this.#refuse(number, 'a command in a sentence, which would not run', form);
      else if (entry !== null && entry.command !== '' && /^\S+$/.test(entry.name)) this.#weigh(entry, number);
    }
    return last;
  }

  #readCode(block: MarkdownNode, named: string | null): void {
    // An indented block starts at its first line, a fenced one below the fence.
    const { start } = spanOf(block);
    const isFenced = /^\s*(`{3}|~{3})/.test(this.#source.slice(start));
    const top = lineOf(block) + (isFenced ? 1 : 0);
    let above = '';
    for (const [index, text] of (block.value ?? '').split('\n').entries()) {
      const line = text.trim().replace(/^\$\s+/, '');
      const comment = /^(?:#|\/\/)+\s*(.*)$/.exec(line)?.[1];
      const said = above;
      above = comment ?? '';
      if (line === '' || comment !== undefined) continue;
      const [, name, command = ''] = /^([\p{L}\p{N}][\p{L}\p{N} _-]{0,39})[:：]\s+(.*)$/u.exec(line) ?? [];
      if (name !== undefined) this.#add(name, unquoted(command), top + index);
      else if (said !== '' && said.length <= longestName) this.#add(said, line, top + index);
      else if (named !== null) this.#add(named, line, top + index);
      else this.#refuse(top + index, 'a command without a name', 'say what it is: - test: `npm test`');
    }
  }

  /** `| lint | `npm run lint` |`: the name first, one command in backticks. */
  #readRow(row: MarkdownNode): void {
    const cells = (row.children ?? []).map((cell) =>
      linesOf(cell, this.#source).flatMap(({ pieces }) => pieces),
    );
    const [first = [], ...rest] = cells;
    const commands = rest.filter((pieces) => pieces.some(({ kind }) => kind === 'code'));
    const [command = []] = commands;
    const name = textOf(first).trim();
    const isWhole = !rest.some((pieces) =>
      pieces.some(({ kind, text }) => kind === 'text' && oddBackticks(text)),
    );
    if (isWhole && commands.length === 1 && isCodeAlone(command) && name !== '' && name.length <= longestName)
      this.#add(name, command.find(({ kind }) => kind === 'code')?.text ?? '', lineOf(row));
    else
      this.#refuse(
        lineOf(row),
        'a row without a name and one command',
        'write a list: - name: `command`, or put the name first and one command in backticks',
      );
  }

  #readHtml(block: MarkdownNode): void {
    const said = (block.value ?? '')
      .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(/<summary>[^<]*<\/summary>/gi, '')
      .replace(/<[^<>]*>/g, '');
    if (said.trim() !== '') this.#refuse(lineOf(block), 'HTML is not read', form);
  }

  /** Words behind a name that is no kind: only backticks would say that they are a command. */
  #weigh({ name, command }: Entry, line: number): void {
    if (remark.test(name)) return;
    if (command === '') this.#refuse(line, 'the command is missing', 'write it behind the colon, or "none"');
    else this.#refuse(line, `"${name}" may be a gate or a remark`, `${form}, or as a sentence`);
  }

  #take({ name, command }: Entry, line: number, isWhole: boolean): void {
    if (command === '') this.#refuse(line, 'the command is missing', 'write it behind the colon, or "none"');
    else if (command === null)
      this.#refuse(line, 'two commands in one line', 'write one line for each: - name: `command`');
    else if (!isWhole)
      this.#refuse(line, 'the command goes on in the next line', 'put it in backticks, in one line');
    else if (command.includes('`') && oddBackticks(command))
      this.#refuse(line, 'a backtick is not closed', 'close it');
    else this.#add(name, command, line);
  }

  #add(name: string, command: string, line: number): void {
    if (nothing.test(command)) return;
    const known = gateName(name);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
    if (/[\x00-\x08\x0b-\x1f\x7f]/.test(command))
      this.#refuse(line, 'the command holds control characters', 'write it again as plain text');
    else if (command === '')
      this.#refuse(line, 'the command is missing', 'write it behind the colon, or "none"');
    else if (command.endsWith('\\'))
      this.#refuse(line, 'the command goes on in the next line', 'write it in one line');
    else if (known.name === '') this.#refuse(line, 'a command without a name', form);
    else this.gates.push({ ...known, command, subsystem: this.#subsystem, line });
  }

  #refuse(line: number, what: string, hint: string): void {
    this.refusals.push({ line, what, hint });
  }
}

interface Entry {
  readonly name: string;
  /** Empty: there is none. Null: more than one. */
  readonly command: string | null;
  /** In backticks. */
  readonly isQuoted: boolean;
  /** The name is that of a kind. */
  readonly isPlain: boolean;
}

/** A name, a separator and a command; null if the line is something else. */
function entryOf(pieces: readonly Piece[], source: string): Entry | null {
  const first = pieces.findIndex(({ text }) => text.trim() !== '');
  let name = '';
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'code') {
      // `lint`: `npm run lint`
      if (index === first && separator.exec(pieces[index + 1]?.text ?? '')?.index === 0) {
        name += piece.text;
        continue;
      }
      // lint `npm run lint`
      const isPlain = index > first && plainName(name) !== null;
      return isPlain ? quoted(name, pieces.slice(index)) : null;
    }
    const at = separator.exec(piece.text);
    if (at === null) {
      name += piece.text;
      continue;
    }
    name = (name + piece.text.slice(0, at.index)).trim();
    if (name === '' || name.length > longestName) return null;
    const isPlain = plainName(name) !== null;
    const behind = piece.text.slice(at.index + at[0].length);
    const rest = pieces.slice(index + 1);
    const [code] = rest.filter(({ text }) => text.trim() !== '');
    if (behind.trim() === '' && code?.kind === 'code') return quoted(name, rest);
    if (!/[:：]/.test(at[0])) return null;
    const start = piece.end - behind.length;
    const whole = source.slice(start, lineEnd(source, start)).trim();
    const command = rest.length === 0 ? behind.trim() : whole.replace(/^(\*\*|__)|(\*\*|__)$/g, '').trim();
    return { name, command, isQuoted: false, isPlain };
  }
  return null;
}

function quoted(name: string, [code, ...rest]: readonly Piece[]): Entry {
  const [first, ...others] = [code, ...rest].filter(
    (piece): piece is Piece => piece !== undefined && piece.text.trim() !== '',
  );
  const behind = others[0]?.kind === 'text' ? others[0].text : '';
  const goesOn =
    /^\s*(&&|\|\||[;|\\])/.test(behind) ||
    others.some(({ kind, text }) => kind === 'code' && isCommand(text));
  return {
    name: name.trim(),
    command: goesOn ? null : (first?.text ?? ''),
    isQuoted: true,
    isPlain: plainName(name) !== null,
  };
}

function lineEnd(source: string, from: number): number {
  const end = source.slice(from).search(/\r?\n|\r/);
  return end < 0 ? source.length : from + end;
}

function startsEntry(line: MarkdownLine | undefined, source: string): boolean {
  return line === undefined || entryOf(line.pieces, source)?.isPlain === true;
}

function complaintOf(pieces: readonly Piece[]): [string, string] {
  if (isCodeAlone(pieces)) return ['a command without a name', 'say what it is: - test: `npm test`'];
  if (hasCommand(pieces)) return ['a command without a name and a colon before it', form];
  if (oddBackticks(textOf(pieces))) return ['a backtick is not closed', 'close it'];
  return ['an item without a command', `${form}, or as a sentence outside of the list`];
}

function hasCommand(pieces: readonly Piece[]): boolean {
  return pieces.some(({ kind, text }) => kind === 'code' && isCommand(text));
}

/** `npm test`, but not `--fix` or `src/a.ts`. What Joinery runs itself is not a gate. */
function isCommand(code: string): boolean {
  return (programs.test(code) || /^[\w./@~=-]+\s+\S/.test(code)) && !/^(-|joinery\s)/.test(code);
}

function isCodeAlone(pieces: readonly Piece[]): boolean {
  const [only, ...more] = pieces.filter(({ text }) => text.trim() !== '');
  return only?.kind === 'code' && more.length === 0;
}

function holdsCommands({ type }: MarkdownNode): boolean {
  return type === 'code' || type === 'list';
}

function withoutBox(pieces: readonly Piece[]): Piece[] {
  const [first, ...rest] = pieces;
  return first?.kind === 'text'
    ? [{ ...first, text: first.text.replace(/^\s*\[[ xX]\]\s*/, '') }, ...rest]
    : [...pieces];
}

export function headingText(heading: MarkdownNode, source: string): string {
  return textOf(linesOf(heading, source).flatMap(({ pieces }) => pieces))
    .replace(/:\s*$/, '')
    .trim();
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

function unquoted(command: string): string {
  return /^`([^`]+)`$/.exec(command.trim())?.[1] ?? command.trim();
}

function oddBackticks(text: string): boolean {
  return (text.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1;
}
