import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import type { Member } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { FullUnion } from '#check/unions/unions.ts';
import { oncePerCause, type SharedCause } from './one-cause.ts';
import { ImportsOfBase, isExpectedToMiss } from './unresolved-by-design.ts';

type Keys = Member['links']['missingImports'];

/** S21: imports that a branch adds and that stay unresolved even in the union. A problem of one branch: never blocks. */
export async function unresolvedImports(
  context: CheckContext,
  sides: readonly Member[],
  full: FullUnion,
  { blamed, suspects }: { readonly blamed: ReadonlySet<string>; readonly suspects: ReadonlySet<string> },
): Promise<FoundIn[]> {
  const base = await context.links.get(context.base.tree, context.base.ref);
  const union = full.tree === null ? null : await context.links.get(full.tree, '');
  const members = new Set(full.members);
  const found: FoundIn[] = [];
  /** What was told of one branch is not told of those that build on it. */
  const told = new Set<string>();
  const imports = new ImportsOfBase(context, base);
  for (const [index, side] of smallestFirst(sides)) {
    const whole = union !== null && members.has(index) ? union : side.tree;
    const missing = side.links.missingImports;
    const paths = missing.map(([path]) => path);
    await Promise.all([base.link(paths), whole.link(paths.filter((path) => suspects.has(path)))]);
    const open = missing.map(([path, keys]) => {
      const before = new Set(base.problemKeys(path));
      const still = new Set(suspects.has(path) ? whole.problemKeys(path) : keys);
      const isOpen = (key: string) =>
        !before.has(key) && still.has(key) && !blamed.has(key) && !told.has(key);
      return [path, keys.filter(isOpen)] as const;
    });
    if (open.every(([, keys]) => keys.length === 0)) continue;
    for (const key of open.flatMap(([, keys]) => keys)) told.add(key);
    found.push(...(await show(context, side, open, whole.git.id, imports)));
  }
  return found;
}

/** Of stacked branches the lowest has fewest changes. */
function smallestFirst(sides: readonly Member[]): (readonly [index: number, side: Member])[] {
  return [...sides.entries()].sort(([, a], [, b]) => a.changes.length - b.changes.length);
}

/** What such a finding says follows from its branch; only the tree in which it was seen changes with the others. */
async function show(
  { base, outcomes, pythonRoots, radius, workspace }: CheckContext,
  side: Member,
  open: Keys,
  tree: string,
  imports: ImportsOfBase,
): Promise<FoundIn[]> {
  const question = [
    'unresolved',
    base.ref,
    base.tree,
    side.ref,
    side.commit,
    side.tree.git.id,
    pythonRoots,
    open,
  ];
  const known = outcomes.read([question])[0] as FoundIn[] | undefined;
  const shown = { tree, base: base.ref, radius };
  const found =
    known ??
    (await showFindings(
      await assembleFindings(await diagnosed(side, open, imports), shown),
      null,
      workspace.objects,
    ));
  if (!known) outcomes.remember(question, found);
  return found.map(({ assembled, ...rest }) => {
    const { finding } = assembled;
    const witness = { ...finding.witness, unionTree: tree };
    return { ...rest, assembled: { ...assembled, finding: { ...finding, witness } } };
  });
}

async function diagnosed(side: Member, open: Keys, imports: ImportsOfBase): Promise<DiagnosedProblem[]> {
  await side.tree.link(open.map(([path]) => path));
  const problems = open.flatMap(([path, keys]) =>
    (side.tree.linked(path)?.problems ?? []).filter(
      (problem) => keys.includes(problem.key) && !isExpectedToMiss(problem, side.tree.git),
    ),
  );
  const unknownToBase = await imports.withoutThoseOfBase(problems, side);
  return oncePerCause(unknownToBase, side.tree.git).map((shared) => diagnosis(shared, side));
}

function diagnosis({ problem, providerKey, statement }: SharedCause, side: Member): DiagnosedProblem {
  return {
    problem,
    consumer: side,
    provider: side,
    diagnosis: {
      rule: 'S21',
      providerKey,
      confidence: 'proven',
      message: `${side.ref} imports what no branch provides: ${statement}`,
      suggestion: 'add what is imported, or correct the import',
      fix: null,
      mechanical: { consumer: false, provider: false },
      owner: { ref: side.ref, reason: 'no other branch is involved' },
      provider: null,
    },
  };
}
