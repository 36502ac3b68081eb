import { FactsReader } from '#code/extraction/facts-reader.ts';
import type { FactsStore } from '#code/facts/facts-store.ts';
import { offeredNames } from '#code/facts/offered-names.ts';
import { isCode } from '#code/languages/index.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import type { Git } from '#git/call/git.ts';
import { countCoChanges } from '#git/history/co-change.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { covers } from '#schema/declared-files.ts';
import type { CoChange, CodeReading, FileUse } from './reading.ts';

export interface CodeSource {
  readonly git: Git;
  readonly objects: ObjectReader;
  readonly facts: FactsStore;
  readonly commit: string;
  readonly tree: GitTree;
  readonly pythonRoots: readonly string[];
}

/** Larger files are data or generated. */
const largest = 8 * 1024 * 1024;

/** Reads the files that tasks declare at the base commit. */
export async function readCode(source: CodeSource, declared: readonly string[]): Promise<CodeReading> {
  const existing = Object.fromEntries(
    [...new Set(declared)].map((each) => [each, source.tree.matching((path) => covers(each, path))]),
  );
  const paths = [...new Set(Object.values(existing).flat())].sort();
  const [lines, linked, coChanges] = await Promise.all([
    countLines(source, paths),
    linkFiles(source, paths),
    readCoChanges(source, paths),
  ]);
  return { existing, lines, ...linked, coChanges };
}

async function countLines(
  { tree, objects }: CodeSource,
  paths: readonly string[],
): Promise<Record<string, number>> {
  const counted = await Promise.all(
    paths.map(async (path): Promise<[string, number]> => {
      const id = tree.blob(path);
      const content = id === undefined ? null : ((await objects.blob(id, largest))?.content ?? null);
      return [path, content === null ? 0 : linesOf(content)];
    }),
  );
  return Object.fromEntries(counted);
}

function linesOf(content: Buffer): number {
  let lines = content.length > 0 && content.at(-1) !== 10 ? 1 : 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines++;
  return lines;
}

async function linkFiles(
  { tree, objects, facts, pythonRoots }: CodeSource,
  paths: readonly string[],
): Promise<Pick<CodeReading, 'offers' | 'uses' | 'unread'>> {
  const code = paths.filter(isCode);
  const reader = new FactsReader(objects, facts, 1);
  const linker = new CodeTree(tree, reader, new ResolutionDocuments(objects), {
    pythonRoots,
    depth: 'names',
  });
  await linker.link(code);
  const asked = new Set(code);
  const uses = code.flatMap((from): FileUse[] =>
    [...(linker.linked(from)?.trace.names ?? [])]
      .filter(([to]) => to !== from && asked.has(to))
      .map(([to, names]) => ({ from, to, names: [...names].filter((name) => /^[^*]/.test(name)).sort() })),
  );
  const offers = code.map((path): [string, string[]] => {
    const known = linker.facts(path);
    const names = new Set(known && offeredNames(known));
    return [path, [...names].filter((name) => name !== '*').sort()];
  });
  return {
    offers: Object.fromEntries(offers),
    uses,
    unread: code.flatMap((path) => {
      const blob = tree.blob(path) ?? '';
      const error = reader.facts(path, blob)?.syntaxError;
      const reason = error ? `line ${error.line}: ${error.message}` : reader.unreadable(blob);
      return reason ? [{ path, reason }] : [];
    }),
  };
}

async function readCoChanges({ git, commit }: CodeSource, paths: readonly string[]): Promise<CoChange[]> {
  const { alone, together } = await countCoChanges(git, commit, paths);
  return [...together].sort().map(([pair, count]) => {
    const [a = '', b = ''] = pair.split('\0');
    return { a, b, together: count, atLeast: Math.min(alone.get(a) ?? 0, alone.get(b) ?? 0) };
  });
}
