import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { AgentDriver } from '#agents/driver.ts';
import type { LocalEngineOptions } from '#durable/local-engine.ts';
import { claimPorts, releasePorts } from '#durable/ports.ts';
import { AgentSlots } from '#durable/slots.ts';
import type { StateFolder } from '#durable/state-folder.ts';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { Semaphore } from '#lib/semaphore.ts';
import { type AgentSettings, noAgentSettings } from '#schema/agent.ts';
import type { EnginePort } from '#schema/durable-port.ts';
import type { Provisioning } from '#schema/provisioning.ts';
import type { RunStore } from './run-store.ts';
import { isRunOver } from './state/catalogue.ts';

/** Everything outside the log that a run works with. */
export interface Workshop {
  readonly engine: EnginePort;
  readonly repository: Repository;
  /** Writes that must last, in the repository's own git directory. */
  readonly git: Git;
  readonly folders: StateFolder;
  readonly provisioning: Provisioning;
  readonly env: NodeJS.ProcessEnv;
  driver(name: string): AgentDriver;
  readonly agentSettings: AgentSettings;
  /** Waits for a free agent slot on this machine; returns the function that releases it. */
  takePlace(what: string, signal: AbortSignal, onWait: () => void): Promise<() => void>;
  claimPorts(run: string, task: string): [number, number];
  releasePorts(run: string, task?: string): void;
  isOver(run: string): boolean;
  /** What was lost when a damaged run log was opened; null for a healthy one. */
  readonly repaired: string | null;
  /** One merge at a time: concurrent ones would invalidate each other's view of the branch. */
  readonly merging: Semaphore;
  /** Called in the middle of side effects, so that tests can crash there. */
  probe(point: string): void;
  readonly now: () => number;
}

export interface WorkshopOptions extends LocalEngineOptions {
  readonly provisioning: Provisioning;
  readonly driver: (name: string) => AgentDriver;
  readonly agentSettings?: AgentSettings;
  /** Limit of running agents over all repositories of this state folder; default: unlimited. */
  readonly maxAgents?: number;
  readonly env?: NodeJS.ProcessEnv;
}

export function workshopFor(repository: Repository, runs: RunStore, options: WorkshopOptions): Workshop {
  const { store } = runs.engine;
  const hash = createHash('sha256').update(repository.commonDir).digest().readUInt32BE(0);
  return {
    engine: runs.engine,
    repository,
    git: new Git({ cwd: repository.commonDir, isDurable: true }),
    folders: runs.folders,
    provisioning: options.provisioning,
    env: options.env ?? process.env,
    driver: options.driver,
    agentSettings: options.agentSettings ?? noAgentSettings,
    takePlace: places(runs.folders, options.maxAgents),
    claimPorts: (run, task) => claimPorts(store, run, task, hash),
    releasePorts: (run, task) => releasePorts(store, run, task),
    isOver: (run) => isRunOver(runs.engine, run),
    repaired: store.repaired,
    merging: new Semaphore(1),
    probe: options.probe ?? (() => {}),
    now: options.now ?? Date.now,
  };
}

function places(folders: StateFolder, most: number | undefined): Workshop['takePlace'] {
  if (most === undefined) return async () => () => {};
  let slots: AgentSlots | null = null;
  return (what, signal, onWait) => {
    slots ??= new AgentSlots(join(dirname(folders.root), 'agents.db'), most);
    return slots.take(what, signal, onWait);
  };
}
