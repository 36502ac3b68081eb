import type { Problem } from '#code/link/problem.ts';
import type { Change } from '#grounding/change/change.ts';
import { isCovered } from '#schema/declared-files.ts';
import { checked, type GroundingCheck } from './check.ts';

/** Unresolved imports that the base did not have: added by this change, or broken by it. */
export const importsResolve: GroundingCheck = {
  name: 'imports-resolve',
  severity: 'blocking',
  check({ imports, files, others }) {
    const known = new Set(imports.before.map(identityOf));
    // A file that is deleted and ignored in one change is generated from now on.
    const mayBeGenerated = files.some(({ path }) => /(^|\/)\.gitignore$/.test(path));
    const broken = imports.after.filter((problem) => !known.has(identityOf(problem)));
    const promised = broken.flatMap((problem) => {
      const provider = providerOf(problem, others);
      return provider === null ? [] : [{ problem, provider }];
    });
    const names = promised.map(({ problem, provider }) => `${problem.provider} of task ${provider}`);
    const detail =
      names.length === 0
        ? ''
        : `decided together with other tasks of the plan: ${[...new Set(names)].join(', ')}`;
    const missing = broken.filter((problem) => !promised.some((each) => each.problem === problem));
    const outcome = checked(
      missing.map((problem) => ({
        key: identityOf(problem),
        file: problem.file,
        ...(problem.sites[0] ? { line: problem.sites[0].line } : {}),
        message: `${problem.file}: ${problem.statement}`,
        hint: 'import what exists, or add what is missing',
        isLesser: !problem.proven || mayBeGenerated,
      })),
      detail,
    );
    return { ...outcome, unknown: imports.unknown };
  },
};

/** Tasks that this work imports from and whose files do not exist yet. */
export function importedTasks({ imports, others }: Pick<Change, 'imports' | 'others'>): string[] {
  const known = new Set(imports.before.map(identityOf));
  const broken = imports.after.filter((problem) => !known.has(identityOf(problem)));
  return [...new Set(broken.flatMap((problem) => providerOf(problem, others) ?? []))];
}

/** The task that declares the target of an import; null if none does. */
function providerOf({ kind, provider, tried }: Problem, others: Change['others']): string | null {
  const [path = ''] = provider.split('#');
  const paths = kind === 'module-missing' ? tried : [path];
  const found = others.find(
    ({ isProvider, files }) => isProvider && paths.some((each) => isCovered(files, each)),
  );
  return found?.id ?? null;
}

function identityOf({ kind, file, provider }: Problem): string {
  return `${kind} ${file} ${provider}`;
}
