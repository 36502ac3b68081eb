import { parseContent } from './content.ts';
import { type Header, parseHeader } from './header.ts';
import { applyChanges, type Branch, type Changes, type Files, type Scenario } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';
import { isSectionLine, parseSectionLine, type SectionChange } from './section-line.ts';

interface Section {
  readonly line: number;
  readonly side: string;
  readonly path: string;
  readonly change: SectionChange;
  readonly body: readonly string[];
}

/** Reads a scenario; `test/rules/README.md` describes the format. */
export function parseScenario(bytes: Buffer): Scenario {
  const lines = linesOf(bytes);
  const starts = lines.flatMap((line, index) => (isSectionLine(line) ? [index] : []));
  const header = parseHeader(`${lines.slice(0, starts[0]).join('\n')}\n`);
  const sections = starts.map((start, index) => readSection(lines, start, starts[index + 1], header));
  const base = baseOf(sections.filter(({ side }) => side === 'base'));
  const changesOn = (name: string): Changes =>
    changesOf(
      base,
      sections.filter(({ side }) => side === name),
    );
  const branches = header.branches.map((name): Branch => ({ name, changes: changesOn(name) }));
  const { title, rule, risk, status, findings, landable } = header;
  return {
    title,
    rule,
    ...(risk ? { risk } : {}),
    base,
    branches: branches.filter(({ name }) => name !== 'main'),
    main: branches.find(({ name }) => name === 'main')?.changes ?? null,
    expected: { status, findings, ...(landable ? { landable } : {}) },
  };
}

/** Splits into lines; every line of a scenario, including the last one, has a line end. */
function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  const lines = text.split('\n');
  if (!Buffer.from(text).equals(bytes)) {
    const at = lines.findIndex((line) => line.includes('\ufffd'));
    throw new ScenarioError(at + 1, 'not UTF-8; content like that stands in a section marked (base64)');
  }
  const carriageReturn = lines.findIndex((line) => line.includes('\r'));
  if (carriageReturn >= 0)
    throw new ScenarioError(
      carriageReturn + 1,
      'a carriage return; lines end in a line feed, and a section marked (crlf) stands for the other kind',
    );
  if (lines.pop() !== '') throw new ScenarioError(lines.length + 1, 'the last line does not end');
  return lines;
}

function readSection(
  lines: readonly string[],
  start: number,
  end: number | undefined,
  { branches }: Header,
): Section {
  const line = start + 1;
  const { name, change } = parseSectionLine(lines[start] ?? '', line);
  const [, side = '', path = ''] = /^([^/]*)\/(.*)$/s.exec(name) ?? [];
  if (side !== 'base' && !branches.includes(side))
    throw new ScenarioError(
      line,
      `${name} belongs to none of ${['base', ...branches].join(', ')}; a file with such a line stands in a section marked (quoted)`,
    );
  checkPath(path, line);
  const body = lines.slice(start + 1, end);
  if (change.kind !== 'content' && body.length > 0)
    throw new ScenarioError(line + 1, `a ${change.kind} file has no lines; what follows belongs to nothing`);
  return { line, side, path, change, body };
}

function checkPath(path: string, line: number): void {
  const isFine = path.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()));
  if (!isFine || path.includes('\0'))
    throw new ScenarioError(line, `git takes no file ${JSON.stringify(path)}`);
}

function baseOf(sections: readonly Section[]): Files {
  const files = new Map<string, Buffer>();
  for (const { path, change, body, line } of sections) {
    if (change.kind !== 'content') throw new ScenarioError(line, `base has no ${change.kind} files`);
    if (files.has(path)) throw new ScenarioError(line, `base has ${path} twice`);
    files.set(path, parseContent({ notes: change.notes, lines: body }, line));
  }
  checkFolders(files, sections);
  return files;
}

function changesOf(base: Files, sections: readonly Section[]): Changes {
  const changes = new Map<string, Buffer | null>();
  const change = (path: string, content: Buffer | null, { line, side }: Section) => {
    if (changes.has(path)) throw new ScenarioError(line, `${side} changes ${path} twice`);
    changes.set(path, content);
  };
  for (const section of sections) {
    const { path, line, side } = section;
    if (section.change.kind === 'deleted') {
      contentIn(base, path, section);
      change(path, null, section);
    } else if (section.change.kind === 'moved') {
      const { from } = section.change;
      change(path, contentIn(base, from, section), section);
      change(from, null, section);
    } else {
      const content = parseContent({ notes: section.change.notes, lines: section.body }, line);
      if (base.get(path)?.equals(content))
        throw new ScenarioError(line, `${side} has ${path} as base has it; leave the section out`);
      change(path, content, section);
    }
  }
  checkFolders(applyChanges(base, changes), sections);
  return changes;
}

function contentIn(base: Files, path: string, { line }: Section): Buffer {
  const content = base.get(path);
  if (!content) throw new ScenarioError(line, `base has no ${path}`);
  return content;
}

/** `a/b/c`: `a`, `a/b`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** A path cannot be both a file and a folder. */
function checkFolders(files: Files, sections: readonly Section[]): void {
  const folders = new Set([...files.keys()].flatMap(foldersAbove));
  for (const { path, line } of sections.filter(({ path }) => files.has(path))) {
    const clash = [path]
      .filter((each) => folders.has(each))
      .concat(foldersAbove(path).filter((each) => files.has(each)));
    if (clash.length > 0) throw new ScenarioError(line, `${clash[0]} is a file and a folder`);
  }
}
