import { expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { sample } from '#test/support/sampling.ts';
import { historySince } from './history.ts';

/** Small deterministic generator, so that a failing graph can be reproduced. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed || 1; ; ) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}

function randomHistory(repository: GitRepository, random: Generator<number, never>): string[] {
  const tree = repository.git('mktree');
  const commits: string[] = [];
  for (let index = 0; index < 25; index++) {
    const pick = () => commits[Math.floor(random.next().value * commits.length)];
    const parents = new Set(index === 0 ? [] : [pick(), ...(random.next().value < 0.3 ? [pick()] : [])]);
    const flags = [...parents].flatMap((parent) => ['-p', parent ?? '']);
    commits.push(repository.git('commit-tree', '-m', String(index), ...flags, tree));
  }
  return commits;
}

test('agrees with git about merge bases in random histories', async () => {
  const { seed, numRuns } = sample('merge bases of random histories', { normal: 3, soak: 50 });
  const random = numbers(seed);
  for (let run = 0; run < numRuns; run++) {
    const repository = new GitRepository();
    const commits = randomHistory(repository, random);
    const [base = '', ...others] = commits.slice(-8);
    const found = await historySince(new Git({ cwd: repository.dir }), base, others);
    for (const commit of others) {
      const best = repository.git('merge-base', '--all', base, commit).split('\n');
      expect(best).toContain(found.fork(commit)?.mergeBase);
    }
  }
});

test('gives no merge base without common history', async () => {
  const repository = new GitRepository();
  const base = repository.commit({ a: 'a' });
  const tree = repository.git('mktree');
  const island = repository.git('commit-tree', '-m', 'island', tree);
  const forks = await historySince(new Git({ cwd: repository.dir }), base, [island, base]);
  expect(forks.fork(island)).toEqual({ mergeBase: null, isCrissCross: false, first: [island] });
});

test('gives the first commits of each side, which show who shares work', async () => {
  const repository = new GitRepository();
  const tree = repository.git('mktree');
  const commit = (message: string, ...parents: string[]) =>
    repository.git('commit-tree', '-m', message, ...parents.flatMap((parent) => ['-p', parent]), tree);
  const base = commit('base');
  const shared = commit('shared', base);
  const stacked = commit('stacked', shared);
  const alone = commit('alone', base);
  const both = commit('both', stacked, alone);
  const forks = await historySince(new Git({ cwd: repository.dir }), base, [
    shared,
    stacked,
    alone,
    both,
    base,
  ]);
  expect([shared, stacked, alone, base].map((id) => forks.fork(id)?.first)).toEqual([
    [shared],
    [shared],
    [alone],
    [],
  ]);
  expect(forks.fork(both)?.first.toSorted()).toEqual([shared, alone].toSorted());
});
