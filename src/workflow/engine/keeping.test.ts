import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { sample } from '#test/support/sampling.ts';
import { openLab, step, workflowOf } from '#test/support/workflow-lab.ts';
import { exportRun, importRun } from './bundle.ts';
import { findRuns } from './find-runs.ts';
import { openKeyring } from './keyring.ts';
import { readTree } from './tree.ts';
import { newRunId } from './workflow-engine.ts';

const flow = workflowOf([step('one'), step('two'), step('three')]);

test('unreadable keys are reported, not replaced', () => {
  expect(() => openKeyring(temporaryFolder())).toThrow(/cannot be read/);
});

describe('a run in a file', () => {
  const moves = fc.array(
    fc.record({ act: fc.constantFrom('go', 'refuse', 'fork', 'mark'), notes: fc.string({ minLength: 1 }) }),
    { maxLength: 8 },
  );

  test('is identical elsewhere, and a modified entry is refused', async () => {
    const here = openLab(temporaryFolder(), { isHasty: true });
    const folder = temporaryFolder();
    const there = openLab(folder, { isHasty: true });
    const keys = openKeyring(join(folder, 'keys.json'));
    await fc.assert(
      fc.asyncProperty(moves, fc.nat(), async (plan, pick) => {
        const start = here.start(flow);
        let answer: WorkflowAnswer = start;
        for (const { act, notes } of plan) {
          if (act === 'fork') answer = here.engine.at(start.sessionId, 2, true);
          if (answer.continueToken === null) break;
          if (act === 'mark' && answer.checkpointToken) here.engine.checkpoint(answer.checkpointToken);
          else answer = await here.go(answer, { notes: act === 'refuse' ? '' : `n ${notes}` });
        }
        const bundle = JSON.parse(JSON.stringify(exportRun(here.log, start.sessionId)));
        const run = importRun(there.log, keys, bundle, newRunId);
        const told = (log: typeof here.log, of: string) => {
          const { nodes, tips } = readTree(log, of);
          const texts = nodes.map(({ output }) => output?.notes && log.text(of, output.notes));
          return JSON.parse(JSON.stringify({ nodes, tips, texts }));
        };
        expect(told(there.log, run)).toEqual(told(here.log, start.sessionId));
        // A second import is another run, and the first one stays.
        expect(importRun(there.log, keys, bundle, newRunId)).not.toBe(run);
        const entry = bundle.entries[pick % bundle.entries.length];
        entry.data = `${entry.data} `;
        expect(() => importRun(there.log, keys, bundle, newRunId)).toThrow(/was changed/);
      }),
      sample('exported runs', { normal: 25, soak: 500 }),
    );
  });
});

describe('finding a run again', () => {
  /** Fifty runs, each on its own branch and commit, the newest last. */
  function fifty() {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const lab = openLab(temporaryFolder(), { now: () => now, isHasty: true });
    const ids = Array.from({ length: 50 }, (_, n) => {
      now += 60_000;
      const workflow = n === 7 ? 'rare-flow' : 'lab-flow';
      const goal =
        n === 3 ? 'repair the login of the shop' : n === 4 ? 'repair the shop window' : `matter ${n}`;
      const { compiled, hash } = lab.compile(workflowOf([step('one')], { id: workflow }));
      const facts = {
        source: { kind: 'project' as const, path: null },
        goal,
        mode: 'interactive' as const,
        workspace: '/',
        branch: `branch-${n}`,
        head: `${n}`.padStart(40, '0'),
        parent: null,
      };
      return lab.engine.start(compiled, hash, facts).sessionId;
    });
    const find = (wanted: Parameters<typeof findRuns>[1]) => findRuns(lab.store, wanted);
    return { ids, find };
  }

  test('by id, words, workflow, commit, branch and time, in this order, each with its reason', () => {
    const { ids, find } = fifty();
    const here = { branch: 'branch-20', head: '21'.padStart(40, '0') };
    const first = (wanted: Parameters<typeof findRuns>[1]) => {
      const [found] = find(wanted).candidates;
      return [ids.indexOf(found?.run ?? ''), found?.tier, found?.confidence];
    };
    expect(first({ ...here, run: ids[9], query: 'login' })).toEqual([9, 0, 'strong']);
    expect(
      find({ ...here, query: 'repair login shop' }).candidates.map(({ run }) => ids.indexOf(run)),
    ).toEqual(
      // All words, most of the words, then the current branch and commit.
      [3, 4, 21, 20],
    );
    expect(first({ ...here, query: 'rare' })).toEqual([7, 1, 'strong']);
    expect(first({ ...here, query: 'rare zebras under stripes' })).toEqual([7, 3, 'medium']);
    expect(find(here).candidates.map(({ run, tier }) => [ids.indexOf(run), tier])).toEqual([
      [21, 4],
      [20, 5],
      [49, 6],
      [48, 6],
      [47, 6],
    ]);
    expect(find(here).totalEligible).toBe(50);
    expect(find({ query: 'unheard of' })).toEqual({ candidates: [], totalEligible: 0 });
    for (const { whyMatched } of find(here).candidates) expect(whyMatched).not.toEqual([]);
  });
});
