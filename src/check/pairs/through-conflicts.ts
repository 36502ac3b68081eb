import type { CheckContext } from '#check/context.ts';
import type { Member, ReadMember } from '#check/members/member.ts';
import { bringsReference } from '#check/members/union-problems.ts';
import type { Detected } from '#check/rules/detect.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { pathOn } from '#check/rules/text/conflict-sites.ts';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { isContested, mergeFacts } from '#code/facts/merge-facts.ts';
import { isCode } from '#code/languages/index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import type { Change } from '#git/trees/tree.ts';

/**
 * Unions of two members whose text conflicts, with one member's references in the conflicted files. There are several when the result
 * depends on how the conflict is resolved.
 */
export interface Reading {
  readonly of: ReadMember;
  readonly other: ReadMember;
  readonly unions: readonly CodeTree[];
}

/** Empty when no conflicted file is code that both sides have and that parses, or controls where imports lead. */
export async function readingsOf(
  context: CheckContext,
  a: ReadMember,
  b: ReadMember,
  union: CodeTree,
  conflicted: ReadonlySet<string>,
): Promise<Reading[]> {
  const versions = new Map<string, NonNullable<Awaited<ReturnType<typeof versionsOf>>>>();
  for (const path of conflicted) {
    const found = await versionsOf(context, a, b, path);
    if (found) versions.set(path, found);
  }
  const documents = [...conflicted].filter(isResolutionDocument);
  if (versions.size === 0 && documents.length === 0) return [];
  const isOpen =
    documents.length > 0 ||
    versions.values().some(({ base, ofA, ofB }) => isContested({ base, own: ofA, other: ofB }));
  const preferences = isOpen ? (['own', 'other'] as const) : (['own'] as const);
  return [
    { of: a, other: b },
    { of: b, other: a },
  ].map(({ of, other: otherSide }) => ({
    of,
    other: otherSide,
    unions: preferences.map((prefers) => {
      const facts = [...versions].map(([path, { base, ofA, ofB }]) => {
        const [own, other] = of === a ? [ofA, ofB] : [ofB, ofA];
        return [path, mergeFacts({ base, own, other }, prefers)] as const;
      });
      const preferred = prefers === 'own' ? of : otherSide;
      const entries = documents.flatMap((path) => versionOn(preferred, path));
      return context.trees.resolved(union, conflicted, new Map(facts), entries);
    }),
  }));
}

/** A package.json with conflict markers is useless: the version of one side decides where imports lead. */
function versionOn({ tree }: Member, path: string): Change[] {
  const after = tree.git.entry(path);
  return after ? [{ status: 'modified', path, oldPath: null, before: null, after }] : [];
}

async function versionsOf(
  { reader }: CheckContext,
  a: Member,
  b: Member,
  path: string,
): Promise<{ base: Facts | undefined; ofA: Facts; ofB: Facts } | null> {
  const [pathInA, pathInB] = [pathOn(a, b, path), pathOn(b, a, path)];
  if (pathInA === undefined || pathInB === undefined || !isCode(path)) return null;
  const [blobOfA, blobOfB] = [a.tree.git.blob(pathInA), b.tree.git.blob(pathInB)];
  if (blobOfA === undefined || blobOfB === undefined) return null;
  const before = fileBefore(a.changed.get(pathInA)) ?? fileBefore(b.changed.get(pathInB));
  const files = [
    { path: pathInA, blob: blobOfA },
    { path: pathInB, blob: blobOfB },
    ...(before ? [before] : []),
  ];
  await reader.load(files);
  const [ofA, ofB, base] = files.map((file) => reader.facts(file.path, file.blob));
  if (!ofA || !ofB || [ofA, ofB, base].some((facts) => facts?.syntaxError)) return null;
  return { base, ofA, ofB };
}

function fileBefore(change: Change | undefined): { path: string; blob: string } | null {
  if (change?.before?.kind !== 'file') return null;
  return { path: change.oldPath ?? change.path, blob: change.before.id };
}

/**
 * Problems that remain however the conflict is resolved. In other files: those of every reading. In a conflicted file: those with a
 * reference that the side itself adds and that no resolution removes.
 */
export async function foundInAll(
  readings: readonly Reading[],
  conflicted: ReadonlySet<string>,
  find: (union: CodeTree) => Promise<readonly Detected[]>,
): Promise<Detected[]> {
  const results: { readonly reading: Reading; readonly found: ReadonlyMap<string, Detected> }[] = [];
  for (const reading of readings) {
    const all: ReadonlyMap<string, Detected>[] = [];
    for (const union of reading.unions)
      all.push(new Map((await find(union)).map((each) => [identityOf(each), each])));
    const [first = new Map<string, Detected>(), ...others] = all;
    const kept = [...first].filter(([id]) => others.every((found) => found.has(id)));
    results.push({ reading, found: new Map(kept) });
  }
  return results.flatMap(({ reading, found }, index) =>
    [...found].flatMap(([id, each]) => {
      if (!conflicted.has(each.entry.problem.file))
        return index === 0 && results.every((result) => result.found.has(id)) ? [each] : [];
      return isBroughtBy(reading, each) ? [{ ...each, entry: inOwnLines(each.entry, reading) }] : [];
    }),
  );
}

function identityOf({ entry: { problem, consumer, provider, diagnosis } }: Detected): string {
  return JSON.stringify([diagnosis.rule, problem.key, consumer.ref, provider.ref]);
}

/** A reference that the previous version also has is not new: the other side decides what happens to it. */
function isBroughtBy({ of, other, unions }: Reading, { entry, isLinked }: Detected): boolean {
  const { problem, consumer } = entry;
  if (consumer !== of) return false;
  const scope = problem.consumer.slice(problem.consumer.indexOf('#') + 1);
  const isThere = (union: CodeTree) => definitionIn(union.facts(problem.file), scope) !== undefined;
  if (scope !== '' && !unions.every(isThere)) return false;
  return !isLinked || bringsReference(problem, of, pathOn(of, other, problem.file) ?? problem.file);
}

function definitionIn(facts: Facts | undefined, symbol: string): Definition | undefined {
  return facts?.definitions.find((definition) => symbolPath(definition) === symbol);
}

/** Sites are given in the side's own file: the union contains conflict markers there. */
function inOwnLines(entry: DiagnosedProblem, { of, other }: Reading): DiagnosedProblem {
  const sites = entry.problem.sites.map((site) => ({
    ...site,
    file: pathOn(of, other, site.file) ?? site.file,
  }));
  return {
    ...entry,
    problem: { ...entry.problem, sites },
    diagnosis: { ...entry.diagnosis, sitesAreOfBranch: true },
  };
}
