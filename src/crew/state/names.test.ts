import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Plan } from '#schema/plan.ts';
import { sample } from '#test/support/sampling.ts';
import { newRunId, taskBranch, taskSlugs } from './names.ts';

function slugsOf(ids: readonly string[]): string[] {
  const tasks = ids.map((id) => ({ id, title: id }));
  return [...taskSlugs(Plan.parse({ schema: 'joinery/plan@1', tasks })).values()];
}

test('a plain id is its own name', () => {
  expect(slugsOf(['api', 'web-2', 'a.b_c'])).toEqual(['api', 'web-2', 'a.b_c']);
});

test('every id gets a unique name that git accepts as a branch and every system accepts as a folder', () => {
  const { seed, numRuns } = sample('task ids', { normal: 5, soak: 100 });
  const odd = [
    '.',
    '..',
    '-',
    '-x',
    'x.lock',
    'x.LOCK',
    'a..b',
    '.x',
    'x.',
    'integration',
    'CON',
    'nul',
    'A',
    'a',
    'x.lock.lock',
  ];
  const anyId = fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/);
  fc.assert(
    fc.property(fc.uniqueArray(anyId, { maxLength: 5 }), (ids) => {
      const slugs = slugsOf([...new Set([...odd, ...ids])]);
      expect(new Set(slugs.map((slug) => slug.toLowerCase())).size).toBe(slugs.length);
      for (const slug of slugs) {
        expect(slug).not.toMatch(/^(\.|-|integration$|con$|nul$)|[.]$|~/i);
        execFileSync('git', ['check-ref-format', `refs/heads/${taskBranch('r', slug)}`]);
      }
    }),
    { seed, numRuns },
  );
});

test('run ids are short, safe and different', () => {
  const ids = Array.from({ length: 1000 }, () => newRunId());
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{8}$/);
});
