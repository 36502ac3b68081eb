import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { openDriver } from '#agents/open-driver.ts';
import { landPhase } from '#app/runs/land-phase.ts';
import { planPhase } from '#app/runs/plan-phase.ts';
import { configDefaults } from '#config/defaults.ts';
import { createRun, driveRun } from '#crew/run-plan.ts';
import { openRunStore } from '#crew/run-store.ts';
import { workshopFor } from '#crew/workshop.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Plan } from '#schema/plan.ts';
import { Provisioning } from '#schema/provisioning.ts';
import { defaultSettings } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';

/**
 * A process that continues a run from a spec and kills itself at the first boundary of planning, integrating and landing that
 * no process before it has reached. Standard input: JSON of `StoryOrder`.
 */
export interface StoryOrder {
  readonly dir: string;
  readonly stateDir: string;
  /** The spec to plan first; null with a plan. */
  readonly spec: string | null;
  readonly plan?: Plan;
  readonly scenario: object;
  readonly run: string;
  /** File with every boundary that was reached, one per line. */
  readonly log: string;
  /** The only boundary at which it kills itself, the first time it is reached; default: every one of them. */
  readonly killAt?: string;
}

const order = JSON.parse(readFileSync(0, 'utf8')) as StoryOrder;
const seen = new Set(existsSync(order.log) ? readFileSync(order.log, 'utf8').split('\n') : []);

function probe(point: string): void {
  if (order.plan === undefined && !/^(plan|verify|consult|integrate|land)\b/.test(point)) return;
  appendFileSync(order.log, `${point}\n`);
  if (!seen.has(point) && (order.killAt ?? point) === point) process.kill(process.pid, 'SIGKILL');
}

const env = {
  ...process.env,
  JOINERY_STATE_DIR: order.stateDir,
  JOINERY_CACHE_DIR: `${order.stateDir}-cache`,
};
const scenario = Scenario.parse(order.scenario);
const repository = await openRepository(order.dir);
const runs = openRunStore(repository, { env, probe });
const workshop = workshopFor(repository, runs, {
  provisioning: Provisioning.parse({}),
  driver: (name) => openDriver(name, { scenario, agents: {} }),
  env,
  probe,
});
const settings = {
  ...defaultSettings,
  scenario,
  land: 'always',
  mayUpdateCheckout: true,
  unproven: 'person:test',
} as const;
const base = (await repository.git.text(['rev-parse', 'HEAD'])).trim();
createRun(
  workshop,
  {
    plan: order.plan ?? { schema: 'joinery/plan@1', tasks: [] },
    ...(order.spec === null ? {} : { spec: { path: order.spec, sha256: '' } }),
    target: 'main',
    base,
    baseRef: 'main',
    settings,
  },
  order.run,
);
const here = { env, terminal: { warn() {}, progress() {} }, onInterrupt: () => () => {} };
const room = { repository, runs, config: configDefaults };
const state = await driveRun(workshop, order.run, {
  stop: new AbortController().signal,
  holder: `child ${process.pid}`,
  phases: { plan: planPhase(here, room), land: landPhase(here, room, null, probe) },
});
process.stdout.write(JSON.stringify({ status: state.status, reason: state.reason, landed: state.landed }));
runs.close();
