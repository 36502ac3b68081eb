import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#schema/event.ts';
import { FinalReport } from '#schema/final-report.ts';
import { ReceiptReport } from '#schema/integration.ts';
import { RunReport } from '#schema/run.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { passingGuide } from '#test/support/passing-tests.ts';
import {
  renameWork,
  reportWork,
  shapesCode,
  shapesPlan,
  shapesReport,
  testFile,
  write,
} from '#test/support/shapes-story.ts';

function story(...reworks: readonly object[]) {
  const repository = new GitRepository();
  repository.commit({ ...passingGuide, ...shapesCode });
  const outside = temporaryFolder();
  const [scenario, planFile] = [join(outside, 'scenario.json'), join(outside, 'plan.json')];
  const attempts = [reportWork, renameWork, ...reworks];
  writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts }));
  writeFileSync(planFile, JSON.stringify(shapesPlan));
  const env = { JOINERY_STATE_DIR: join(outside, 'state'), JOINERY_CACHE_DIR: join(outside, 'cache') };
  const call = (...args: string[]) => joinery(args, { cwd: repository.dir, env });
  const run = (...more: string[]) =>
    call('run', '--plan', planFile, '--agent', 'scripted', '--scenario', scenario, ...more, '--json');
  const events = async (id: string) =>
    (JSON.parse((await call('logs', id, '--json')).stdout) as { events: RunEvent[] }).events;
  return { repository, call, run, events };
}

const statuses = ({ tasks }: RunReport) => tasks.map(({ id, status, attempts }) => [id, status, attempts]);

test('accepted work that has to change gets a task on top; the waiting work is merged with it, unchanged', async () => {
  const { repository, call, run, events } = story({
    task: 'report-rework-1',
    do: [write('src/report.ts', shapesReport('surface'))],
  });
  const ran = await run('--land', '--update-checkout');
  const done = RunReport.parse(JSON.parse(ran.stdout));
  expect({ code: ran.code, status: done.status, reason: done.reason }).toEqual({ code: 0, status: 'done' });
  expect(statuses(done)).toEqual([
    ['report', 'accepted', 1],
    ['rename', 'accepted', 1],
    ['report-rework-1', 'accepted', 1],
  ]);
  expect(repository.git('show', 'main:src/report.ts')).toContain('surface(1, 2)');
  expect(repository.git('show', 'main:src/shapes.ts')).toContain('function surface');

  const log = await events(done.run);
  const [added] = log.flatMap((event) => (event.type === 'run.extended' ? [event.data] : []));
  expect(added).toMatchObject({ reworks: ['report'], takes: [] });
  const [clash] = added?.clashes ?? [];
  expect(clash).toMatchObject({ owner: 'report-rework-1' });
  expect(clash?.sites.map(({ task, file }) => `${task} ${file}`).toSorted()).toEqual([
    'rename src/shapes.ts',
    'report src/report.ts',
  ]);
  // What, where on both sides, the witness, the move, and who does not have to move.
  const prompt = await call('logs', done.run, '--task', 'report-rework-1');
  expect(prompt.code).toBe(0);
  expect(added?.task.description).toMatch(
    /src\/report\.ts:\d+ .*witness: .*move: .*task rename is not to move/,
  );
  expect(ran.stderr).toContain('rename #1: check against report: Blocking findings: 0 → 1');
  expect(ran.stderr).toContain('rename: waits for task report-rework-1');
  expect(ran.stderr).toMatch(
    /report-rework-1 #1: .*Blocking findings: 1 → 0 \(1 fixed, 0 remaining, 0 new\)/,
  );

  const final = FinalReport.parse(JSON.parse((await call('report', done.run, '--json')).stdout));
  expect(final).toMatchObject({
    status: 'done',
    notLanded: [],
    landed: { tasks: ['report', 'rename', 'report-rework-1'] },
    findings: [{ owner: 'report-rework-1', isFixed: true }],
  });
  const receipt = await call('receipt', 'verify', done.run, '--json');
  expect(ReceiptReport.parse(JSON.parse(receipt.stdout))).toMatchObject({ status: 'pass', isDone: true });
});

test('a rework that does not help is never accepted; joinery rework makes one task from everything that remains', async () => {
  const { repository, call, run, events } = story(
    { task: 'report-rework-1', do: [write('src/report.test.ts', `${testFile('report')}// same\n`)] },
    { task: 'rework-1', do: [write('src/report.ts', shapesReport('surface'))] },
  );
  const before = repository.git('rev-parse', 'main');
  const ran = await run('--land', '--update-checkout');
  const waiting = RunReport.parse(JSON.parse(ran.stdout));
  expect({ code: ran.code, status: waiting.status }).toEqual({ code: 2, status: 'awaiting_human' });
  expect(statuses(waiting)).toEqual([
    ['report', 'accepted', 1],
    ['rename', 'pending', 1],
    ['report-rework-1', 'escalated', 2],
  ]);
  expect(ran.stderr).toContain('Blocking findings: 1 → 1 (0 fixed, 1 remaining, 0 new)');
  expect(repository.git('rev-parse', 'main')).toBe(before);
  expect(repository.git('show', `${waiting.integration.branch}:src/shapes.ts`)).toContain('function area');

  const fixed = await call('rework', waiting.run, '--json');
  const done = RunReport.parse(JSON.parse(fixed.stdout));
  expect({ code: fixed.code, status: done.status }).toEqual({ code: 0, status: 'done' });
  expect(statuses(done)).toEqual([
    ['report', 'accepted', 1],
    ['rename', 'accepted', 1],
    ['report-rework-1', 'skipped', 2],
    ['rework-1', 'accepted', 1],
  ]);
  const added = (await events(done.run)).flatMap((event) =>
    event.type === 'run.extended' ? [event.data] : [],
  );
  expect(added.map(({ task, takes }) => [task.id, takes])).toEqual([
    ['report-rework-1', []],
    ['rework-1', ['report-rework-1']],
  ]);
  expect(repository.git('show', 'main:src/report.ts')).toContain('surface(1, 2)');
  const again = await call('rework', done.run);
  expect(again.code).toBe(3);
});

