import { isCovered } from '#schema/declared-files.ts';
import { isTestCode } from '#tests/code/test-path.ts';

export interface Scoped {
  readonly kept: readonly string[];
  readonly reverted: readonly string[];
}

/** The files that a fix may change. Plain data. */
export type WorkScope =
  | { readonly kind: 'reproduction' }
  | { readonly kind: 'fix'; readonly affected: readonly string[] };

interface ChangedPath {
  readonly path: string;
  readonly isNew: boolean;
}

/** Splits a change into what is in scope and what is left out. */
export function scopeChanges(scope: WorkScope, changed: readonly ChangedPath[]): Scoped {
  return scope.kind === 'reproduction' ? scopeOfReproduction(changed) : scopeOfFix(changed, scope.affected);
}

/** A reproduction adds new tests; existing files must not be changed to fail. */
function scopeOfReproduction(changed: readonly ChangedPath[]): Scoped {
  return split(changed, ({ path, isNew }) => isNew && isTestCode(path));
}

const manifests =
  /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|pyproject\.toml|uv\.lock|poetry\.lock|requirements[^/]*\.txt|Cargo\.(toml|lock)|go\.(mod|sum))$/;

/** A fix changes the named files, plus what dependencies and new tests need. */
function scopeOfFix(changed: readonly ChangedPath[], affected: readonly string[]): Scoped {
  return split(
    changed,
    ({ path, isNew }) => isCovered(affected, path) || manifests.test(path) || (isNew && isTestCode(path)),
  );
}

function split<T extends { path: string }>(changed: readonly T[], isKept: (change: T) => boolean): Scoped {
  return {
    kept: changed.filter(isKept).map(({ path }) => path),
    reverted: changed.filter((change) => !isKept(change)).map(({ path }) => path),
  };
}
