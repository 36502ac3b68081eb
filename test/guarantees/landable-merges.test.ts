import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { checkIn } from '#test/support/check-in.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { events, GitFault, RandomHistory } from '#test/support/random-history.ts';
import { sample } from '#test/support/sampling.ts';

/** Merges branches into main one after the other, as a person does. False at the first that git refuses. */
function canLand(repository: GitRepository, branches: readonly string[]): boolean {
  repository.git('checkout', '-q', '-f', '-B', 'landing', 'main', '--');
  for (const branch of branches) {
    try {
      repository.git('merge', '-q', '--no-edit', branch);
    } catch (error) {
      if ((error as { status?: number | null }).status !== 1) throw new GitFault(String(error));
      repository.git('reset', '-q', '--hard');
      return false;
    }
  }
  return true;
}

function conflicts({ findings }: CheckReport): Finding[] {
  return findings.filter(({ rule, severity }) => rule === 'T01' && severity === 'blocking');
}

/** All orders that differ in the last branch. */
function ordersOf(refs: readonly string[]): string[][] {
  return refs.map((last) => [...refs.filter((ref) => ref !== last), last]);
}

test('landable branches merge in the printed order, and git refuses what T01 reports', async () => {
  const seen = { landed: 0, pairs: 0, larger: 0, faults: 0 };
  await fc.assert(
    fc.asyncProperty(events, async (drawn) => {
      try {
        const { repository, branches } = new RandomHistory(drawn);
        if (branches.length < 2) return;
        const report = await checkIn(repository, 'main', ...branches);
        expect(canLand(repository, report.landable), `in the order ${report.landable}`).toBe(true);
        seen.landed += report.landable.length > 1 ? 1 : 0;
        for (const { branches: guilty } of conflicts(report)) {
          const refs = guilty.filter((ref) => ref !== 'main');
          const merges = ordersOf(refs).map((order) => canLand(repository, order));
          if (refs.length <= 2) expect(merges, `T01 of ${guilty}`).not.toContain(true);
          else expect(merges, `T01 of ${guilty}`).toContain(false);
          if (refs.length === 2) seen.pairs++;
          if (refs.length > 2) seen.larger++;
        }
      } catch (error) {
        if (!(error instanceof GitFault)) throw error;
        seen.faults++;
      }
    }),
    sample('landable branches merged by git', { normal: 15, wide: 100, soak: 1500 }),
  );
  expect(seen.landed).toBeGreaterThan(0);
  expect(seen.pairs).toBeGreaterThan(0);
}, 3_600_000);

test('a file that is added between two branches that delete another is merged last', async () => {
  const repository = new GitRepository();
  const text = Array.from({ length: 8 }, (_, n) => `line ${n}\n`).join('');
  repository.commit({ 'd/b': text, 'd/a': 'a\n', z: 'z\n' });
  repository.branch('b1', { 'd/b': null, z: 'zz\n' });
  repository.branch('b2', { a: text });
  repository.branch('b3', { 'd/b': null, 'd/a': 'aa\n' });
  const { landable } = await checkIn(repository, 'main', 'b1', 'b2', 'b3');
  expect(landable.toSorted()).toEqual(['b1', 'b2', 'b3']);
  expect(canLand(repository, ['b1', 'b2', 'b3'])).toBe(false);
  expect(canLand(repository, landable), `in the order ${landable}`).toBe(true);
});
