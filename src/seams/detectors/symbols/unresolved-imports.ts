import type { Problem } from '../../../code/problem.ts';
import { symbolId } from '../../../model/identity.ts';
import type { DiagnosedProblem } from '../../diagnosis.ts';
import { assembleFindings } from '../../findings.ts';
import type { FoundIn, SeamContext } from '../../seam-context.ts';
import type { Side } from '../../side.ts';
import type { FullUnion } from '../../unions.ts';

/** S21: imports that a branch adds and that stay unresolved even in the union. A problem of one branch: never blocks. */
export async function unresolvedImports(
  context: SeamContext,
  sides: readonly Side[],
  full: FullUnion,
  blamed: ReadonlySet<string>,
): Promise<FoundIn[]> {
  const base = await context.trees.get(context.base.tree);
  const union = full.tree === null ? null : await context.trees.get(full.tree);
  const found: FoundIn[] = [];
  for (const [index, side] of sides.entries()) {
    const whole = union !== null && full.members.includes(index) ? union : side.tree;
    const suspects = [...side.changed.keys()].filter(
      (path) => importProblems(side.tree.linked(path)?.problems).length > 0,
    );
    await Promise.all([base.link(suspects), whole.link(suspects)]);
    const diagnosed = suspects.flatMap((path) => {
      const before = keys(base.linked(path)?.problems);
      const still = keys(whole.linked(path)?.problems);
      return importProblems(side.tree.linked(path)?.problems)
        .filter(({ key }) => !before.has(key) && still.has(key) && !blamed.has(key))
        .map((problem) => diagnosis(problem, side));
    });
    const assembled = await assembleFindings(diagnosed, {
      tree: whole.git.id,
      base: context.base.ref,
      radius: context.radius,
    });
    found.push(...assembled.map((entry) => ({ assembled: entry, union: null })));
  }
  return found;
}

function importProblems(problems: readonly Problem[] = []): Problem[] {
  return problems.filter(
    ({ kind, proven }) => (kind === 'module-missing' || kind === 'export-missing') && proven,
  );
}

function keys(problems: readonly Problem[] = []): Set<string> {
  return new Set(problems.map(({ key }) => key));
}

function diagnosis(problem: Problem, side: Side): DiagnosedProblem {
  const providerKey =
    problem.kind === 'module-missing' ? symbolId(problem.tried[0] ?? problem.provider, '') : problem.provider;
  return {
    problem,
    consumer: side,
    provider: side,
    diagnosis: {
      rule: 'S21',
      providerKey,
      confidence: 'proven',
      message: `${side.ref} imports what no branch provides: ${problem.statement}`,
      suggestion: 'add what is imported, or correct the import',
      fix: null,
      mechanical: { consumer: false, provider: false },
      owner: { ref: side.ref, reason: 'no other branch is involved' },
      provider: null,
    },
  };
}
