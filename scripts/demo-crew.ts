/** The second part of the demo: from a spec to landed code, killed in the middle and resumed. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Paint } from '#cli/terminal/paint.ts';
import type { FinalReport } from '#schema/final-report.ts';
import type { RunReport } from '#schema/run.ts';
import { profilesCode, profilesScenario } from '#test/support/user-profiles.ts';
import { root } from './root.ts';

interface Stage {
  /** Outside any repository: repository, scenario and the state of runs. */
  readonly backstage: string;
  readonly paint: Paint;
  say(...lines: string[]): void;
}

const spec = 'specs/user-profiles.md';

/** Width of log lines, which are indented by two. */
const width = Math.max(60, (process.stdout.columns ?? 100) - 2);

export async function playCrew(stage: Stage): Promise<void> {
  const { paint, say, backstage } = stage;
  buildRepository(stage);
  const scenario = join(backstage, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(profilesScenario({ delayMs: 400, reworkMs: 1500 })));
  say(
    paint('bold', 'Now a crew: from a spec to landed code.'),
    '',
    `  ${spec} wants users: a model, a GraphQL type and an endpoint. An architect`,
    '  cuts it into three tasks, somebody else verifies the plan, and three agents work',
    '  side by side. (All of them play a script: no key, no network.)',
    '',
  );
  const agent = ['--agent', 'scripted', '--scenario', scenario];
  say(paint('cyan', `$ joinery run ${spec} --agent scripted --land --update-checkout`));
  await killInTheMiddle(stage, ['run', spec, ...agent, '--land', '--update-checkout']);
  say(
    paint('red', 'killed (SIGKILL)'),
    '',
    'Task 2 read user.display_name, task 1 calls it name. That was found before the work of',
    'task 2 became part of anything, and went back to its owner with both places. The process',
    'was killed while the owner followed. Go on:',
    '',
    paint('cyan', '$ joinery resume'),
  );
  const resumed = joinery(stage, ['resume', '--json']);
  tell(stage, resumed.stderr);
  expectCode(stage, resumed.status, 0);
  const report = JSON.parse(resumed.stdout) as RunReport;
  for (const { id, status, attempts } of report.tasks)
    say(
      `  task ${id}  ${status}, ${attempts === 1 ? 'not repeated' : `${attempts} attempts, one of them cut off`}`,
    );
  say(
    '',
    'What landed, and is every id in its receipt true?',
    '',
    paint('cyan', `$ joinery receipt verify ${report.run}`),
  );
  const receipt = joinery(stage, ['receipt', 'verify', report.run]);
  say(receipt.stdout.trimEnd());
  expectCode(stage, receipt.status, 0);
  const final = JSON.parse(joinery(stage, ['report', '--json']).stdout) as FinalReport;
  const [finding] = final.findings;
  if (!finding?.isFixed || final.landed === null)
    throw new Error('The demo expected a fixed finding that landed.');
  say(
    `${final.landed.ref} moved once, from ${final.landed.before.slice(0, 12)} to ${final.landed.after.slice(0, 12)}. The whole story: joinery report`,
    '',
  );
}

/** How the project is tested, with what every machine of the demo has: nothing lands unrun. */
const projectTests = {
  'AGENTS.md': '## Quality Gates\n\n- test: `node --test`\n',
  'test/packages.test.mjs': `import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

for (const folder of ['models', 'schema', 'api'])
  test(\`\${folder} is a package\`, () => assert.ok(existsSync(\`\${folder}/__init__.py\`)));
`,
};

function buildRepository({ backstage }: Stage): void {
  const dir = repositoryIn(backstage);
  for (const [path, content] of Object.entries({ ...profilesCode, ...projectTests })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const identity = [
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@example.com',
    '-c',
    'commit.gpgSign=false',
  ];
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: dir, stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a spec');
}

function repositoryIn(backstage: string): string {
  return join(backstage, 'profiles');
}

/** Kills the run when the owner of the finding is working on it. */
function killInTheMiddle(stage: Stage, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'bin', 'joinery.js'), ...args], options(stage));
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stderr.on('data', (chunk: Buffer) => {
      seen += chunk;
      if (/2 #2: says: following/.test(seen)) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      tell(stage, seen);
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(`The demo could not kill the run in time.\n${seen}`));
    });
  });
}

/** Prints the lines that tell the story, without what every attempt writes. */
function tell({ say }: Stage, log: string): void {
  for (const line of log.split('\n')) {
    const text = line.replace(/^\S+ /, '');
    if (
      / (says|accepted|planned|told|landed|revising|check against|(plan|verify|integrate) (begun|done))\b/.test(
        text,
      )
    )
      say(`  ${text.length > width ? `${text.slice(0, width - 1)}…` : text}`);
  }
}

function joinery(
  stage: Stage,
  args: readonly string[],
): { status: number | null; stdout: string; stderr: string } {
  const executable = join(root, 'bin', 'joinery.js');
  return spawnSync(process.execPath, [executable, ...args], { ...options(stage), encoding: 'utf8' });
}

function options({ backstage }: Stage) {
  const env = {
    ...process.env,
    JOINERY_STATE_DIR: join(backstage, 'state'),
    JOINERY_CACHE_DIR: join(backstage, 'cache'),
  };
  return { cwd: repositoryIn(backstage), env };
}

function expectCode({ say, paint }: Stage, status: number | null, expected: number): void {
  say(paint('dim', `exit code ${status}`), '');
  if (status !== expected) throw new Error(`The demo expected exit code ${expected}.`);
}
