import { extname, join } from 'node:path';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { isCode as isReadable } from '#code/languages/index.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import { messagesSince } from '#git/history/trailers.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { diffTrees, GitTree } from '#git/trees/tree.ts';
import { testDamage } from '#grounding/integrity/test-integrity.ts';
import type { OpenBranch } from '#grounding/judge/open-branch.ts';
import { judgeDamage, readTrailers } from '#review/integrity/contested-tests.ts';
import type { GapsReport, IntegrityReport } from '#schema/proof.ts';
import { breaks } from '#schema/verdict.ts';
import { isCode, isTestCode } from '#tests/code/test-path.ts';
import { findGaps } from '#tests/gaps/find-gaps.ts';
import { type BranchWish, comparedOf, readChangeHere, withBranchHere } from './open-here.ts';

/** Checks whether the branch weakened existing tests. */
export function integrityHere(surroundings: Surroundings, wish: BranchWish): Promise<IntegrityReport> {
  return withBranchHere(surroundings, wish, async (open) => ({
    schema: 'joinery/tests-integrity@1' as const,
    ...comparedOf(open, wish),
    ...(await integrityOf(open)),
  }));
}

async function integrityOf(open: OpenBranch): Promise<Omit<IntegrityReport, 'schema' | 'base' | 'branch'>> {
  const { change } = await readChangeHere(open);
  const { damage, unknown } = testDamage(change);
  const unread = change.files.flatMap(({ path, unreadable }) =>
    unreadable === null || !isTestCode(path) ? [] : [{ file: path, reason: unreadable }],
  );
  const inconclusive = [...unknown, ...unread];
  const messages = await messagesSince(open.scratch.git, open.mergeBase, open.tip);
  const { findings, trailers } = judgeDamage(damage, readTrailers(messages));
  const isBlocked = findings.some(breaks);
  const status = isBlocked ? 'fail' : inconclusive.length > 0 ? 'inconclusive' : 'pass';
  return { status, findings, trailers, inconclusive };
}

export interface GapsWish extends BranchWish {
  /** Fail above this number of gaps; null: only list them. */
  readonly threshold: number | null;
}

/** Lists public symbols that the branch adds and no test reaches. */
export function gapsHere(surroundings: Surroundings, wish: GapsWish): Promise<GapsReport> {
  return withBranchHere(surroundings, wish, async (open, cache) => ({
    schema: 'joinery/tests-gaps@1' as const,
    ...comparedOf(open, wish),
    ...(await gapsOf(open, cache, wish.threshold)),
  }));
}

async function gapsOf(
  { scratch, mergeBase, tip, rules }: OpenBranch,
  cache: string,
  threshold: number | null,
): Promise<Omit<GapsReport, 'schema' | 'base' | 'branch'>> {
  const objects = new ObjectReader(scratch.git);
  const store = new FactsStore(join(cache, 'facts.db'), rules.config.cache.maxBytes);
  try {
    const { git } = scratch;
    const trees = await Promise.all([mergeBase, tip].map((id) => git.text(['rev-parse', `${id}^{tree}`])));
    const [from = '', to = ''] = trees;
    const [changes = []] = await diffTrees(git, [[from, to]], { renames: true });
    const before = await GitTree.read(git, from);
    const reader = new FactsReader(objects, store);
    const documents = new ResolutionDocuments(objects);
    const options = { pythonRoots: rules.config.python.roots, depth: 'names' } as const;
    const changed = changes
      .filter(({ after }) => after?.kind === 'file')
      .map(({ path, oldPath, before: old }) => ({ path, oldPath: old === null ? null : (oldPath ?? path) }));
    const { symbols, gaps, unreadable } = await findGaps({
      git,
      base: new CodeTree(before, reader, documents, options),
      tip: new CodeTree(before.withChanges(to, changes), reader, documents, options),
      changed,
    });
    const fails = threshold !== null && gaps.length > threshold;
    const inconclusive = unreadable.map((file) => ({ file, reason: 'it cannot be parsed' }));
    return {
      status: fails ? 'fail' : inconclusive.length > 0 ? 'inconclusive' : 'pass',
      symbols: symbols.length,
      threshold,
      findings: gaps
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, path, name, line, kind }) => ({
          rule: 'test-gap',
          severity: fails
            ? ('blocking' as const)
            : isComponent(path, name)
              ? ('important' as const)
              : ('minor' as const),
          fingerprint: `test-gap:${id}`,
          message: `no test reaches ${kind} ${name} of ${path}`,
          hint: 'add a test that imports it, or something that uses it',
          file: path,
          line,
          symbol: id,
        })),
      notFollowed: countEndings(changed.map(({ path }) => path)),
      inconclusive,
    };
  } finally {
    objects.close();
    store.close();
  }
}

function isComponent(path: string, name: string): boolean {
  return /\.(tsx|jsx|vue|svelte)$/.test(path) && /^[A-Z]/.test(name);
}

/** Source files in languages without facts, counted by extension. */
function countEndings(paths: readonly string[]): GapsReport['notFollowed'] {
  const other = paths.filter((path) => isCode(path) && !isTestCode(path) && !isReadable(path));
  return [...Map.groupBy(other, (path) => extname(path))]
    .map(([ending, files]) => ({ ending, files: files.length }))
    .sort((a, b) => (a.ending < b.ending ? -1 : 1));
}
