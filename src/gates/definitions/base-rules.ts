import { configIn } from '#config/base-config.ts';
import { configFileNames } from '#config/find-config-file.ts';
import type { Config } from '#config/settings.ts';
import type { CommitFiles } from '#git/trees/files-at.ts';
import type { GateDefinitions } from '#schema/gates.ts';
import { agentFiles, gatesIn } from './definitions.ts';
import { readTestSources, sourceFiles } from './test-sources.ts';

export interface BaseRules {
  readonly config: Config;
  readonly gates: GateDefinitions;
}

/** Only the settings, for what needs no gates: a section that cannot be read does not stop it. */
export async function readBaseConfig(commit: string, { read }: CommitFiles): Promise<Config> {
  return configIn(await read(configFileNames), commit);
}

/**
 * The settings and gates of a project in a commit. What decides about an agent's work is never read from the tree it can
 * write, or from variables it could set.
 */
export async function readBaseRules(commit: string, { read, list }: CommitFiles): Promise<BaseRules> {
  const paths = await list();
  const files = await read([...agentFiles, ...configFileNames, ...sourceFiles(paths)]);
  const config = configIn(files, commit);
  return { config, gates: gatesIn(files, commit, config, readTestSources({ texts: files, paths })) };
}
