import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { RunRefs } from '#git/refs/run-refs.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { RefWatch } from './ref-watch.ts';

const run = 'abcdefgh';
const branch = `refs/heads/joinery/${run}/a`;

async function watchOf(
  refsSeenBy: (refs: RunRefs) => RunRefs = (refs) => refs,
  slugs = new Map<string, string>(),
) {
  const repo = new GitRepository();
  const first = repo.commit({ 'a.txt': '1\n' });
  const second = repo.commit({ 'a.txt': '2\n' });
  const repository = await openRepository(repo.dir, []);
  const refs = await RunRefs.raise(repository.git, run, 1, { commonDir: repository.commonDir });
  await refs.move(branch, first, null);
  const reports: string[] = [];
  const watch = new RefWatch({
    run,
    token: 1,
    repository,
    git: repository.git,
    refs: refsSeenBy(refs),
    slugs,
    worktrees: repo.dir,
    report: (what) => reports.push(what),
  });
  await watch.look();
  const close = () => {
    watch.close();
    refs.close();
  };
  return { repo, first, second, refs, watch, reports, close };
}

test('a ref of the run that somebody else moves is moved back', async () => {
  const { repo, first, second, watch, reports, close } = await watchOf();
  repo.git('update-ref', branch, second);
  await watch.look();
  expect(repo.git('rev-parse', branch)).toBe(first);
  expect(reports).toEqual([expect.stringContaining('another process moved a ref of this run')]);
  close();
});

test('our own write that ends while refs are compared is not a foreign move', async () => {
  let written: string | null = null;
  let hasEnded = false;
  const seenBy = (refs: RunRefs) =>
    new Proxy(refs, {
      get(target, key) {
        if (key === 'writes') return hasEnded ? 2 : 1;
        if (key === 'written') return (ref: string) => (hasEnded ? written : target.written(ref));
        const value = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  // The workers are listed after the refs were read: our write ends at that moment.
  class Slugs extends Map<string, string> {
    override get(id: string): string {
      hasEnded = written !== null;
      return id;
    }
  }
  const { repo, second, watch, reports, close } = await watchOf(seenBy, new Slugs());
  await watch.begin('b', repo.dir, `joinery/${run}/b`);
  written = second;
  expect(await watch.end('b')).toEqual([]);
  expect(hasEnded).toBe(true);
  expect(reports).toEqual([]);
  close();
});
