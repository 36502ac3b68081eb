import { baseNameOf, directoryOf } from '#code/resolve/repository-path.ts';
import type { GitTree } from '#git/trees/tree.ts';

/** How a tool finds the next migration: by number, or by declared parent. */
export type MigrationTool = 'flyway' | 'rails' | 'golang-migrate' | 'django' | 'alembic' | 'numbered';

/** The slot of a migration: `{ folder: 'db/migrate', version: '20260101', tool: 'rails' }`. */
export interface Slot {
  readonly path: string;
  readonly folder: string;
  /** Equal for two files with the same slot; empty where the text decides. */
  readonly version: string;
  readonly tool: MigrationTool;
}

const byName: readonly (readonly [tool: MigrationTool, name: RegExp])[] = [
  ['flyway', /^V(?<version>\d+(?:[._]\d+)*)__.+\.(?:sql|java)$/],
  ['golang-migrate', /^(?<version>\d+)_.+\.up\.sql$/],
];
const byPath: readonly (readonly [tool: MigrationTool, path: RegExp])[] = [
  ['rails', /(?:^|\/)db\/migrate\/(?<version>\d+)_[^/]+\.rb$/],
  ['django', /(?:^|\/)migrations\/(?<version>\d{4})_[^/]+\.py$/],
  // The folder is searched backwards from the end: forwards each `versions/` would start a search of its own.
  ['alembic', /[^/]\.py$(?<=(?:^|\/)versions\/.*)(?<version>)/],
  // At most six digits: longer ones are timestamps, which two people hardly share.
  [
    'numbered',
    /(?:^|\/)(?:migrations?|migrate|drizzle)\/(?<version>\d{1,6})[_-][^/]+(?<!\.down)\.(?:sql|[cm]?[jt]s)$/,
  ],
];

/** Derived from the path alone; null when the file is not a migration of a known tool. */
export function slotOf(path: string): Slot | null {
  const name = baseNameOf(path);
  const found = matched(byName, name) ?? matched(byPath, path) ?? null;
  return found && { path, folder: folderOf(path, found.tool), ...found };
}

/** The slots of one tool in a folder of a tree. */
export function slotsIn(tree: GitTree, folder: string, tool: MigrationTool): Slot[] {
  const paths =
    tool === 'alembic'
      ? tree.matching(isInVersions).filter((path) => folderOf(path, tool) === folder)
      : tree.files(folder);
  return paths.flatMap((path) => slotOf(path) ?? []).filter((slot) => slot.tool === tool);
}

function isInVersions(path: string): boolean {
  return path.endsWith('.py') && /(?:^|\/)versions\//.test(path);
}

/** Alembic reads the folders below `versions/` as one. */
function folderOf(path: string, tool: MigrationTool): string {
  return tool === 'alembic'
    ? (/^(?:.*\/)?versions(?=\/)/.exec(path)?.[0] ?? directoryOf(path))
    : directoryOf(path);
}

function matched(
  patterns: readonly (readonly [MigrationTool, RegExp])[],
  text: string,
): { readonly version: string; readonly tool: MigrationTool } | undefined {
  for (const [tool, pattern] of patterns) {
    const version = pattern.exec(text)?.groups?.version;
    if (version !== undefined) return { tool, version: plainVersion(version) };
  }
  return undefined;
}

/** `01_2` and `1.2` are one version. */
function plainVersion(text: string): string {
  return text
    .split(/[._]/)
    .map((part) => part.replace(/^0+(?=\d)/, ''))
    .join('.');
}

/** Two branches that add migrations to one folder may use the same slot. */
export function slotKey(path: string): string | null {
  const slot = slotOf(path);
  return slot && `migrations in ${slot.folder}`;
}
