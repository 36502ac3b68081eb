import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Broken, brokenPlaces, type CaseResult } from '#test/support/broken-machine/order.ts';
import { problemsOf } from '#test/support/broken-machine/problems.ts';
import { task, writes } from '#test/support/engine-bench.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { executable, temporaryFolder } from '#test/support/joinery.ts';
import { note } from '#test/support/sampling.ts';
import { type Chance, chance } from '#test/support/seed.ts';

const script = fileURLToPath(new URL('../support/broken-machine/case.ts', import.meta.url));
/** Private mounts that vanish with the process; without root in a user namespace. */
const apart = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--mount'];
const canMount = spawnSync(apart[0] ?? '', [...apart.slice(1), 'true']).status === 0;

/** Takes a while in every gate, so that there is a guard to kill. */
const suite = `
const until = performance.now() + 150;
while (performance.now() < until);
const isRight = require('../src/sum.cjs').sum(1, 2) === 3;
console.log('TAP version 13\\n' + (isRight ? '' : 'not ') + 'ok 1 - adds\\nok 2 - subtracts\\n1..2');
process.exit(isRight ? 0 : 1);
`;
const files = {
  'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- test: `node test/run.cjs`\n',
  'joinery.json': '{"run":{"land":"never"}}\n',
  'src/sum.cjs': 'exports.sum = (a, b) => a + b;\n',
  'test/run.cjs': suite,
};
const plan = {
  schema: 'joinery/plan@1',
  tasks: [task('a', { files: ['src/'] }), task('b', { dependsOn: ['a'], files: ['b.txt'] })],
};
const scenario = {
  schema: 'joinery/scenario@1',
  attempts: [writes('a', 'src/sum.cjs', 'exports.sum = (a, b) => b + a;\n'), writes('b', 'b.txt')],
};

async function play(broken: Broken): Promise<CaseResult> {
  const order = { folder: temporaryFolder(), files, plan, scenario, broken, resumes: 2 };
  const [program = '', ...args] = [...apart, process.execPath, script, JSON.stringify(order)];
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as CaseResult;
}

function drawn(random: Chance, round: number, wholeMs: number): Broken {
  const ms = Math.floor(random.next() * wholeMs);
  const place = brokenPlaces[Math.floor(random.next() * brokenPlaces.length)] ?? 'repo';
  const left = Math.floor(random.next() * 24);
  const kinds: readonly Broken[] = [
    { kind: 'full', place, ms },
    { kind: 'read-only', place, ms },
    { kind: 'no-descriptors', left, ms },
    { kind: 'guard-killed', ms },
    // With fewer Node itself does not start.
    { kind: 'few-descriptors', left: 24 + 2 * left, ms: 0 },
  ];
  return kinds[round % kinds.length] ?? { kind: 'nothing', ms: 0 };
}

test.runIf(process.platform === 'linux' && canMount)(
  'a machine that breaks at any moment of a run is reported as the cause, costs no attempt, and the run resumes after a repair',
  async () => {
    const random = chance('machines that break', { normal: 4, wide: 6, soak: 200 });
    const calm = await play({ kind: 'nothing', ms: 0 });
    expect(codesOf(calm)).toEqual([0]);
    const wholeMs = calm.told[0]?.ms ?? 0;
    const bad: object[] = [];
    for (let round = 0; round < random.count; round++) {
      const broken = drawn(random, round, wholeMs);
      const result = await play(broken);
      const problems = problemsOf(result, calm);
      note(
        `seed ${random.seed}, round ${round}: ${JSON.stringify({ broken, codes: codesOf(result), problems })}`,
      );
      if (problems.length > 0) bad.push({ seed: random.seed, round, broken, problems, told: result.told });
    }
    expect(bad).toEqual([]);
  },
  3_600_000,
);

function codesOf({ told }: CaseResult): (number | null)[] {
  return told.map(({ code }) => code);
}

test.runIf(process.platform === 'linux' && canMount).each([
  ['full', 'size=64k'],
  ['read-only', 'size=64k,ro'],
])('a check with a cache that is %s gives the same result, or says what is wrong', async (_, options) => {
  const repository = new GitRepository();
  repository.commit({ 'a.ts': 'export function one() {\n  return 1;\n}\n' });
  repository.branch('a', { 'a.ts': 'export function two() {\n  return 1;\n}\n' });
  repository.branch('b', { 'b.ts': "import { one } from './a.ts';\n\nexport const b = one();\n" });
  const cache = temporaryFolder();
  const check = ['check', '--confirm', 'none', '--json', 'main', 'a', 'b'];
  const lines = `mount -t tmpfs -o ${options} broken-machine "$0" && exec "$@"`;
  const [program = '', ...args] = [
    ...apart,
    'sh',
    '-c',
    lines,
    cache,
    process.execPath,
    executable,
    ...check,
  ];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: repository.dir,
    encoding: 'utf8',
    env: { ...process.env, JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: join(cache, 'state') },
  });
  expect(stderr).not.toMatch(/defect of joinery|^\s+at .*:\d+:\d+\)?$/m);
  const answer = JSON.parse(stdout) as { findings?: { rule: string }[]; error?: { code: string } };
  if (status === 5) expect(['disk-full', 'read-only']).toContain(answer.error?.code);
  else
    expect({ status, rules: answer.findings?.map(({ rule }) => rule) }).toEqual({
      status: 1,
      rules: ['S02'],
    });
});

const fill = '{ cat /dev/zero > "$0/ballast" || true; } 2>/dev/null;';
const writing = ['commit-tree', 'nothing'];

test.runIf(process.platform === 'linux' && canMount).each([
  ['on a full disk', fill, writing, 'disk-full'],
  ['on a writable disk', '', writing, 'git-failed'],
  ['on a full disk that is read-only', `${fill} mount -o remount,ro "$0";`, writing, 'git-failed'],
  ['on a full disk but only reads', fill, ['rev-parse', '--verify', 'nothing'], 'git-failed'],
])('a git that fails %s without naming a cause', (_, prepare, command, code) => {
  const program = [
    'const { Git } = await import(process.argv[1]);',
    `await new Git({ cwd: process.argv[2] }).run(${JSON.stringify(command)}).catch((error) => console.log(error.code));`,
  ].join('');
  const lines = `mount -t tmpfs -o size=1m broken-machine "$0" && git init -q "$0" && ${prepare} exec "$@"`;
  const folder = temporaryFolder();
  const git = fileURLToPath(new URL('../../src/git/call/git.ts', import.meta.url));
  const [unshare = '', ...args] = [
    ...apart,
    'sh',
    '-c',
    lines,
    folder,
    process.execPath,
    '--input-type=module',
    '-e',
    program,
    git,
    folder,
  ];
  expect(spawnSync(unshare, args, { encoding: 'utf8' }).stdout.trim()).toBe(code);
});
