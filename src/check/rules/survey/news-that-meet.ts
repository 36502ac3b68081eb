import { posix } from 'node:path';
import type { Change } from '#git/trees/tree.ts';
import type { ChangedText } from './changed-text.ts';
import { kindsThatMeet } from './kinds-that-meet.ts';
import type { NewsReader } from './read-news.ts';
import type { FileNews, NewsKind } from './readings.ts';

/**
 * The news of base that can meet a branch. Base may have changed hundreds of files since the branch forked, and most of their news meet
 * nothing. The invariant: no rule finds anything else than with all news of base.
 */
export async function newsThatMeet(
  reader: NewsReader,
  ofBase: readonly Change[],
  own: ReadonlyMap<string, FileNews>,
): Promise<ReadonlyMap<string, FileNews>> {
  const kinds = kindsThatMeet(own.values());
  const functions = changedFunctions(own);
  const canMeet = new Map<NewsKind, (file: ChangedText) => boolean>([
    ['names', changesOneOf(namesOf(own))],
    ['tests', testsMeeting(own, functions)],
  ]);
  const first = await reader.read(ofBase, kinds, (kind, file) => canMeet.get(kind)?.(file) ?? true);
  const isDropped = [...first.values()].some(({ tests }) =>
    tests?.gone.some(({ uses }) => uses.some(({ name }) => functions.has(name))),
  );
  // A dropped test may have moved to any other file.
  return isDropped ? reader.read(ofBase, kinds) : first;
}

/** K02 compares tests of one file or one package of Go, and fixtures; K04 dropped tests with the functions that they call. */
function testsMeeting(
  own: ReadonlyMap<string, FileNews>,
  functions: ReadonlySet<string>,
): (file: ChangedText) => boolean {
  const paths = new Set([...own.keys()].flatMap((path) => [path, posix.dirname(path)]));
  return ({ path, before }) =>
    paths.has(path) ||
    (path.endsWith('.go') && paths.has(posix.dirname(path))) ||
    posix.basename(path) === 'conftest.py' ||
    [...functions].some((name) => before.includes(name));
}

function changedFunctions(own: ReadonlyMap<string, FileNews>): Set<string> {
  return new Set([...own.values()].flatMap(({ code }) => code?.changed.map(({ name }) => name) ?? []));
}

function namesOf(own: ReadonlyMap<string, FileNews>): string[] {
  const all = [...own.values()].flatMap(({ names }) => [...(names?.gone ?? []), ...(names?.added ?? [])]);
  return [...new Set(all.map(([name]) => name))];
}

/** Searching for more names takes longer than reading the names of the file. */
const mostSearched = 50;

/** N01 looks only at names that both sides change, and a file changes a name in lines that differ. */
function changesOneOf(names: readonly string[]): (file: ChangedText) => boolean {
  if (names.length > mostSearched) return () => true;
  // The path of a moved or removed file is a name, too.
  return ({ path, oldPath, isGone, differing }) =>
    path !== oldPath || isGone || names.some((name) => differing.includes(name));
}
