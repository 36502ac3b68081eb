import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { foldEvents } from '#crew/state/fold.ts';
import { LocalEngine } from '#durable/local-engine.ts';
import { openStore } from '#durable/store.ts';
import type { EventDraft } from '#schema/event.ts';
import { openBench } from '#test/support/engine-bench.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, megabytes, renderTable, seconds } from './table.ts';

export const engine: Part = {
  name: 'engine',
  summary: 'a durable step, a big log, many tasks at once; CPU of our own process',
  run: runEngine,
};

async function runEngine({ full }: BenchOptions): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const rows = [
      ...(await stepOverhead(root)),
      ...(await bigLog(root, 100_000)),
      ...(await manyTasks(root, full ? 1000 : 100)),
    ];
    return renderTable(['', 'measured', 'limit', 'verdict'], rows);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Row = readonly [label: string, measured: string, limit: string, verdict: string];

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

function milliseconds(ms: number): string {
  return `${ms.toFixed(2)} ms`;
}

async function stepOverhead(root: string): Promise<Row[]> {
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
  const own = (steps.cpuMs - bare.cpuMs) / count;
  return [
    ['one durable step, beside the bare commit', milliseconds(own), '10 ms', judge(own <= 10)],
    ['  one bare commit of SQLite with fsync', milliseconds(bare.cpuMs / count), '', ''],
  ];
}

async function manyTasks(root: string, count: number): Promise<Row[]> {
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
  const marks: { done: number; cpuMs: number; rss: number }[] = [];
  let done = 0;
  const before = process.cpuUsage();
  const { wallMs, cpuMs, result } = await measure(() =>
    bench.drive(run, {
      observe: (events) => {
        for (const { type } of events) {
          if (type !== 'step.accepted' || ++done % Math.max(1, Math.floor(count / 4)) !== 0) continue;
          const { user, system } = process.cpuUsage(before);
          globalThis.gc?.();
          marks.push({ done, cpuMs: (user + system) / 1000, rss: process.memoryUsage().rss });
        }
      },
    }),
  );
  bench.close();
  const [first, before4, last] = [marks[0], marks.at(-2), marks.at(-1)];
  if (!first || !before4 || !last || result.status !== 'done') throw new Error(`the run is ${result.status}`);
  const early = first.cpuMs / first.done;
  const late = (last.cpuMs - before4.cpuMs) / (last.done - before4.done);
  return [
    [`${count} tasks, 50 at a time: CPU per task`, milliseconds(cpuMs / count), '', ''],
    [
      '  last quarter of them against the first',
      (late / early).toFixed(2),
      'at most 2',
      judge(late <= 2 * early),
    ],
    ['  wall clock', seconds(wallMs), '', ''],
    ['  memory after a quarter', megabytes(first.rss), '', ''],
    ['  memory at the end', megabytes(last.rss), '64 MB more', judge(last.rss - first.rss <= 64 * 2 ** 20)],
  ];
}

async function bigLog(root: string, count: number): Promise<Row[]> {
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
  return [
    [
      `resume of a run with ${resumed.result.toLocaleString('en')} events, reports included`,
      seconds(resumed.cpuMs),
      '2 s',
      judge(resumed.cpuMs <= 2000),
    ],
    ['  of which reading the log', seconds(folded.cpuMs), '', ''],
  ];
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
