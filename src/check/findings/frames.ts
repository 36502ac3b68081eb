import type { FoundIn } from '#check/context.ts';
import type { Member } from '#check/members/member.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import type { Site } from '#schema/check-report.ts';
import type { Frame } from '#schema/frame.ts';
import type { Assembled } from './findings.ts';

const context = 2;
const framesPerFinding = 3;

interface TextSource {
  content(blob: string): Promise<Buffer | null>;
}

/** The sites of a finding with their lines in each branch, and the source lines around them. */
export interface Shown {
  readonly sites: readonly Site[];
  readonly frames: readonly Frame[];
}

/** Reads the source lines of findings while the trees they were found in are loaded. */
export function showFindings(
  assembled: readonly Assembled[],
  union: GitTree | null,
  source: TextSource,
): Promise<FoundIn[]> {
  const lines = new Map<string, Promise<string[] | null>>();
  const read = (blob: string): Promise<string[] | null> => {
    const known = lines.get(blob) ?? readLines(source, blob);
    lines.set(blob, known);
    return known;
  };
  return Promise.all(
    assembled.map(async (entry) => ({
      assembled: {
        finding: entry.finding,
        problems: entry.problems.map(({ file, key }) => ({ file, key })),
        places: entry.places.map(({ site, inUnion }) => ({ site, inUnion })),
      },
      unionTree: union?.id ?? null,
      shown: await frameFinding(entry, union, read),
    })),
  );
}

/**
 * Source lines for the sites of a finding, and the finding with its sites at the line numbers of each branch: a
 * consumer was found in the union, where its line number may differ.
 */
async function frameFinding(
  assembled: Assembled,
  union: GitTree | null,
  read: (blob: string) => Promise<string[] | null>,
): Promise<Shown> {
  const sites: Site[] = [];
  const frames: Frame[] = [];
  for (const { site, side, removed, inUnion, word } of assembled.places) {
    const inUnionBlob = inUnion ? union?.blob(site.file) : undefined;
    const unionText = inUnionBlob === undefined ? null : await read(inUnionBlob);
    const wanted = unionText?.[site.line - 1];
    const textOf = async (member: Member) => {
      const blob = removed
        ? beforeBlob(site, member.changes)
        : (member.tree.git.blob(site.file) ?? movedBlob(member, site));
      return blob === undefined ? null : await read(blob);
    };
    const own = await textOf(side);
    const others = assembled.members.filter((member) => member !== side);
    // A line of the union that its branch lacks belongs to the other branch: in a clash each has one.
    const bringer =
      wanted === undefined || !own || own.includes(wanted)
        ? undefined
        : await firstWith(others, async (member) => (await textOf(member))?.includes(wanted) ?? false);
    const text = bringer ? await textOf(bringer) : own;
    const line = text && unionText ? sameLine(unionText, text, site.line) : site.line;
    const column = text ? wordColumn(site.column, word, text[line - 1] ?? '') : site.column;
    const endLine = Math.max(line, site.endLine + line - site.line);
    const placed = { ...site, branch: bringer?.ref ?? site.branch, line, column, endLine };
    sites.push(placed);
    if (text && frames.filter(({ role }) => role === site.role).length < framesPerFinding)
      frames.push(frameOf(placed, text, removed));
  }
  return { sites, frames };
}

async function firstWith<Each>(
  all: readonly Each[],
  test: (each: Each) => Promise<boolean>,
): Promise<Each | undefined> {
  for (const each of all) if (await test(each)) return each;
  return undefined;
}

function beforeBlob(site: Site, changes: Assembled['places'][number]['side']['changes']): string | undefined {
  return changes.find(({ path, oldPath }) => (oldPath ?? path) === site.file)?.before?.id;
}

function movedBlob(side: Assembled['places'][number]['side'], site: Site): string | undefined {
  const moved = side.renames.get(site.file);
  return moved === undefined ? undefined : side.tree.git.blob(moved);
}

async function readLines(source: TextSource, blob: string): Promise<string[] | null> {
  const content = await source.content(blob);
  return content ? content.toString('utf8').split(/\r?\n/) : null;
}

/** The line of the branch's file with the same text as the union's line; if there are several, the nearest. */
function sameLine(union: readonly string[], own: readonly string[], line: number): number {
  const wanted = union[line - 1];
  for (let distance = 0; distance < Math.max(own.length, union.length); distance++) {
    if (own[line - 1 - distance] === wanted) return line - distance;
    if (own[line - 1 + distance] === wanted) return line + distance;
  }
  return Math.min(line, own.length);
}

/** A definition starts at its keyword and `user.name` at `user`, but a reader looks for the name itself. */
function wordColumn(column: number, word: string, line: string): number {
  if (!/^[\w$]+$/.test(word)) return column;
  const at = line.slice(column - 1).search(new RegExp(`(?<![\\w$])${escapePattern(word)}(?![\\w$])`));
  return at < 0 ? column : column + at;
}

function frameOf(site: Site, text: readonly string[], removed: boolean): Frame {
  const first = Math.max(1, site.line - context);
  const last = Math.min(text.length, site.line + context);
  return {
    branch: site.branch,
    file: site.file,
    removed,
    firstLine: first,
    lines: text.slice(first - 1, last),
    line: site.line,
    column: site.column,
    role: site.role,
  };
}
