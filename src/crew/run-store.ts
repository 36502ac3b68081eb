import { LocalEngine, type LocalEngineOptions } from '#durable/local-engine.ts';
import { type StateFolder, stateFolder } from '#durable/state-folder.ts';
import { openStore, type StoreOptions } from '#durable/store.ts';
import type { Repository } from '#git/call/repository.ts';

/** The logs of the runs of a repository. */
export interface RunStore {
  readonly folders: StateFolder;
  readonly engine: LocalEngine;
  close(): void;
}

export function openRunStore(
  repository: Repository,
  options: LocalEngineOptions & StoreOptions & { readonly env?: NodeJS.ProcessEnv } = {},
): RunStore {
  const folders = stateFolder(repository.commonDir, options.env ?? process.env);
  const store = openStore(folders.database, options);
  return { folders, engine: new LocalEngine(store, options), close: () => store.close() };
}
