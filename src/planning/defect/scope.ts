import { isCovered } from '#schema/declared-files.ts';
import { isTestCode } from '#tests/code/test-path.ts';

export interface Scoped {
  readonly kept: readonly string[];
  readonly reverted: readonly string[];
}

/** Who reproduces a defect writes tests, new ones: what exists is not changed to fail. */
export function scopeOfReproduction(changed: readonly { path: string; isNew: boolean }[]): Scoped {
  return split(changed, ({ path, isNew }) => isNew && isTestCode(path));
}

const manifests =
  /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|pyproject\.toml|uv\.lock|poetry\.lock|requirements[^/]*\.txt|Cargo\.(toml|lock)|go\.(mod|sum))$/;

/** Who fixes a defect changes the files that were named, and what dependencies and new tests need besides. */
export function scopeOfFix(
  changed: readonly { path: string; isNew: boolean }[],
  affected: readonly string[],
): Scoped {
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
