import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { scriptedDriver } from '#agents/drivers/scripted/scripted.ts';
import { reportOf } from '#crew/state/report.ts';
import { Scenario } from '#schema/scenario.ts';
import { openBench } from './engine-bench.ts';

/** A process that drives a run and kills or stops itself at a chosen point. Standard input: JSON of `ChildOrder`. */
export interface ChildOrder {
  readonly dir: string;
  readonly stateDir: string;
  readonly scenario: object;
  readonly plan?: object;
  readonly settings?: object;
  readonly run?: string;
  /** Sends SIGKILL to itself after this many points. */
  readonly crashAt?: number;
  /** Sends SIGSTOP to itself there instead. */
  readonly isPause?: boolean;
  readonly leaseMs?: number;
  readonly maxPages?: number;
  /** No attempt is played before this file exists. */
  readonly waitsFor?: string;
  /** File to which each played attempt is appended, independently of the engine's log. */
  readonly witness: string;
}

const order = JSON.parse(readFileSync(0, 'utf8')) as ChildOrder;
const points: string[] = [];

function probe(point: string): void {
  points.push(point);
  if (points.length !== order.crashAt) return;
  process.stdout.write(`${JSON.stringify({ reached: point })}\n`);
  process.kill(process.pid, order.isPause ? 'SIGSTOP' : 'SIGKILL');
}

const inner = scriptedDriver(Scenario.parse({ schema: 'joinery/scenario@1', ...order.scenario }), (action) =>
  probe(`play: after ${action}`),
);
const bench = await openBench(order, order.scenario, {
  probe,
  ...(order.leaseMs === undefined ? {} : { leaseMs: order.leaseMs }),
  ...(order.maxPages === undefined ? {} : { maxPages: order.maxPages }),
  driver: () => ({
    name: 'scripted',
    variables: [],
    play: async (request, doors) => {
      appendFileSync(order.witness, `begin ${request.task} ${request.attempt} ${request.round}\n`);
      while (order.waitsFor && !existsSync(order.waitsFor)) await wait(20);
      const end = await inner.play(request, doors);
      appendFileSync(order.witness, `end ${request.task} ${request.attempt} ${end.outcome}\n`);
      return end;
    },
  }),
});
try {
  const run = order.run ?? bench.start(order.plan ?? {}, order.settings);
  process.stdout.write(`${JSON.stringify({ run })}\n`);
  const state = await bench.drive(run, { holder: `child ${process.pid}` });
  process.stdout.write(`${JSON.stringify({ report: reportOf(run, state), points })}\n`);
} catch (error) {
  const { code, exitCode, message } = error as { code?: string; exitCode?: number; message: string };
  process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  process.exitCode = exitCode ?? 70;
} finally {
  bench.close();
}
