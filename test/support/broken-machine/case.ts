import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBench } from '../engine-bench.ts';
import type { Broken, CaseOrder, CaseResult, Told } from './order.ts';

/**
 * One run on a machine that breaks at one moment and is repaired afterwards: `unshare -m node case.ts <order>`. It mounts its
 * folders in a private mount namespace, so that nothing is left of them, and prints JSON of `CaseResult`.
 */
const order = JSON.parse(process.argv[2] ?? '') as CaseOrder;
const places = { repo: '', state: '', cache: '', tmp: '' };
const ballast = 'ballast';
const longestMs = 300_000;
let isBroken = false;

execFileSync('mount', ['--make-rprivate', '/']);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'broken-machine', order.folder]);
for (const name of Object.keys(places) as (keyof typeof places)[]) {
  places[name] = join(order.folder, name);
  mkdirSync(places[name]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'broken-machine', places[name]]);
}
const executable =
  process.env.JOINERY_TEST_EXECUTABLE ?? fileURLToPath(new URL('../../../bin/joinery.js', import.meta.url));
const env = {
  ...process.env,
  NO_COLOR: '1',
  JOINERY_STATE_DIR: join(places.state, 'joinery'),
  JOINERY_CACHE_DIR: join(places.cache, 'joinery'),
  TMPDIR: places.tmp,
  GIT_CONFIG_GLOBAL: '/dev/null',
};
const witness = join(order.folder, 'witness');

for (const [path, text] of Object.entries(order.files)) {
  mkdirSync(dirname(join(places.repo, path)), { recursive: true });
  writeFileSync(join(places.repo, path), text.replaceAll('<witness>', witness));
}
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: places.repo,
    encoding: 'utf8',
    env,
  }).trim();
git('init', '-q', '-b', 'main');
git('add', '--all');
git('commit', '-q', '-m', 'base');
writeFileSync(join(order.folder, 'plan.json'), JSON.stringify(order.plan));
writeFileSync(join(order.folder, 'scenario.json'), JSON.stringify(order.scenario));

const told: Told[] = [];
const agent = ['--agent', 'scripted', '--scenario', join(order.folder, 'scenario.json')];
told.push(await command(['run', '--plan', join(order.folder, 'plan.json'), ...agent], order.broken));
mend(order.broken);
// A run that broke before it was recorded is started again.
if (told.at(-1)?.code === 5 && listed().length === 0)
  told.push(await command(['run', '--plan', join(order.folder, 'plan.json'), ...agent]));
for (let n = 0; n < order.resumes && told.at(-1)?.code === 5; n++) told.push(await command(['resume']));
const [run = ''] = listed();
const result: CaseResult = {
  told,
  run,
  ...(await eventsOf(run)),
  tree: run === '' ? '' : tree(`joinery/${run}/integration`),
  status: git('status', '--porcelain'),
  worktrees: git('worktree', 'list').split('\n').length,
  locks: readdirSync(join(places.repo, '.git'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.lock')),
  fsck: fsck(),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

async function command(args: readonly string[], broken?: Broken): Promise<Told> {
  const limited = broken?.kind === 'few-descriptors' ? `ulimit -n ${broken.left}; exec "$@"` : 'exec "$@"';
  const child = spawn('bash', ['-c', limited, 'joinery', process.execPath, executable, ...args, '--json'], {
    cwd: places.repo,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const started = performance.now();
  const breaks = setTimeout(() => broken && child.pid && breakNow(broken, child.pid), broken?.ms ?? 0);
  const ends = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (exit, by) => resolve({ code: exit, signal: by })),
  );
  clearTimeout(breaks);
  clearTimeout(ends);
  const ms = Math.round(performance.now() - started);
  return { args: [...args], code, signal, ms, answer: parsed(stdout), stderr: stderr.slice(-3000) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(-500);
  }
}

function breakNow(broken: Broken, pid: number): void {
  isBroken = true;
  switch (broken.kind) {
    case 'full':
      try {
        for (;;) appendFileSync(join(places[broken.place], ballast), Buffer.alloc(1 << 16));
      } catch {}
      // Fills the disk to the last free byte.
      try {
        for (;;) appendFileSync(join(places[broken.place], ballast), 'x');
      } catch {}
      return;
    case 'read-only':
      // Bind-mounted on itself, because files that are open for writing would prevent a read-only remount.
      execFileSync('mount', ['--bind', places[broken.place], places[broken.place]]);
      execFileSync('mount', ['-o', 'remount,bind,ro', places[broken.place]]);
      return;
    case 'no-descriptors': {
      const open = readdirSync(`/proc/${pid}/fd`).length;
      execFileSync('prlimit', ['--pid', String(pid), `--nofile=${open + broken.left}:`]);
      return;
    }
    case 'guard-killed':
      for (const guard of guardsBelow(pid)) killIfThere(guard);
      return;
    case 'few-descriptors':
    case 'nothing':
      return;
  }
}

/** A guard may end by itself between being listed and being killed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function mend(broken: Broken): void {
  if (!isBroken) return;
  if (broken.kind === 'full') rmSync(join(places[broken.place], ballast), { force: true });
  if (broken.kind === 'read-only') execFileSync('umount', ['--lazy', places[broken.place]]);
}

function guardsBelow(root: number): number[] {
  const parents = new Map<number, number>();
  const guards: number[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guard.js')) guards.push(pid);
    } catch {}
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === root) return true;
    return false;
  };
  return guards.filter(isBelow);
}

function listed(): string[] {
  const text = execFileSync(process.execPath, [executable, 'runs', '--json'], {
    cwd: places.repo,
    encoding: 'utf8',
    env,
  });
  return (JSON.parse(text) as { runs: { run: string }[] }).runs.map(({ run }) => run);
}

async function eventsOf(run: string) {
  if (run === '') return { verdicts: [], accepted: [] };
  const bench = await openBench({ dir: places.repo, stateDir: env.JOINERY_STATE_DIR }, { attempts: [] });
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  return {
    verdicts: events.flatMap((event) =>
      event.type === 'attempt.ended' ? [`${event.step} ${event.data.verdict}`] : [],
    ),
    accepted: events.flatMap((event) => (event.type === 'step.accepted' ? [event.step ?? ''] : [])),
  };
}

function tree(ref: string): string {
  try {
    return git('rev-parse', `${ref}^{tree}`);
  } catch {
    return '';
  }
}

function fsck(): string {
  try {
    git('fsck', '--strict', '--no-dangling');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
