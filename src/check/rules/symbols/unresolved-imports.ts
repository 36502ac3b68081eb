import type { FoundIn, SeamContext } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import type { Outline } from '#check/members/side.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { FullUnion } from '#check/unions/unions.ts';
import type { Problem } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';

/** S21: imports that a branch adds and that stay unresolved even in the union. A problem of one branch: never blocks. */
export async function unresolvedImports(
  context: SeamContext,
  sides: readonly Outline[],
  full: FullUnion,
  { blamed, suspects }: { readonly blamed: ReadonlySet<string>; readonly suspects: ReadonlySet<string> },
): Promise<FoundIn[]> {
  const base = await context.links.get(context.base.tree, context.base.ref);
  const union = full.tree === null ? null : await context.links.get(full.tree, '');
  const members = new Set(full.members);
  const found: FoundIn[] = [];
  for (const [index, side] of sides.entries()) {
    const whole = union !== null && members.has(index) ? union : side.tree;
    const missing = side.links.missingImports;
    const paths = missing.map(([path]) => path);
    await Promise.all([base.link(paths), whole.link(paths.filter((path) => suspects.has(path)))]);
    const open = missing.map(([path, keys]) => {
      const before = new Set(base.problemKeys(path));
      const still = new Set(suspects.has(path) ? whole.problemKeys(path) : keys);
      return [path, keys.filter((key) => !before.has(key) && still.has(key) && !blamed.has(key))] as const;
    });
    if (open.some(([, keys]) => keys.length > 0))
      found.push(...(await show(context, side, open, whole.git.id)));
  }
  return found;
}

/** What such a finding says follows from its branch; only the tree in which it was seen changes with the others. */
async function show(
  { base, outcomes, pythonRoots, radius, workspace }: SeamContext,
  side: Outline,
  open: Outline['links']['missingImports'],
  tree: string,
): Promise<FoundIn[]> {
  const question = ['unresolved', base.ref, side.ref, side.commit, side.tree.git.id, pythonRoots, open];
  const known = outcomes.read([question])[0] as FoundIn[] | undefined;
  const shown = { tree, base: base.ref, radius };
  const found =
    known ??
    (await showFindings(await assembleFindings(await diagnosed(side, open), shown), null, workspace.objects));
  if (!known) outcomes.remember(question, found);
  return found.map(({ assembled, ...rest }) => {
    const { finding } = assembled;
    const witness = { ...finding.witness, unionTree: tree };
    return { ...rest, assembled: { ...assembled, finding: { ...finding, witness } } };
  });
}

async function diagnosed(
  side: Outline,
  open: Outline['links']['missingImports'],
): Promise<DiagnosedProblem[]> {
  await side.tree.link(open.map(([path]) => path));
  return open.flatMap(([path, keys]) =>
    (side.tree.linked(path)?.problems ?? [])
      .filter(({ key }) => keys.includes(key))
      .map((problem) => diagnosis(problem, side)),
  );
}

function diagnosis(problem: Problem, side: Outline): DiagnosedProblem {
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
