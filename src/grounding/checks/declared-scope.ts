import type { Change } from '#grounding/change/change.ts';
import { covers, isCovered } from '#schema/declared-files.ts';
import { isTestCode, isTestFile } from '#tests/code/test-path.ts';
import { isTestFor } from '#tests/code/tests-for.ts';
import { checked, type GroundingCheck, skipped, type Trouble } from './check.ts';

const exits =
  'revert it, amend the declaration with a reason ("amends" in the handoff), or say that you are blocked';

/** Work stays inside its declaration. A file of another unfinished task must never change. */
export const declaredScope: GroundingCheck = {
  name: 'declared-scope',
  severity: 'blocking',
  check(change) {
    const { declared, policy } = change;
    if (declared === null || declared.length === 0) return skipped('no files are declared');
    const outside = [...new Set(change.files.flatMap(({ path, oldPath }) => [oldPath, path]))].filter(
      (path) => !isExpected(change, declared, path),
    );
    const owners = outside.map((path) => ownerOf(change, path));
    const undeclared = owners.filter((owner) => owner === null).length;
    return checked(
      outside.map((path, index): Trouble => {
        const owner = owners[index] ?? null;
        if (owner === null) {
          const isLesser = undeclared <= policy.undeclared;
          return {
            key: path,
            file: path,
            message: `${path} was changed and is not declared`,
            hint: exits,
            isLesser,
          };
        }
        return {
          key: `${path} of ${owner}`,
          file: path,
          owner,
          message: `${path} belongs to task ${owner}, which is not finished`,
          hint: 'revert it, or say that you are blocked: a file of another task cannot be added to yours',
          isLesser: isTestCode(path),
        };
      }),
    );
  },
};

/** Declared, granted, or implied by a declared file: its test, the lock file of its manifest. */
function isExpected({ granted, policy }: Change, declared: readonly string[], path: string): boolean {
  const all = [...declared, ...granted];
  if (isCovered(all, path)) return true;
  if (isTestFile(path) && all.some((source) => isTestFor(path, source, policy))) return true;
  const manifest = manifestOf(path);
  return manifest !== null && isCovered(all, manifest);
}

function manifestOf(path: string): string | null {
  const at = path.lastIndexOf('/') + 1;
  const manifest = manifests[path.slice(at)];
  return manifest === undefined ? null : path.slice(0, at) + manifest;
}

const manifests: Readonly<Record<string, string>> = {
  'package-lock.json': 'package.json',
  'npm-shrinkwrap.json': 'package.json',
  'yarn.lock': 'package.json',
  'pnpm-lock.yaml': 'package.json',
  'bun.lock': 'package.json',
  'poetry.lock': 'pyproject.toml',
  'uv.lock': 'pyproject.toml',
  'pdm.lock': 'pyproject.toml',
  'Pipfile.lock': 'Pipfile',
  'Cargo.lock': 'Cargo.toml',
  'go.sum': 'go.mod',
  'Gemfile.lock': 'Gemfile',
  'composer.lock': 'composer.json',
};

function ownerOf({ others }: Change, path: string): string | null {
  const owner = others.find(
    ({ files, isFinished }) => !isFinished && files.some((file) => covers(file, path)),
  );
  return owner?.id ?? null;
}
