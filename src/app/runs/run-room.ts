import { rememberRepository } from '#app/workplace/remember-repository.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import type { Config } from '#config/settings.ts';
import { openRunStore, type RunStore } from '#crew/run-store.ts';
import { chooseRun, stateOfRun } from '#crew/state/catalogue.ts';
import type { RunState } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { withOwnCommand } from '#process/own-command.ts';
import { AgentConfig } from '#schema/agent.ts';
import type { RunSettings } from '#schema/run.ts';

/** What every command about runs works with. */
export interface RunRoom {
  readonly repository: Repository;
  readonly config: Config;
  readonly runs: RunStore;
  /** What a process needs that drives a run: most commands only read the log, and do not load it. */
  workshop(settings: Pick<RunSettings, 'scenario'>): Promise<Workshop>;
  state(run: string): RunState;
  /** The named run, or the newest one that qualifies. */
  choose(named: string | undefined, suits?: 'any' | 'unfinished'): string;
}

type Here = Pick<Surroundings, 'cwd' | 'env' | 'terminal'>;

/** Opens the run log of the repository for as long as `body` runs. */
export async function withRuns<T>(here: Here, body: (room: RunRoom) => Promise<T>): Promise<T> {
  const room = await openRuns(here);
  try {
    return await body(room);
  } finally {
    room.close();
  }
}

/** The same for servers, which keep it open. */
export async function openRuns({ cwd, env, terminal }: Here): Promise<RunRoom & { close(): void }> {
  const repository = await openRepository(cwd);
  const { values, warnings } = await loadConfig({ root: repository.workTree, env });
  for (const warning of warnings) terminal.warn(warning);
  const runs = openRunStore(repository, { env });
  if (runs.engine.store.repaired !== null) terminal.warn(runs.engine.store.repaired);
  rememberRepository(runs.folders.root, repository);
  return {
    repository,
    config: values,
    runs,
    async workshop({ scenario }) {
      const { workshopFor } = await import('#crew/workshop.ts');
      const { openDriver } = await import('#agents/open-driver.ts');
      return workshopFor(repository, runs, {
        provisioning: values.worktree,
        driver: (name) => openDriver(name, { scenario, agents: values.agents }),
        agentSettings: values,
        maxAgents: values.run.maxAgents,
        env: withOwnCommand(env, runs.folders.root),
      });
    },
    state: (run) => stateOfRun(runs.engine, run),
    choose: (named, suits = 'any') => chooseRun(runs.engine, named, suits),
    close: () => runs.close(),
  };
}

/** The workshop to drive the run here; null if another process drives it. */
export async function workshopToDrive(
  { runs, state, workshop }: RunRoom,
  run: string,
): Promise<Workshop | null> {
  return runs.engine.holder(run)?.isAlive ? null : workshop(state(run).settings);
}

/** Checked before anything starts: a missing agent must not cost a failed attempt. */
export function demandAgents({ driver, agentSettings }: Workshop, names: readonly string[]): void {
  for (const name of new Set(names))
    driver(name).demand?.(agentSettings.agents[name] ?? AgentConfig.parse({}));
}
