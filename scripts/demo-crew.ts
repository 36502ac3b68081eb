/** The second part of the demo: a crew at work, killed in the middle and resumed. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paint } from '#cli/terminal/paint.ts';
import type { RunReport } from '#schema/run.ts';
import { root } from './root.ts';

interface Stage {
  /** A repository whose main the crew starts from. */
  readonly shop: string;
  /** Outside the repository: plan, scenario and the state of runs. */
  readonly backstage: string;
  readonly paint: Paint;
  say(...lines: string[]): void;
}

const module = (name: string, body: string) => ({
  path: `src/${name}.ts`,
  content: `import type { User } from './user.ts';\n\nexport function ${name}(user: User): string {\n  return ${body};\n}\n`,
});

/** Work without a test is not accepted. */
const testOf = (name: string) => ({
  path: `src/${name}.test.ts`,
  content: `import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { ${name} } from './${name}.ts';\n\ntest('names the user', () => {\n  assert.match(${name}({ name: 'Ada', email: 'ada@example.com' }), /Ada/);\n});\n`,
});

const tasks = [
  { id: 'invoice', title: 'Address invoices', body: "'Invoice for ' + user.name" },
  { id: 'label', title: 'Print parcel labels', body: "'To: ' + user.name" },
  { id: 'reminder', title: 'Remind of open invoices', body: "'You forgot something, ' + user.name" },
];

const plan = {
  schema: 'joinery/plan@1',
  base: 'main',
  tasks: tasks.map(({ id, title }) => ({ id, title, files: [`src/${id}.ts`] })),
};

const scenario = {
  schema: 'joinery/scenario@1',
  attempts: tasks.map(({ id, body }) => ({
    task: id,
    do: [
      { say: `looking at ${id}` },
      { sleepMs: id === 'reminder' ? 2500 : 50 },
      { write: module(id, body) },
      { write: testOf(id) },
      { usage: { in: 1200, out: 300, usd: 0.01 } },
    ],
  })),
};

export async function playCrew(stage: Stage): Promise<void> {
  const { paint, say, backstage } = stage;
  const [planFile, scenarioFile] = [join(backstage, 'plan.json'), join(backstage, 'scenario.json')];
  writeFileSync(planFile, JSON.stringify(plan));
  writeFileSync(scenarioFile, JSON.stringify(scenario));
  say(paint('bold', 'Now a crew: three tasks at a time, each with a branch and a worktree of its own.'), '');
  say(paint('cyan', '$ joinery run --plan plan.json --agent scripted --scenario scenario.json'));
  await killInTheMiddle(stage, [
    'run',
    '--plan',
    planFile,
    '--agent',
    'scripted',
    '--scenario',
    scenarioFile,
  ]);
  say(paint('red', 'killed (SIGKILL)'), '', 'Two tasks were finished, one was in the middle. Go on:', '');
  say(paint('cyan', '$ joinery resume'));
  const resumed = joinery(stage, ['resume', '--json', '--quiet']);
  const report = JSON.parse(resumed.stdout) as RunReport;
  for (const { id, status, attempts } of report.tasks) {
    say(`  ${id.padEnd(10)} ${status}, ${attempts === 1 ? 'not repeated' : `attempt ${attempts}`}`);
  }
  expectCode(say, paint, resumed.status, 0);
  const branches = report.tasks.map(({ branch }) => branch);
  say('Do the three fit together?', '', paint('cyan', `$ joinery check main ${branches.join(' ')}`));
  const checked = joinery(stage, ['check', 'main', ...branches]);
  say(checked.stdout.trimEnd());
  expectCode(say, paint, checked.status, 0);
}

/** Until two of the tasks are accepted and the third is at work. */
function killInTheMiddle(stage: Stage, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'bin', 'joinery.js'), ...args], options(stage));
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stderr.on('data', (chunk: Buffer) => {
      seen += chunk;
      if (seen.split(': accepted').length === 3) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      for (const line of seen.split('\n')) if (/: (says|write|accepted)/.test(line)) stage.say(`  ${line}`);
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(`The demo could not kill the run in time.\n${seen}`));
    });
  });
}

function joinery(stage: Stage, args: readonly string[]): { status: number | null; stdout: string } {
  const executable = join(root, 'bin', 'joinery.js');
  return spawnSync(process.execPath, [executable, ...args], { ...options(stage), encoding: 'utf8' });
}

function options({ shop, backstage }: Stage) {
  return { cwd: shop, env: { ...process.env, JOINERY_STATE_DIR: join(backstage, 'state') } };
}

function expectCode(say: Stage['say'], paint: Paint, status: number | null, expected: number): void {
  say(paint('dim', `exit code ${status}`), '');
  if (status !== expected) throw new Error(`The demo expected exit code ${expected}.`);
}
