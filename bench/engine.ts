/**
 * What the engine costs, beside what the machine costs: every number comes with a limit or a peer measured in the
 * same process. `node bench/engine.ts [--tasks n] [--events n]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { foldEvents } from '../src/engine/fold.ts';
import { LocalEngine } from '../src/engine/local/local-engine.ts';
import { openStore } from '../src/engine/local/store.ts';
import type { EventDraft } from '../src/model/event.ts';
import { openBench } from '../test/support/engine-bench.ts';

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '1000' }, events: { type: 'string', default: '100000' } },
});
const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));

interface Measured<T> {
  readonly result: T;
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function measure<T>(body: () => Promise<T> | T): Promise<Measured<T>> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const result = await body();
  const { user, system } = process.cpuUsage(cpu);
  return { result, cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
}

function report(name: string, facts: Readonly<Record<string, number>>, limit: string, isMet: boolean): void {
  const numbers = Object.entries(facts).map(([key, value]) => `${key} ${Number(value.toFixed(2))}`);
  console.log(`${isMet ? 'ok  ' : 'MISS'} ${name}: ${numbers.join(', ')} (limit: ${limit})`);
  if (!isMet) process.exitCode = 1;
}

async function stepOverhead(): Promise<void> {
  const count = 2000;
  const engine = new LocalEngine(openStore(join(root, 'steps.db')));
  engine.start('r', [{ type: 'run.degraded', data: { what: 'first' } }]);
  const steps = await measure(() =>
    engine.drive('r', { holder: 'bench' }, async (context) => {
      for (let n = 0; n < count; n++) {
        await context.step(`s${n}`, (call) => {
          call.emit({ type: 'run.degraded', data: { what: String(n) } });
          return n;
        });
      }
    }),
  );
  engine.store.close();
  const peer = new DatabaseSync(join(root, 'peer.db'));
  peer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (x TEXT)');
  const insert = peer.prepare('INSERT INTO t VALUES (?)');
  const bare = await measure(() => {
    for (let n = 0; n < count; n++) insert.run(String(n));
  });
  peer.close();
  const cpuPerStep = steps.cpuMs / count;
  report(
    'one durable step',
    {
      cpuMs: cpuPerStep,
      wallMs: steps.wallMs / count,
      bareCommitCpuMs: bare.cpuMs / count,
      ratio: steps.cpuMs / bare.cpuMs,
    },
    '10 ms CPU beside the fsync',
    cpuPerStep - bare.cpuMs / count <= 10,
  );
}

async function manyTasks(count: number): Promise<void> {
  const dir = join(root, 'project');
  mkdirSync(dir);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=b', '-c', 'user.email=b@b', ...args]);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(dir, 'README.md'), 'bench\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  const ids = Array.from({ length: count }, (_, n) => `t${n}`);
  const attempts = ids.map((id, n) => ({
    task: id,
    do: [{ say: 'working' }, { write: { path: `d${n % 50}/${id}.txt`, content: id } }],
  }));
  const bench = await openBench({ dir, stateDir: join(root, 'state') }, { attempts });
  const tasks = ids.map((id, n) => ({ id, title: id, files: [`d${n % 50}/${id}.txt`] }));
  const run = bench.start({ tasks }, { parallel: 50 });
  const marks: { done: number; cpuMs: number; rssMb: number }[] = [];
  let done = 0;
  const before = process.cpuUsage();
  const { wallMs, cpuMs, result } = await measure(() =>
    bench.drive(run, {
      observe: (events) => {
        for (const { type } of events) {
          if (type !== 'step.accepted' || ++done % Math.max(1, Math.floor(count / 4)) !== 0) continue;
          const { user, system } = process.cpuUsage(before);
          globalThis.gc?.();
          marks.push({ done, cpuMs: (user + system) / 1000, rssMb: process.memoryUsage().rss / 2 ** 20 });
        }
      },
    }),
  );
  bench.close();
  const [first, last] = [marks[0], marks.at(-1)];
  const before4 = marks.at(-2);
  if (!first || !last || !before4) return;
  const firstQuarter = first.cpuMs / first.done;
  const lastQuarter = (last.cpuMs - before4.cpuMs) / (last.done - before4.done);
  report(
    `${count} tasks, 50 at a time: ${result.status}`,
    {
      wallS: wallMs / 1000,
      cpuMsPerTask: cpuMs / count,
      firstQuarter,
      lastQuarter,
      growth: lastQuarter / firstQuarter,
    },
    'CPU per task of the last quarter at most twice that of the first',
    result.status === 'done' && lastQuarter <= 2 * firstQuarter,
  );
  report(
    'memory',
    { rssMbAtQuarter: first.rssMb, rssMbAtEnd: last.rssMb },
    'at most 64 MB more at the end than after a quarter',
    last.rssMb - first.rssMb <= 64,
  );
}

async function bigLog(count: number): Promise<void> {
  const dir = join(root, 'big');
  mkdirSync(dir);
  execFileSync('git', ['-C', dir, 'init', '--quiet', '--initial-branch=main']);
  execFileSync('git', [
    '-C',
    dir,
    '-c',
    'user.name=b',
    '-c',
    'user.email=b@b',
    'commit',
    '--quiet',
    '--allow-empty',
    '--message',
    'x',
  ]);
  const place = { dir, stateDir: join(root, 'state-big') };
  const ids = Array.from({ length: 100 }, (_, n) => `t${n}`);
  const scenario = {
    attempts: ids.map((id) => ({ task: id, do: [{ write: { path: `${id}.txt`, content: id } }] })),
  };
  const writer = await openBench(place, scenario);
  const run = writer.start({
    tasks: [...ids.map((id) => ({ id, title: id })), { id: 'open', title: 'open', agent: 'x' }],
  });
  const chatter = Math.floor(count / 101);
  await writer.workshop.engine.drive(run, { holder: 'bench' }, async (context) => {
    for (const id of [...ids, 'open']) {
      const said: EventDraft[] = Array.from({ length: chatter }, (_, n) => ({
        type: 'attempt.said',
        step: id,
        attempt: 1,
        data: { text: `line ${n} of what an agent says while it works on ${id}` },
      }));
      context.append([started(id), ...said]);
    }
  });
  writer.close();
  const resumed = await measure(async () => {
    const bench = await openBench(place, { attempts: [] });
    const stop = new AbortController();
    stop.abort();
    const state = await bench.drive(run, { stop: stop.signal });
    bench.close();
    return state.seq;
  });
  const folded = await measure(async () => {
    const bench = await openBench(place, { attempts: [] });
    const { seq } = foldEvents(bench.workshop.engine.read(run));
    bench.close();
    return seq;
  });
  report(
    `resume of a run with ${resumed.result} events`,
    { cpuS: resumed.cpuMs / 1000, readingTheLogS: folded.cpuMs / 1000 },
    '2 s CPU',
    resumed.cpuMs <= 2000,
  );
}

function started(step: string): EventDraft {
  const base = '0'.repeat(40);
  return {
    type: 'attempt.started',
    step,
    attempt: 1,
    data: {
      base,
      from: base,
      round: 1,
      branch: step,
      path: '/nowhere',
      driver: 'scripted',
      role: 'developer',
    },
  };
}

try {
  await stepOverhead();
  await bigLog(Number(values.events));
  await manyTasks(Number(values.tasks));
} finally {
  rmSync(root, { recursive: true, force: true });
}
