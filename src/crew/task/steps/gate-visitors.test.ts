import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentDriver } from '#agents/driver.ts';
import { reportOf } from '#crew/state/report.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { temporaryFolder } from '#test/support/joinery.ts';

/** A gate of task `host`, during whose first run the agent of task `visitor` runs and changes the host's worktree. */
async function visit(gate: string, pay: (worktree: string) => void) {
  const outside = temporaryFolder();
  const [began, visited] = [join(outside, 'began'), join(outside, 'visited')];
  const waiting = `
const fs = require('node:fs');
const isFirst = !fs.existsSync(${JSON.stringify(began)});
if (isFirst) {
  fs.writeFileSync(${JSON.stringify(began)}, process.cwd());
  while (!fs.existsSync(${JSON.stringify(visited)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}
`;
  const repo = makeRepo({
    'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- lint: `node gate.cjs`\n',
    'gate.cjs': waiting + gate,
    'src/one.js': 'exports.one = 1;\n',
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((next) => setTimeout(next, 10));
  };
  const driver: AgentDriver = {
    name: 'visitor',
    variables: [],
    async play(request, doors) {
      if (request.task === 'visitor') {
        await until(() => existsSync(began) && readFileSync(began, 'utf8') !== '');
        pay(readFileSync(began, 'utf8'));
        writeFileSync(visited, '');
        await until(() => [...bench.workshop.engine.read(run)].some(({ type }) => type === 'attempt.gated'));
      }
      writeFileSync(join(request.cwd, `${request.task}.txt`), `done ${request.round}\n`);
      doors.report({ type: 'text', text: 'x'.repeat(60) });
      return { outcome: 'ok', reason: '' };
    },
  };
  const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
  const run = bench.start({ tasks: [task('visitor'), task('host')] });
  const state = await bench.drive(run);
  const gated = [...bench.workshop.engine.read(run)].flatMap((event) =>
    event.type === 'attempt.gated' && event.step === 'host' ? [event.data] : [],
  );
  bench.close();
  const [visitor, host] = reportOf(run, state).tasks;
  return { visitor, host, gated, degraded: state.degraded };
}

describe('a gate that fails while agents of other tasks are running', () => {
  const failsIfBroken = "process.exit(fs.readFileSync('src/one.js', 'utf8').includes('broken') ? 1 : 0);";

  test('and under which a file of the commit changed is run again, and those agents are reported', async () => {
    const { visitor, host, degraded } = await visit(failsIfBroken, (worktree) =>
      writeFileSync(join(worktree, 'src/one.js'), 'broken\n'),
    );
    expect(visitor).toMatchObject({ status: 'accepted', attempts: 1 });
    expect(visitor?.incidents).toEqual([
      expect.stringMatching(/src\/one\.js changed in the worktree of task host, whose gates ran: it,/),
    ]);
    expect(host).toMatchObject({ status: 'accepted', attempts: 1 });
    expect(host?.incidents).toBeUndefined();
    expect(degraded).toEqual([expect.stringContaining('gate lint of task host was run again')]);
  });

  test.each([
    [
      'leaves a log of its failure',
      "if (isFirst) { fs.writeFileSync('debug.log', 'why'); process.exit(1); }",
      /changed its own worktree: debug\.log/,
    ],
    [
      'changes files of the commit each time',
      "fs.writeFileSync('src/one.js', isFirst ? 'first' : 'second'); fs.writeFileSync(isFirst ? 'a' : 'b', ''); process.exit(1);",
      /changed its own worktree: a, src\/one\.js/,
    ],
  ])('and %s has failed by itself', async (_, gate, reason) => {
    const { visitor, gated, degraded } = await visit(gate, () => {});
    expect(gated[0]?.claims).toMatchObject([{ status: 'fail', reason: expect.stringMatching(reason) }]);
    expect(visitor?.incidents).toBeUndefined();
    expect(degraded).toEqual([]);
  });
});
