import type { Question } from '#check/cache/outcome-store.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import type { Member } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { FullUnion } from '#check/unions/unions.ts';
import type { Problem } from '#code/link/problem.ts';
import { oncePerCause, type SharedCause } from './one-cause.ts';
import { ImportsOfBase, isExpectedToMiss } from './unresolved-by-design.ts';

/** Imports of a branch that nothing in base or in the union explains. */
interface OpenImports {
  readonly side: Member;
  /** By file: the keys of the problems. */
  readonly keys: Member['links']['missingImports'];
  /** The tree in which they were searched last. */
  readonly tree: string;
}

/** Diagnoses imports that have one cause. */
type DiagnoseImport = (imported: SharedCause, side: Member) => DiagnosedProblem[];

/** Imports that a branch adds and that stay unresolved even in the union. A problem of one branch: never blocks. */
export async function unresolvedImports(
  context: CheckContext,
  sides: readonly Member[],
  full: FullUnion,
  { blamed, suspects }: { readonly blamed: ReadonlySet<string>; readonly suspects: ReadonlySet<string> },
  diagnose: DiagnoseImport,
): Promise<FoundIn[]> {
  const base = await context.links.get(context.base.tree, context.base.ref);
  const union = full.tree === null ? null : await context.links.get(full.tree, '');
  const members = new Set(full.members);
  const open: OpenImports[] = [];
  /** An import reported for one branch is not reported for branches built on it. */
  const told = new Set<string>();
  for (const [index, side] of smallestFirst(sides)) {
    const whole = union !== null && members.has(index) ? union : side.tree;
    const missing = side.links.missingImports;
    const paths = missing.map(([path]) => path);
    await Promise.all([base.link(paths), whole.link(paths.filter((path) => suspects.has(path)))]);
    const keys = missing.map(([path, keys]) => {
      const before = new Set(base.problemKeys(path));
      const still = new Set(suspects.has(path) ? whole.problemKeys(path) : keys);
      const isOpen = (key: string) =>
        !before.has(key) && still.has(key) && !blamed.has(key) && !told.has(key);
      return [path, keys.filter(isOpen)] as const;
    });
    if (keys.every(([, open]) => open.length === 0)) continue;
    for (const key of keys.flatMap(([, open]) => open)) told.add(key);
    open.push({ side, keys, tree: whole.git.id });
  }
  return show(context, open, new ImportsOfBase(context, base), diagnose);
}

/** Of stacked branches the lowest has the fewest changes. */
function smallestFirst(sides: readonly Member[]): (readonly [index: number, side: Member])[] {
  return [...sides.entries()].sort(([, a], [, b]) => a.changes.length - b.changes.length);
}

/** The findings of a branch depend on it alone, so they can be cached; only the tree they were seen in depends on others. */
async function show(
  context: CheckContext,
  open: readonly OpenImports[],
  imports: ImportsOfBase,
  diagnose: DiagnoseImport,
): Promise<FoundIn[]> {
  const { outcomes, radius, base, workspace } = context;
  const answers = outcomes.read(open.map((each) => questionOf(context, each)));
  const asked: (OpenImports & { known: FoundIn[] | undefined; problems: Problem[] })[] = [];
  for (const [index, each] of open.entries()) {
    const known = answers[index] as FoundIn[] | undefined;
    asked.push({ ...each, known, problems: known ? [] : await problemsOf(each) });
  }
  await imports.search(asked.flatMap(({ problems }) => problems));
  const found: FoundIn[] = [];
  for (const { known, problems, ...each } of asked) {
    const { side, tree } = each;
    const shown = { tree, base: base.ref, radius };
    const unknownToBase = known ? [] : await imports.withoutThoseOfBase(problems, side);
    const diagnosed = oncePerCause(unknownToBase, side.tree.git).flatMap((shared) => diagnose(shared, side));
    const all =
      known ?? (await showFindings(await assembleFindings(diagnosed, shown), null, workspace.objects));
    if (!known) outcomes.remember(questionOf(context, each), all);
    found.push(...all.map((each) => seenIn(tree, each)));
  }
  return found;
}

function questionOf({ base, pythonRoots }: CheckContext, { side, keys }: OpenImports): Question {
  return ['unresolved', base.ref, base.tree, side.ref, side.commit, side.tree.git.id, pythonRoots, keys];
}

async function problemsOf({ side, keys }: OpenImports): Promise<Problem[]> {
  await side.tree.link(keys.map(([path]) => path));
  return keys.flatMap(([path, open]) =>
    (side.tree.linked(path)?.problems ?? []).filter(
      (problem) => open.includes(problem.key) && !isExpectedToMiss(problem, side.tree.git),
    ),
  );
}

function seenIn(tree: string, { assembled, ...rest }: FoundIn): FoundIn {
  const { finding } = assembled;
  const witness = { ...finding.witness, unionTree: tree };
  return { ...rest, assembled: { ...assembled, finding: { ...finding, witness } } };
}
