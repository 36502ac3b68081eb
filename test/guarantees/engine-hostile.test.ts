import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportOf } from '#crew/state/report.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

describe('hostile text in plans and outputs', () => {
  test('reaches the agent unchanged and executes nothing', async () => {
    const trap = join(temporaryFolder(), 'sprung');
    const hostile = [
      `$(touch ${trap})`,
      `\`touch ${trap}\``,
      `'; touch ${trap}; '`,
      `" && touch ${trap} && "`,
      `--upload-pack=touch ${trap}`,
      `| touch ${trap}\n; touch ${trap}`,
      '"""',
      '$(x)',
      '$&',
      '%s%n',
      '\u001b]0;owned\u0007',
      '\u202egnp.exe',
      '\ud83d\ude00 \u0000 end',
      '--- a\n+++ b\n@@',
    ].join('\n');
    const repo = makeRepo();
    const prompts: string[] = [];
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        driver: () => ({
          name: 'listener',
          variables: [],
          async play(request, doors) {
            prompts.push(request.prompt);
            doors.report({ type: 'text', text: hostile });
            doors.report({ type: 'tool', tool: hostile, detail: hostile, status: 'ended', call: null });
            doors.submit(hostile);
            doors.submit({ v: 1, run: hostile });
            return { outcome: 'ok', reason: hostile };
          },
        }),
      },
    );
    const run = bench.start({
      tasks: [task('a', { title: hostile, description: hostile, rationale: hostile })],
      contract: { text: hostile },
    });
    const state = await bench.drive(run);
    expect(prompts[0]).toContain(hostile);
    expect(existsSync(trap)).toBe(false);
    const said = [...bench.workshop.engine.read(run)].find((event) => event.type === 'attempt.said');
    expect(said?.data).toEqual({ text: hostile });
    const readable = readFileSync(join(bench.runs.folders.logs(run), 'a-1.log'), 'utf8');
    expect(readable).not.toContain('\u001b');
    expect(readable).not.toContain('\u202e');
    expect(reportOf(run, state).status).toBe('done');
    bench.close();
  });

  test('as paths, ids and refs stays inside the worktree and gives valid branches', async () => {
    const repo = makeRepo();
    const outside = temporaryFolder();
    const bench = await openBench(repo, {
      attempts: ['../x', '/etc/x', `${outside}/x`, '.git/hooks/x', '.GIT/config', 'sub/../../x'].map(
        (path, index) => ({
          task: `t${index}`,
          do: [{ write: { path, content: 'x' } }],
        }),
      ),
    });
    const run = bench.start(
      { tasks: Array.from({ length: 6 }, (_, index) => task(`t${index}`)) },
      { autonomy: 'autopilot', parallel: 6 },
    );
    const state = await bench.drive(run);
    expect([...state.steps.values()].map(({ status }) => status)).toEqual(Array(6).fill('escalated'));
    expect(existsSync(join(repo.dir, '.git/hooks/x'))).toBe(false);
    bench.close();
  });

  test('any text at all comes through unchanged', async () => {
    const repo = makeRepo();
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        driver: () => ({
          name: 'echo',
          variables: [],
          async play(request, doors) {
            doors.report({ type: 'text', text: request.prompt });
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const { seed, numRuns } = sample('texts through plan, prompt and log', { normal: 5, soak: 100 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), async (text) => {
        const run = bench.start({ tasks: [task('a', { description: text })] });
        await bench.drive(run);
        const said = [...bench.workshop.engine.read(run)].filter((event) => event.type === 'attempt.said');
        expect(said.map(({ data }) => data.text).join()).toContain(text);
      }),
      { seed, numRuns },
    );
    bench.close();
  }, 600_000);
});
