import { dirname, join } from 'node:path';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { Repository } from '#git/call/repository.ts';
import {
  applyInsert,
  applyRemove,
  planInsert,
  planRemove,
  type SettingsEntry,
} from './agent-settings/edit-settings.ts';

/** Adds an entry to the settings of another program or removes it, and returns the text before and after. */
export function changeSettings(
  env: Surroundings['env'],
  repository: Repository,
  entry: SettingsEntry,
  action: 'install' | 'uninstall',
  isDryRun: boolean,
) {
  const ledger = join(dirname(stateOf(env, repository.commonDir)), 'settings-ledger.json');
  const change = action === 'install' ? planInsert(entry) : planRemove(entry, ledger);
  if (!isDryRun) {
    if (action === 'install') applyInsert(entry, change, ledger);
    else applyRemove(entry, change, ledger);
  }
  const isChanged = change.before !== change.after;
  return { ...change, isChanged, isDone: isChanged && !isDryRun };
}
