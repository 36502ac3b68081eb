import type { Problem } from '#code/link/problem.ts';
import { checked, type GroundingCheck } from './check.ts';

/** Imports that lead nowhere and that the base did not have: added by this change, or broken by it. */
export const importsResolve: GroundingCheck = {
  name: 'imports-resolve',
  severity: 'blocking',
  check({ imports, files }) {
    const known = new Set(imports.before.map(identityOf));
    // A file that is deleted and ignored in one go is generated from now on.
    const mayBeGenerated = files.some(({ path }) => /(^|\/)\.gitignore$/.test(path));
    const broken = imports.after.filter((problem) => !known.has(identityOf(problem)));
    const outcome = checked(
      broken.map((problem) => ({
        key: identityOf(problem),
        file: problem.file,
        ...(problem.sites[0] ? { line: problem.sites[0].line } : {}),
        message: `${problem.file}: ${problem.statement}`,
        hint: 'import what exists, or add what is missing',
        isLesser: !problem.proven || mayBeGenerated,
      })),
    );
    return { ...outcome, unknown: imports.unknown };
  },
};

function identityOf({ kind, file, provider }: Problem): string {
  return `${kind} ${file} ${provider}`;
}
