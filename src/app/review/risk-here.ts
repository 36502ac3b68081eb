import { join } from 'node:path';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { offeredNames } from '#code/facts/offered-names.ts';
import { isCode } from '#code/languages/index.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import type { FileChange } from '#grounding/change/change.ts';
import { testsIn } from '#grounding/integrity/changed-tests.ts';
import { testDamage } from '#grounding/integrity/test-integrity.ts';
import type { OpenBranch } from '#grounding/judge/open-branch.ts';
import { scoreRisk } from '#review/risk/score-risk.ts';
import type { RiskReport } from '#schema/proof.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { type BranchWish, comparedOf, readChangeHere, type Texts, withBranchHere } from './open-here.ts';

/** Which files of a branch to read first, and why. */
export function riskHere(surroundings: Surroundings, wish: BranchWish): Promise<RiskReport> {
  return withBranchHere(surroundings, wish, async (open, cache) => ({
    schema: 'joinery/risk@1' as const,
    ...comparedOf(open, wish),
    ...(await riskOf(open, cache)),
  }));
}

export async function riskOf(open: OpenBranch, cache: string) {
  const { change, read } = await readChangeHere(open);
  return scoreRisk({
    files: change.files,
    damage: testDamage(change).damage,
    testsIn: countTests,
    newNames: await nameReader(open, read, cache),
    policy: change.policy,
  });
}

function countTests(file: FileChange): { before: number; after: number } | null {
  const before = countIn(file, 'before');
  const after = countIn(file, 'after');
  return before === null || after === null ? null : { before, after };
}

function countIn(file: FileChange, side: 'before' | 'after'): number | null {
  if (file[side] === null) return 0;
  const tests = testsIn(file, side);
  if (tests === null || tests.unreadable) return null;
  return tests.cases.reduce((sum, { assertions }) => sum + 1 + assertions.length, 0);
}

/** Exported names of modules before and after, from facts. */
async function nameReader({ scratch, rules }: OpenBranch, { changes }: Texts, cache: string) {
  const objects = new ObjectReader(scratch.git);
  const store = new FactsStore(join(cache, 'facts.db'), rules.config.cache.maxBytes);
  const reader = new FactsReader(objects, store);
  try {
    const sources = changes.filter(
      ({ path, after }) => after?.kind === 'file' && isCode(path) && !isTestCode(path),
    );
    const sides = sources.flatMap(({ path, oldPath, before, after }) => [
      { path: oldPath ?? path, blob: before?.kind === 'file' ? before.id : null },
      { path, blob: after?.id ?? null },
    ]);
    await reader.load(sides.flatMap(({ path, blob }) => (blob === null ? [] : [{ path, blob }])));
    const namesAt = (path: string, blob: string | undefined): string[] | null => {
      if (blob === undefined) return [];
      const facts = reader.facts(path, blob);
      return facts && facts.syntaxError === null ? offeredNames(facts) : null;
    };
    const known = new Map(
      sources.map(({ path, oldPath, before, after }) => {
        const old = namesAt(oldPath ?? path, before?.id);
        const now = namesAt(path, after?.id);
        if (old === null || now === null) return [path, null];
        const had = new Set(old);
        return [path, now.filter((name) => !had.has(name) && !name.startsWith('_'))];
      }),
    );
    return ({ path }: FileChange) => known.get(path) ?? null;
  } finally {
    objects.close();
    store.close();
  }
}