describe('a target that has moved so that accepted work no longer fits', () => {
  /** The report is accepted and stays on its branch; meanwhile somebody changes main. */
  async function moved(files: Record<string, string>, rework: object) {
    const { repository, call, events } = story(rework);
    const plan = join(temporaryFolder(), 'plan.json');
    writeFileSync(plan, JSON.stringify({ ...shapesPlan, tasks: shapesPlan.tasks.slice(0, 1) }));
    const scenario = join(temporaryFolder(), 'scenario.json');
    writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts: [reportWork, rework] }));
    const ran = await call('run', '--plan', plan, '--agent', 'scripted', '--scenario', scenario, '--no-land');
    expect(ran.code).toBe(0);
    repository.commit(files);
    const before = repository.git('rev-parse', 'main');
    const blocked = await call('integrate', '--land', '--update-checkout', '--json');
    const status = RunReport.parse(JSON.parse((await call('status', '--json')).stdout));
    return { repository, call, events, before, blocked, status, next: (await call('status')).stdout };
  }

  const renamed = {
    'src/shapes.ts': shapesCode['src/shapes.ts'].replace('area', 'surface'),
    'src/room.ts': shapesCode['src/room.ts'].replaceAll('area', 'surface'),
  };

  test('joinery rework makes one task on top of both, and lands it', async () => {
    const fix = { task: 'rework-1', do: [write('src/report.ts', shapesReport('surface'))] };
    const { repository, call, events, before, blocked, status, next } = await moved(renamed, fix);
    expect({ code: blocked.code, status: status.status }).toEqual({ code: 1, status: 'failed' });
    expect(next).toContain(`joinery rework ${status.run}`);
    const fixed = await call('rework', status.run, '--json');
    const done = RunReport.parse(JSON.parse(fixed.stdout));
    expect({ code: fixed.code, status: done.status, tasks: statuses(done) }).toEqual({
      code: 0,
      status: 'done',
      tasks: [
        ['report', 'accepted', 1],
        ['rework-1', 'accepted', 1],
      ],
    });
    expect(repository.git('rev-parse', 'main')).toBe(done.landed?.after);
    expect(repository.git('merge-base', before, 'main')).toBe(before);
    expect(repository.git('show', 'main:src/report.ts')).toContain('surface(1, 2)');
    const [added] = (await events(done.run)).flatMap((event) =>
      event.type === 'run.extended' ? [event.data] : [],
    );
    expect(added?.task.description).toMatch(
      /src\/shapes\.ts:\d+ \(main, provider\).*witness: .*move: .*task rework-1 has to move; main is not to move/,
    );
    const receipt = await call('receipt', 'verify', done.run, '--json');
    expect(ReceiptReport.parse(JSON.parse(receipt.stdout))).toMatchObject({ status: 'pass', isDone: true });
    expect((await call('rework', done.run)).code).toBe(3);
  });

  test('one that does not help is not accepted', async () => {
    const stubborn = {
      task: 'rework-1',
      do: [write('src/report.test.ts', `${testFile('report')}// same\n`)],
    };
    const { repository, call, before, status } = await moved(renamed, stubborn);
    const tried = await call('rework', status.run, '--json');
    const waiting = RunReport.parse(JSON.parse(tried.stdout));
    expect({ code: tried.code, status: waiting.status }).toEqual({ code: 2, status: 'awaiting_human' });
    expect(tried.stderr).toContain('Blocking findings: 1 → 1 (0 fixed, 1 remaining, 0 new)');
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  test('a text conflict is in the worktree with its markers, which have to be removed', async () => {
    const theirs = "export function report(): string {\n  return 'nothing';\n}\n";
    const both = `${shapesReport('area')}\nexport const nothing = 'nothing';\n`;
    const { repository, call, blocked, status, before } = await moved(
      { 'src/report.ts': theirs },
      { task: 'rework-1', n: 2, do: [write('src/report.ts', both)] },
    );
    expect({ code: blocked.code, status: status.status }).toEqual({ code: 4, status: 'failed' });
    // Its first attempt has no script and fails.
    const fixed = await call('rework', status.run, '--json');
    const done = RunReport.parse(JSON.parse(fixed.stdout));
    expect({ code: fixed.code, status: done.status, reason: done.reason }).toEqual({
      code: 0,
      status: 'done',
    });
    expect(repository.git('show', 'main:src/report.ts')).toBe(both.trimEnd());
    expect(repository.git('merge-base', before, 'main')).toBe(before);
  });
});
