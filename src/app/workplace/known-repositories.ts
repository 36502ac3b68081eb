import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonFile } from '#lib/parse-json.ts';
import { RememberedRepository } from '#schema/known-repository.ts';
import { type Host, repoKey, stateRoot } from '#schema/paths.ts';
import { repositoryFile } from './remember-repository.ts';

/** A repository that Joinery has worked in and that still exists at its path. */
export interface KnownRepository {
  readonly key: string;
  readonly path: string;
  readonly commonDir: string;
  /** When its state was last written. */
  readonly at: number;
}

/** Every repository with a state folder, most recently used first. */
export function knownRepositories(host: Host): KnownRepository[] {
  const root = stateRoot(host);
  return foldersIn(root)
    .flatMap((key) => knownIn(join(root, key), key) ?? [])
    .toSorted((a, b) => b.at - a.at);
}

function knownIn(state: string, key: string): KnownRepository | null {
  const { data } = RememberedRepository.safeParse(parseJsonFile(repositoryFile(state)));
  // A state folder that was copied or renamed does not describe this repository.
  if (!data || repoKey(data.commonDir) !== key || !isFolder(data.path) || !isFolder(data.commonDir))
    return null;
  return { key, path: data.path, commonDir: data.commonDir, at: lastWrite(state) };
}

const written = ['runs.db-wal', 'runs.db', 'visits.jsonl', 'reports/last-check.json', 'repository.json'];

function lastWrite(state: string): number {
  return Math.max(
    ...written.map((name) => statSync(join(state, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}

function foldersIn(root: string): string[] {
  try {
    return readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Gone, without permission, or on a server that does not answer.
    return false;
  }
}
