import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ReceiptReport } from '#schema/integration.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { greetingCode, greetingPlan, greetingSpec, verdict } from '#test/support/planning.ts';
import { chance } from '#test/support/seed.ts';
import {
  renameWork,
  reportWork,
  shapesCode,
  shapesPlan,
  shapesReport,
  write,
} from '#test/support/shapes-story.ts';
import type { StoryOrder } from '#test/support/story-child.ts';

const script = fileURLToPath(new URL('../support/story-child.ts', import.meta.url));

function live(order: StoryOrder): Promise<{ signal: NodeJS.Signals | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(order));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.once('close', (_code, signal) => resolve({ signal, stdout, stderr }));
  });
}

/** Only one task: the kills are before and after the tasks. */
const { tasks, ...rest } = greetingPlan() as { tasks: object[] };
const says = (role: string, answer: object, n?: number) => ({
  role,
  ...(n === undefined ? {} : { n }),
  do: [{ say: JSON.stringify(answer) }],
});
const planned = { ...rest, tasks: tasks.slice(0, 1) };

/** With a plan that is refused, planned again, found incomplete, fixed and verified once more. */
const repaired = [
  says('architect', { ...rest, tasks: [] }, 1),
  says('architect', planned, 2),
  says(
    'verifier',
    verdict({
      status: 'fail',
      critical_failures: [
        { description: 'nobody is greeted by name', spec_reference: '', plan_gap: 'greet' },
      ],
    }),
    1,
  ),
  says('fixer', {
    fixes: [{ task: 'greet', field: 'description', before: 'Greet', after: 'Greet everybody', reason: '' }],
  }),
  says('verifier', verdict(), 2),
];
const scenarioOf = (planning: readonly object[]) => ({
  schema: 'joinery/scenario@1',
  attempts: [
    ...planning,
    {
      task: 'greet',
      role: 'developer',
      do: [
        { write: { path: 'src/greet.ts', content: 'export const greet = (user: object) => user;\n' } },
        { write: { path: 'src/greet.test.ts', content: 'test("greets", () => {});\n' } },
      ],
    },
  ],
});

const { count: repairs } = chance('kill -9 while a plan is repaired', { normal: 0, wide: 1, soak: 1 });

test('kill -9 at every boundary of plan, verify, integrate and land: the target is old or new, nothing is asked twice', async () => {
  await killEverywhere([says('architect', planned), says('verifier', verdict())], []);
});

if (repairs > 0)
  test('… also if the plan is repaired', async () => {
    await killEverywhere(repaired, ['consult/0/architect/2', 'consult/0/fixer/1', 'consult/0/verifier/2']);
  });

async function killEverywhere(planning: readonly object[], further: readonly string[]): Promise<void> {
  const repository = new GitRepository();
  repository.commit({ ...greetingCode, 'specs/greeting.md': greetingSpec });
  const outside = temporaryFolder();
  const log = join(outside, 'log');
  const order = {
    dir: repository.dir,
    stateDir: join(outside, 'state'),
    spec: 'specs/greeting.md',
    scenario: scenarioOf(planning),
    run: 'storyrun',
    log,
  };
  const before = repository.git('rev-parse', 'main');
  const targets = new Set<string>();
  let lives = 0;
  let last = await live(order);
  for (; last.signal === 'SIGKILL'; last = await live(order)) {
    lives += 1;
    targets.add(repository.git('rev-parse', 'main'));
    expect(lives).toBeLessThan(60);
  }
  expect(last.stderr).toBe('');
  const end = JSON.parse(last.stdout) as { status: string; landed: { after: string } };
  expect(end.status).toBe('done');
  expect(repository.git('rev-parse', 'main')).toBe(end.landed.after);
  expect(repository.git('status', '--porcelain')).toBe('');
  expect([...targets].every((target) => target === before || target === end.landed.after)).toBe(true);

  const points = readFileSync(log, 'utf8').trim().split('\n');
  for (const phase of [
    'consult/0/architect/1',
    'consult/0/verifier/1',
    'plan/0',
    'verify/0',
    'integrate/1',
    'land',
    ...further,
  ])
    expect(
      points.some((point) => point.startsWith(`${phase}: `)),
      phase,
    ).toBe(true);
  // Recorded steps are not repeated: neither an agent's answer nor a proof.
  for (const key of new Set(points.map((point) => point.split(': ')[0] ?? ''))) {
    const recorded = points.indexOf(`${key}: after result`);
    const again = points.lastIndexOf(`${key}: before effect`);
    if (recorded >= 0) expect(again, key).toBeLessThan(recorded);
  }
  const env = { JOINERY_STATE_DIR: order.stateDir, JOINERY_CACHE_DIR: `${order.stateDir}-cache` };
  const receipt = await joinery(['receipt', 'verify', 'storyrun', '--json'], { cwd: repository.dir, env });
  expect(ReceiptReport.parse(JSON.parse(receipt.stdout))).toMatchObject({ status: 'pass', isDone: true });
}

/** A run in which accepted work is reworked; each in a new repository. */
function reworkOrder(): StoryOrder & { readonly repository: GitRepository } {
  const repository = new GitRepository();
  repository.commit(shapesCode);
  const outside = temporaryFolder();
  const rework = { task: 'report-rework-1', do: [write('src/report.ts', shapesReport('surface'))] };
  return {
    repository,
    dir: repository.dir,
    stateDir: join(outside, 'state'),
    spec: null,
    plan: shapesPlan,
    scenario: { schema: 'joinery/scenario@1', attempts: [reportWork, renameWork, rework] },
    run: 'reworkrun',
    log: join(outside, 'log'),
    killAt: 'none',
  };
}

const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

test('kill -9 while work waits for accepted work to change: resume finishes it, no attempt is made twice', async () => {
  const whole = reworkOrder();
  expect(JSON.parse((await live(whole)).stdout)).toMatchObject({ status: 'done' });
  const points = [...new Set(linesOf(whole.log))];
  const boundaries = points.filter((point) =>
    /^(rename|report-rework-1)\/1\/(integrate|settle|open)/.test(point),
  );
  expect(boundaries.some((point) => point.endsWith('integrate: waits'))).toBe(true);
  const draw = chance('kill -9 around a rework', { normal: 1, wide: 5, soak: 100 });
  for (const killAt of draw.pick(boundaries)) {
    const { repository, ...order } = { ...reworkOrder(), killAt };
    const before = repository.git('rev-parse', 'main');
    expect((await live(order)).signal, killAt).toBe('SIGKILL');
    expect(repository.git('rev-parse', 'main')).toBe(before);
    const last = await live(order);
    const end = JSON.parse(last.stdout) as { status: string; landed: { after: string } };
    expect(end.status, killAt).toBe('done');
    expect(repository.git('rev-parse', 'main')).toBe(end.landed.after);
    expect(repository.git('show', 'main:src/report.ts')).toContain('surface(1, 2)');
    const played = linesOf(order.log).filter((point) => /\/play: before effect$/.test(point));
    expect(played.length, killAt).toBe(new Set(played).size);
  }
});
