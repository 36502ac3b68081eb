import { isAbsolute, join } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import { rememberRepository } from '#app/workplace/remember-repository.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import type { Config } from '#config/settings.ts';
import { type StateFolder, stateFolder } from '#durable/state-folder.ts';
import { openStore, type Store } from '#durable/store.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import type { CompiledStep } from '#schema/compiled-workflow.ts';
import { userConfigDir } from '#schema/paths.ts';
import type { CheckOutcome } from '#schema/workflow-run.ts';
import { bundledFolder, type Catalogue, openCatalogue } from '#workflow/catalogue/find-workflows.ts';
import { openKeyring } from '#workflow/engine/keyring.ts';
import { WorkflowLog } from '#workflow/engine/log.ts';
import { WorkflowEngine } from '#workflow/engine/workflow-engine.ts';

type Here = Pick<Surroundings, 'cwd' | 'env' | 'terminal'>;

/** What commands about workflow files work with; needs no repository. */
export interface CatalogueRoom {
  readonly catalogue: Catalogue;
  /** Reads the files again: a room that stays open would miss later edits. */
  readCatalogue(): Catalogue;
  readonly config: Config;
  /** Top of the working tree, else the folder itself. */
  readonly workspace: string;
  readonly repository: Repository | null;
}

export async function openCatalogueRoom({ cwd, env, terminal }: Here): Promise<CatalogueRoom> {
  const repository = await openRepository(cwd).catch(() => null);
  const workspace = repository?.workTree ?? cwd;
  const { values, warnings } = await loadConfig({ root: workspace, env });
  for (const warning of warnings) terminal.warn(warning);
  const extra = values.workflows.folders.map((path) => (isAbsolute(path) ? path : join(workspace, path)));
  const read = () =>
    openCatalogue({
      workspace,
      folders: [
        { kind: 'project', path: join(workspace, '.joinery', 'workflows') },
        { kind: 'user', path: join(userConfigDir(thisHost(env)), 'workflows') },
        ...extra.map((path) => ({ kind: 'extra' as const, path })),
        { kind: 'bundled', path: bundledFolder },
      ],
    });
  return { catalogue: read(), readCatalogue: read, config: values, workspace, repository };
}

/** What commands about runs of workflows work with. */
export interface WorkflowRoom extends CatalogueRoom {
  readonly repository: Repository;
  readonly log: WorkflowLog;
  readonly engine: WorkflowEngine;
  /** A separate engine for a run that is driven here, with the lease of its log; `cwd`: where its checks run. */
  engineFor(log: WorkflowLog, cwd?: string): WorkflowEngine;
  readonly folders: StateFolder;
  readonly keyFile: string;
}

/** Opens the log of the repository for as long as `body` runs. */
export async function withWorkflows<T>(
  here: Surroundings,
  body: (room: WorkflowRoom) => Promise<T>,
): Promise<T> {
  const room = await openWorkflowRoom(here);
  try {
    return await body(room);
  } finally {
    room.close();
  }
}

/** The same for servers, which keep it open. */
export async function openWorkflowRoom(here: Surroundings): Promise<WorkflowRoom & { close(): void }> {
  // Opened first and alone, because outside a repository git's own message is the best one.
  const repository = await openRepository(here.cwd);
  const folders = stateFolder(repository.commonDir, here.env);
  rememberRepository(folders.root, repository);
  const store = openStore(folders.database);
  if (store.repaired !== null) here.terminal.warn(store.repaired);
  // Loaded on demand: few workflows have check steps, and the code behind them is large.
  const runCheck: RunCheck = async (step, signal, cwd = here.cwd) =>
    (await import('./run-check.ts')).runCheckHere({ ...here, cwd }, step, signal);
  return { ...(await workflowRoomOn(here, repository, store, runCheck)), close: () => store.close() };
}

type RunCheck = (step: CompiledStep, signal: AbortSignal, cwd?: string) => Promise<CheckOutcome>;

/** The same on a log that is already open. */
export async function workflowRoomOn(
  here: Here,
  repository: Repository,
  store: Store,
  runCheck: RunCheck,
): Promise<WorkflowRoom> {
  const room = await openCatalogueRoom(here);
  const folders = stateFolder(repository.commonDir, here.env);
  const keyFile = join(folders.root, 'workflow-keys.json');
  const keys = openKeyring(keyFile);
  const engineFor = (log: WorkflowLog, cwd?: string) =>
    new WorkflowEngine({
      log,
      keys,
      runCheck: (step, signal) => runCheck(step, signal, cwd),
      bindingsNow: room.catalogue.bindings,
    });
  const log = new WorkflowLog(store);
  const engine = engineFor(log);
  return { ...room, repository, log, engine, engineFor, folders, keyFile };
}
