import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../src/git/git.ts';
import { applyOverlay, type Scenario } from '../../src/seams/detectors/scenario.ts';
import { buildRepository, mergeText } from '../../src/seams/detectors/scenario-repository.ts';
import { Random } from '../random.ts';
import { type Candidate, type Edits, type Operator, overlay } from './operator.ts';
import {
  compilerOptions,
  type Diagnostic,
  hasCollidingPaths,
  hasDuplicateKeys,
  typeErrors,
} from './oracle.ts';
import type { Project } from './project.ts';

/** A conflict that the oracle confirmed, with a twin that it found clean; both are branches of one repository. */
export interface Seeded {
  readonly project: string;
  readonly operator: Operator;
  readonly candidate: Candidate;
  /** Refs: base, side A, side B and a third branch that has nothing to do with it. */
  readonly conflict: readonly [string, string, string, string];
  readonly twin: readonly [string, string, string, string];
  /** Why it was left out; null when it counts. */
  readonly rejected: string | null;
}

export interface Sown {
  readonly git: Git;
  readonly dir: string;
  readonly seeded: readonly Seeded[];
  readonly tried: number;
}

/** Draws candidates, builds them as branches, and keeps those on which sides, text and oracle agree. */
export async function sow(
  project: Project,
  operators: readonly Operator[],
  perOperator: number,
  seed: number,
  dir: string,
): Promise<Sown> {
  const drawn = operators.flatMap((operator, at) => {
    const random = new Random(seed * 1000 + at);
    const candidates = operator.candidates(project, random)[Symbol.iterator]();
    return Array.from({ length: perOperator }, () => candidates.next().value as Candidate | undefined)
      .filter((candidate) => candidate !== undefined)
      .map((candidate) => ({ operator, candidate }));
  });
  const scenarios = drawn.flatMap(({ operator, candidate }) => [
    scenarioOf(project, operator, candidate, candidate),
    scenarioOf(project, operator, { ...candidate, ...candidate.twin }, candidate),
  ]);
  rmSync(dir, { recursive: true, force: true });
  const git = await buildRepository(scenarios, join(dir, 'repository'));
  const refs = (index: number, names: string) => `${index}/${names}`;
  const seeded = drawn.map(({ operator, candidate }, index): Seeded => {
    const branches = (at: number) => [refs(at, 'main'), refs(at, 'a'), refs(at, 'b'), refs(at, 'c')] as const;
    return {
      project: project.name,
      operator,
      candidate,
      conflict: branches(index * 2),
      twin: branches(index * 2 + 1),
      rejected: null,
    };
  });
  const judged = await judgeAll(git, project, seeded, scenarios);
  return { git, dir: join(dir, 'repository'), seeded: judged, tried: drawn.length };
}

function scenarioOf(
  project: Project,
  operator: Operator,
  sides: { readonly a: Edits; readonly b: Edits },
  { move }: Candidate,
): Scenario {
  const base = new Map([...project.files].map(([path, text]) => [path, Buffer.from(text)] as const));
  base.set(
    'tsconfig.json',
    Buffer.from(
      JSON.stringify(
        { compilerOptions: { ...compilerOptions, types: project.types }, include: ['src'] },
        null,
        2,
      ),
    ),
  );
  const bystander = new Map([['src/joinery-bystander.ts', 'export const bystander = 1;\n']]);
  return {
    name: operator.name,
    rule: operator.rule,
    base,
    branches: [overlay('a', sides.a, move), overlay('b', sides.b), overlay('c', bystander)],
    movedBase: null,
    expected: { findings: [], status: 'pass' },
  };
}

async function judgeAll(
  git: Git,
  project: Project,
  seeded: readonly Seeded[],
  scenarios: readonly Scenario[],
): Promise<Seeded[]> {
  const unions = await mergeText(
    git,
    seeded.flatMap(({ conflict, twin }) => [conflict.slice(1, 3), twin.slice(1, 3)]),
  );
  const sides = await git.text([
    'rev-parse',
    ...seeded.flatMap(({ conflict, twin }) =>
      [conflict[1], conflict[2], twin[1], twin[2]].map((ref) => `refs/heads/${ref}^{tree}`),
    ),
  ]);
  const sideTrees = sides.split('\n');
  const typed = seeded.flatMap(({ operator }, index) =>
    operator.oracle === 'types'
      ? [...sideTrees.slice(index * 4, index * 4 + 4), ...unions.slice(index * 2, index * 2 + 2)]
      : [],
  );
  const errors = await typeErrors(
    git,
    project,
    typed.filter((tree) => tree !== null && tree !== undefined),
  );
  return seeded.map((entry, index) => {
    const [union, twinUnion] = unions.slice(index * 2, index * 2 + 2);
    if (!union || !twinUnion) return { ...entry, rejected: 'the text does not merge' };
    const trees = sideTrees.slice(index * 4, index * 4 + 4);
    const rejected =
      entry.operator.oracle === 'types'
        ? judgeTypes(
            entry,
            trees.map((tree) => errors.get(tree) ?? []),
            errors.get(union) ?? [],
            errors.get(twinUnion) ?? [],
          )
        : judgeFiles(entry, scenarios[index * 2], scenarios[index * 2 + 1]);
    return { ...entry, rejected };
  });
}

function judgeTypes(
  { operator, candidate }: Seeded,
  sides: readonly (readonly Diagnostic[])[],
  union: readonly Diagnostic[],
  twin: readonly Diagnostic[],
): string | null {
  const allowed = new Set(operator.allowedAlone ?? []);
  const names = ['A', 'B', 'the twin of A', 'the twin of B'];
  const broken = sides.findIndex((diagnostics) => diagnostics.some(({ code }) => !allowed.has(code)));
  if (broken >= 0) return `${names[broken]} alone does not check`;
  if (!union.some(({ file }) => file === candidate.consumerFile)) return 'the union checks';
  return twin.length > 0 ? 'the union of the twin does not check' : null;
}

function judgeFiles(
  { operator, candidate }: Seeded,
  conflict: Scenario | undefined,
  twin: Scenario | undefined,
): string | null {
  const fails = (scenario: Scenario | undefined): boolean => {
    const [a, b] = scenario?.branches ?? [];
    if (!scenario || !a || !b) return false;
    if (operator.oracle === 'paths')
      return hasCollidingPaths([...applyOverlay(applyOverlay(scenario.base, a), b).keys()]);
    return hasDuplicateKeys(merged(scenario, candidate.consumerFile));
  };
  if (!fails(conflict)) return 'the oracle sees no problem';
  return fails(twin) ? 'the oracle sees a problem in the twin' : null;
}

/** Lines of both sides: enough for keys added at the two ends of one file. */
function merged({ base, branches }: Scenario, path: string): string {
  const [a, b] = branches.map(({ files }) => files.get(path)?.toString('utf8') ?? '');
  const before = base.get(path)?.toString('utf8') ?? '';
  const head = (a ?? '').slice(0, (a ?? '').length - before.length + 2);
  return head + (b ?? '').slice(2);
}
