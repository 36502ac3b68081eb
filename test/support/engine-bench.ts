import { scriptedDriver } from '#agents/drivers/scripted/scripted.ts';
import { createRun, driveRun, type RunControl } from '#crew/run-plan.ts';
import { openRunStore, type RunStore } from '#crew/run-store.ts';
import type { RunState } from '#crew/state/state.ts';
import { type Workshop, type WorkshopOptions, workshopFor } from '#crew/workshop.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { Plan } from '#schema/plan.ts';
import { Provisioning } from '#schema/provisioning.ts';
import { defaultSettings, type RunSettings } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';

/** Where an engine is opened: a repository and a state folder. Loads without a test runner, for child processes. */
export interface Place {
  readonly dir: string;
  readonly stateDir: string;
}

export interface Bench {
  readonly repository: Repository;
  readonly runs: RunStore;
  readonly workshop: Workshop;
  start(plan: unknown, settings?: Partial<RunSettings>): string;
  drive(run: string, control?: Partial<RunControl>): Promise<RunState>;
  close(): void;
}

/** The engine on a repository with a scripted crew, built as by the command line. */
export async function openBench(
  repo: Place,
  scenario: unknown,
  options: Partial<WorkshopOptions> & { maxPages?: number; afterAction?: (action: string) => void } = {},
): Promise<Bench> {
  const env = {
    ...process.env,
    JOINERY_STATE_DIR: repo.stateDir,
    JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
  };
  const repository = await openRepository(repo.dir);
  const runs = openRunStore(repository, { ...options, env });
  const driver = scriptedDriver(
    Scenario.parse({ schema: 'joinery/scenario@1', ...(scenario as object) }),
    options.afterAction,
  );
  const workshop = workshopFor(repository, runs, {
    provisioning: Provisioning.parse({}),
    driver: () => driver,
    env,
    ...options,
  });
  const head = (await repository.git.text(['rev-parse', 'HEAD'])).trim();
  return {
    repository,
    runs,
    workshop,
    start: (plan, settings) =>
      createRun(workshop, {
        plan: Plan.parse({ schema: 'joinery/plan@1', ...(plan as object) }),
        base: head,
        baseRef: 'main',
        settings: { ...defaultSettings, ...settings },
      }),
    drive: (run, control) =>
      driveRun(workshop, run, { stop: new AbortController().signal, holder: 'test', ...control }),
    close: () => runs.close(),
  };
}

export function task(id: string, more: object = {}): object {
  return { id, title: `Task ${id}`, ...more };
}

export function writes(taskId: string, path: string, content = `${taskId}\n`, more: object = {}): object {
  return { task: taskId, do: [{ write: { path, content } }], ...more };
}
