import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '#schema/event.ts';
import { FinalReport } from '#schema/final-report.ts';
import { ReceiptReport } from '#schema/integration.ts';
import { RunReport } from '#schema/run.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { passingGuide, passingTests } from '#test/support/passing-tests.ts';
import { profilesCode, profilesScenario } from '#test/support/user-profiles.ts';

/** Passes on the union of a task with its provider, and not on a task that imports what does not exist yet. */
const gate =
  'for f in schema/types.py api/users.py; do test ! -e $f || test -e models/user.py || exit 1; done; ' +
  passingTests;

function profiles(files: Readonly<Record<string, string>> = {}, scenarioOf = profilesScenario) {
  const repository = new GitRepository();
  repository.commit({ ...passingGuide, ...profilesCode, ...files });
  const outside = temporaryFolder();
  const scenario = join(outside, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(scenarioOf()));
  const env = { JOINERY_STATE_DIR: join(outside, 'state'), JOINERY_CACHE_DIR: join(outside, 'cache') };
  const call = (...args: string[]) => joinery(args, { cwd: repository.dir, env });
  return { repository, call, agent: ['--agent', 'scripted', '--scenario', scenario] };
}

test('a model, a type that reads another field of it and an endpoint: found early, reworked, landed', async () => {
  const { repository, call, agent } = profiles({ 'AGENTS.md': `## Quality Gates\n\n- test: \`${gate}\`\n` });
  const ran = await call('run', 'specs/user-profiles.md', ...agent, '--land', '--update-checkout', '--json');
  expect(ran.stderr).toContain('Blocking findings: 0 → 1');
  expect(ran.stderr).toContain('Blocking findings: 1 → 0 (1 fixed, 0 remaining, 0 new)');
  const report = RunReport.parse(JSON.parse(ran.stdout));
  expect({ code: ran.code, status: report.status }).toEqual({ code: 0, status: 'done' });
  expect(report.tasks.map(({ id, status, attempts }) => [id, status, attempts])).toEqual([
    ['1', 'accepted', 1],
    ['2', 'accepted', 2],
    ['3', 'accepted', 1],
  ]);
  expect(repository.git('rev-parse', 'main')).toBe(report.landed?.after);
  expect(repository.git('show', 'main:schema/types.py')).toContain('user.name');

  const log = JSON.parse((await call('logs', report.run, '--json')).stdout) as { events: RunEvent[] };
  const clashes = log.events.flatMap((event) => (event.type === 'step.checked' ? event.data.clashes : []));
  const told = log.events.flatMap((event) => (event.type === 'step.told' ? [event.data] : []));
  for (const clash of [...clashes, ...told]) {
    expect(clash).toMatchObject({ owner: '2' });
    expect(clash.tasks.toSorted()).toEqual(['1', '2']);
    expect(clash.sites.map(({ task, file, line }) => `${task} ${file}:${line}`).toSorted()).toEqual([
      '1 models/user.py:5',
      '2 schema/types.py:12',
    ]);
  }
  expect(clashes).toHaveLength(1);
  const prompts = log.events.filter(
    ({ type, step, attempt }) => type === 'attempt.prompted' && step === '2' && attempt === 2,
  );
  expect(prompts).toHaveLength(1);

  const grounded = log.events.filter((event) => event.type === 'attempt.grounded' && event.step === '2');
  expect(JSON.stringify(grounded)).toContain('models.user of task 1');
  const final = FinalReport.parse(JSON.parse((await call('report', report.run, '--json')).stdout));
  expect(final).toMatchObject({
    status: 'done',
    asked: { spec: 'specs/user-profiles.md' },
    landed: { ref: 'main', tasks: ['1', '2', '3'] },
    notLanded: [],
    findings: [{ owner: '2', isFixed: true, attempts: 2 }],
  });
  expect(final.degraded.join()).not.toContain('contract');
  expect(ran.stderr).toContain('contract pass');
  const { stdout: markdown } = await call('report');
  expect(markdown).toMatch(/fixed by task 2, attempt 2/);
  const receipt = await call('receipt', 'verify', report.run, '--json');
  expect(ReceiptReport.parse(JSON.parse(receipt.stdout))).toMatchObject({ status: 'pass', isDone: true });
});

test('an owner that does not change is never accepted; a rework gets everything that was found', async () => {
  // A task gets only three attempts; of the tasks made from what remains, the second one fixes it.
  const stubborn = () => {
    const scenario = profilesScenario() as { attempts: { task?: string; n?: number }[] };
    const attempts = scenario.attempts.flatMap((attempt) => {
      if (attempt.task !== '2') return [attempt];
      if (attempt.n !== 1) return [{ ...attempt, task: 'rework-2', n: 1 }];
      // Built on accepted work and on what exists, with the same mistake.
      const again = { edit: { path: 'schema/types.py', find: 'return result', replace: 'return result  #' } };
      const same = [2, 3].map((n) => ({ ...attempt, n }));
      return [attempt, ...same, { task: 'rework-1', role: 'developer', do: [again] }];
    });
    return { ...scenario, attempts };
  };
  const { repository, call, agent } = profiles({}, stubborn);
  const before = repository.git('rev-parse', 'main');
  const ran = await call('run', 'specs/user-profiles.md', ...agent, '--land', '--update-checkout', '--json');
  const report = RunReport.parse(JSON.parse(ran.stdout));
  expect({ code: ran.code, status: report.status }).toEqual({ code: 2, status: 'awaiting_human' });
  expect(report.tasks.map(({ id, status }) => [id, status])).toEqual([
    ['1', 'accepted'],
    ['2', 'escalated'],
    ['3', 'accepted'],
  ]);
  expect(ran.stderr).toContain('Blocking findings: 1 → 1');
  expect(repository.git('rev-parse', 'main')).toBe(before);
  expect(repository.git('ls-tree', '-r', '--name-only', report.integration.branch)).not.toContain(
    'schema/types.py',
  );
  const ignored = await call('rework', report.run, '--json');
  expect(RunReport.parse(JSON.parse(ignored.stdout)).status).toBe('awaiting_human');
  expect(ignored.stderr).toMatch(/rework-1 #2: .*Blocking findings: 1 → 1 \(0 fixed, 1 remaining, 0 new\)/);
  expect(repository.git('rev-parse', 'main')).toBe(before);
  const reworked = await call('rework', report.run, '--json');
  expect(RunReport.parse(JSON.parse(reworked.stdout))).toMatchObject({
    status: 'done',
    landed: { ref: 'main' },
  });
  expect(repository.git('show', 'main:schema/types.py')).toContain('user.name');
});
