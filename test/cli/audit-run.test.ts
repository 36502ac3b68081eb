import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ArtifactReport } from '#schema/artifact-report.ts';
import { AuditReport } from '#schema/audit.ts';
import { FinalReport } from '#schema/final-report.ts';
import { TrendReport } from '#schema/measures.ts';
import { task } from '../support/engine-bench.ts';
import { makeRepo } from '../support/engine-repo.ts';
import { joinery } from '../support/joinery.ts';

/** Runs a plan with a scripted crew, for queries about it. */
async function played(tasks: object[], attempts: object[]) {
  const repo = makeRepo();
  const env = {
    JOINERY_STATE_DIR: repo.stateDir,
    JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
    LC_ALL: 'C.UTF-8',
  };
  const file = (name: string, content: object) => {
    const path = join(repo.stateDir, '..', name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const plan = file('plan.json', { schema: 'joinery/plan@1', tasks });
  const scenario = file('scenario.json', { schema: 'joinery/scenario@1', attempts });
  const call = (...args: string[]) => joinery(args, { cwd: repo.dir, env });
  expect(
    (await call('run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario)).code,
  ).toBe(0);
  return { call, dir: repo.dir };
}

const record = (inputs: string) =>
  `Done.\n## Handoff Record\n### Inputs consumed\n- ${inputs}\n### Outputs for next agents\n- none\n### Decisions NOT covered by inputs\n- none\n`;

const write = (id: string) => ({ write: { path: `${id}.txt`, content: id } });

const decided = { handoff: { decisions: [{ what: 'tabs', why: 'house style' }] } };

describe('joinery audit of a run', () => {
  test('counts whose handoff was cited, in any form of citation, and shows every artifact', async () => {
    const { call } = await played(
      [
        task('a', { files: ['a.txt'] }),
        task('b', { files: ['b.txt'], dependsOn: ['a'] }),
        task('c', { files: ['c.txt'], dependsOn: ['a'] }),
      ],
      [
        { task: 'a', do: [write('a'), decided] },
        {
          task: 'b',
          do: [
            write('b'),
            { handoff: record('`handoff/a#reasons` → x') },
            { handoff: record('`handoff/a#decisions` → followed') },
          ],
        },
        { task: 'c', do: [write('c')] },
      ],
    );
    const audit = await call('audit', '--json');
    const report = AuditReport.strict().parse(JSON.parse(audit.stdout));
    expect(report).toMatchObject({
      subject: { kind: 'run' },
      score: 50,
      possibleEdges: 2,
      actualEdges: 1,
      edges: [
        { from: 'a', to: 'b', isCited: true },
        { from: 'a', to: 'c', isCited: false },
      ],
      orphans: [{ agent: 'c', why: 'no-inputs' }],
    });
    expect((await call('audit', report.subject.name.slice(0, 6))).stdout).toContain(
      'Coordination Score 50 %',
    );

    const checkpoint = readFileSync(join(report.subject.path, 'checkpoint.md'), 'utf8').trimEnd().split('\n');
    expect(checkpoint.length).toBeLessThanOrEqual(15);
    expect(checkpoint.flatMap((line) => /^- ([A-Z][a-z ]+):/.exec(line)?.[1] ?? [])).toEqual([
      'Done',
      'Remaining',
      'Decisions',
      'Open findings',
      'Next',
    ]);

    const final = FinalReport.strict().parse(JSON.parse((await call('report', '--json')).stdout));
    expect(final.measures).toMatchObject({
      coordination: { score: 50, status: 'Suspicious', cited: 1, addressed: 2 },
      compatibility: { open: 0, byRule: {} },
      requirements: { confirmed: 0, criteria: 0 },
    });
    expect(final.measures?.evidence.claims).toBeGreaterThan(3);
    expect((await call('report')).stdout).toContain('coordination: 50 % Suspicious, 1 of 2 outputs cited');
    const trend = TrendReport.strict().parse(JSON.parse((await call('report', '--trend', '--json')).stdout));
    expect(trend.runs).toMatchObject([{ run: final.run, status: 'done', measures: final.measures }]);
    expect((await call('report', '--trend')).stdout).toMatch(/50 % Suspicious +0 open/);

    const log = await call('logs');
    expect(log.stdout).toContain('handoff refused: consumed.0.ref: handoff/a has no section "reasons"');
    expect(log.stdout).toContain('handoff (markdown) cites handoff/a#decisions');
    expect(log.stdout).toMatch(/prompt of \d+ bytes for the developer \(full, [0-9a-f]{12}\): joinery#role/);

    const list = ArtifactReport.strict().parse(JSON.parse((await call('artifact', 'list', '--json')).stdout));
    expect(list.artifacts.map(({ name }) => name)).toContain('handoff/a@1');
    expect((await call('artifact', 'show', 'handoff/a#decisions')).stdout).toContain('house style');
    const prompt = await call('artifact', 'show', 'prompt/b@1');
    expect(prompt.stdout).toContain('- handoff/a#decisions');
    expect((await call('artifact', 'show', 'prompt/b#how-to-work')).stdout).toMatch(/^# How to work/);
    expect((await call('artifact', 'show', 'handoff/z')).code).toBe(3);
    expect((await call('artifact', 'show', 'handoff/a#nothing')).stderr).toContain('it has decisions');
    expect((await call('artifact', 'show')).code).toBe(3);
  });

  test('an agent need not cite what was withheld; a blind task gets the inputs it declares', async () => {
    const { call } = await played(
      [
        task('a', { files: ['a.txt'] }),
        task('b', {
          ...{ files: ['b.txt'], dependsOn: ['a'], description: 'TASK-CANARY' },
          ...{ inputs: ['a.txt', 'nowhere.md'], isolation: { mode: 'blind' } },
        }),
      ],
      [
        { task: 'a', do: [write('a'), decided] },
        { task: 'b', do: [write('b')] },
      ],
    );
    const { code, stdout } = await call('audit', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ score: null, possibleEdges: 0, orphans: [], findings: [] });
    const prompt = (await call('artifact', 'show', 'prompt/b')).stdout;
    expect(prompt).toMatch(/# a\.txt\n\n(`{3,}).*\na\n\1\n/);
    expect(prompt).toContain('# nowhere.md\n\nThere is no such file.');
    expect(prompt).toContain('- input/a.txt#text');
    expect(prompt).not.toMatch(/TASK-CANARY|house style/);
  });
});
