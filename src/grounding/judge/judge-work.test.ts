import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GroundingPolicy } from '#schema/grounding.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { judgeApart } from './judge-work.ts';

/** A branch with files, and its judgement. */
async function branchOf(files: Readonly<Record<string, string>>) {
  const made = new GitRepository();
  const base = made.commit({ 'a.py': 'a = 1\n' });
  const tip = made.branch('work', files);
  const cacheDir = temporaryFolder();
  return {
    objects: await createScratch(await openRepository(made.dir), join(cacheDir, 'objects')),
    source: { base, tip, cacheDir, maxCacheBytes: 1e9, pythonRoots: [] },
    told: {
      declared: null,
      granted: [],
      others: [],
      claim: { status: 'done' as const },
      gateInputs: [],
      gateRuns: null,
      policy: GroundingPolicy.parse({}),
    },
    criteria: [],
  };
}

test('the result is the same as on this thread', async () => {
  const { grounding, files } = await judgeApart(await branchOf({ 'b.py': 'b = 1\n' }));
  expect({ files, status: grounding.status }).toEqual({ files: 1, status: 'pass' });
});

test('work that takes too long is not accepted', async () => {
  const { grounding } = await judgeApart(await branchOf({ 'b.py': 'b = 1\n' }), { timeLimitMs: 1 });
  expect(grounding.status).toBe('inconclusive');
  expect(grounding.checks).toEqual([
    expect.objectContaining({ status: 'inconclusive', severity: 'blocking' }),
  ]);
});

test('the caller can cancel it', async () => {
  const stop = new AbortController();
  const work = await branchOf({ 'b.py': 'b = 1\n' });
  setTimeout(() => stop.abort(new Error('enough')), 1);
  await expect(judgeApart(work, { signal: stop.signal })).rejects.toThrow('enough');
});

test('an unreadable input keeps its error code and hint', async () => {
  const work = await branchOf({ 'b.py': 'b = 1\n' });
  const gone = { ...work, source: { ...work.source, tip: '0'.repeat(40) } };
  await expect(judgeApart(gone)).rejects.toMatchObject({ code: 'objects-missing', exitCode: 5 });
});
