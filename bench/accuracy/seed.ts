import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../src/git/git.ts';
import { applyOverlay, type Scenario } from '../../src/seams/detectors/scenario.ts';
import { buildRepository, mergeText } from '../../src/seams/detectors/scenario-repository.ts';
import { Random } from '../random.ts';
import { type Candidate, type Edits, type Operator, overlay, type Sides } from './operator.ts';
import { type Diagnostic, hasCollidingPaths, hasDuplicateKeys, typeErrors } from './oracle.ts';
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
    scenarioOf(project, operator.rule, candidate, candidate.move),
    scenarioOf(project, operator.rule, candidate.twin, candidate.move),
  ]);
  const together = scenarioOf(project, '', { a: allAdded(project, scenarios), b: new Map() }, {});
  rmSync(dir, { recursive: true, force: true });
  const git = await buildRepository([...scenarios, together], join(dir, 'repository'));
  const refs = (at: number) => [`${at}/main`, `${at}/a`, `${at}/b`, `${at}/c`] as const;
  const seeded = drawn.map(
    ({ operator, candidate }, index): Seeded => ({
      project: project.name,
      operator,
      candidate,
      conflict: refs(index * 2),
      twin: refs(index * 2 + 1),
      rejected: null,
    }),
  );
  return {
    git,
    dir: join(dir, 'repository'),
    seeded: await judgeAll(git, project, seeded, scenarios),
    tried: drawn.length,
  };
}

/** Side B as it stands in a tree that holds every side B that only adds files: one look for all of them. */
function aside(path: string, scenario: number): string {
  return path.replace(/\.ts$/, `-${scenario}.ts`);
}

function allAdded(project: Project, scenarios: readonly Scenario[]): Edits {
  return new Map(
    scenarios.flatMap((scenario, at) =>
      addsOnly(project, scenario)
        ? [...filesOfB(scenario)].map(
            ([path, content]) => [aside(path, at), content.toString('utf8')] as const,
          )
        : [],
    ),
  );
}

function filesOfB({ branches }: Scenario): ReadonlyMap<string, Buffer> {
  return branches[1]?.files ?? new Map();
}

/** Then nothing of the project can tell that B is there, and what fails outside its files is the work of A. */
function addsOnly(project: Project, scenario: Scenario): boolean {
  return [...filesOfB(scenario).keys()].every((path) => !project.files.has(path));
}

function scenarioOf(project: Project, rule: string, sides: Sides, move: Candidate['move']): Scenario {
  const base = new Map([...project.files].map(([path, text]) => [path, Buffer.from(text)] as const));
  base.set(
    'tsconfig.json',
    Buffer.from(JSON.stringify({ compilerOptions: project.compilerOptions, include: ['src'] }, null, 2)),
  );
  const bystander = new Map([['src/joinery-bystander.ts', 'export const bystander = 1;\n']]);
  return {
    name: project.name,
    rule,
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
  const treeOf = async (ref: string) => git.text(['rev-parse', `refs/heads/${ref}^{tree}`]);
  const together = await treeOf(`${scenarios.length}/a`);
  const base = await treeOf(`${scenarios.length}/main`);
  const needed = [base, together];
  const alone = new Map<number, readonly string[]>();
  for (const [index, { operator, conflict, twin }] of seeded.entries()) {
    if (operator.oracle !== 'types') continue;
    for (const at of [index * 2, index * 2 + 1]) {
      needed.push(...(unions[at] ? [unions[at]] : []));
      const scenario = scenarios[at];
      if (!scenario || addsOnly(project, scenario)) continue;
      const [, a, b] = at % 2 === 0 ? conflict : twin;
      alone.set(at, [await treeOf(a), await treeOf(b)]);
      needed.push(...(alone.get(at) ?? []));
    }
  }
  const errors = await typeErrors(git, project, needed);
  const [debt] = errors.get(base) ?? [];
  if (debt) throw new Error(`${project.name} does not check clean: ${debt.code} in ${debt.file}`);
  const judgement = (entry: Seeded, at: number): Judged => {
    const union = errors.get(unions[at] ?? '') ?? [];
    const scenario = scenarios[at];
    const added = new Set(scenario ? [...filesOfB(scenario).keys()] : []);
    const trees = alone.get(at);
    if (trees) return { alone: trees.flatMap((tree) => errors.get(tree) ?? []), union };
    const copies = new Set([...added].map((path) => aside(path, at)));
    const ofB = (errors.get(together) ?? []).filter(({ file }) => copies.has(file));
    const allowed = new Set(entry.operator.allowedAlone ?? []);
    return {
      alone: [
        ...ofB.filter(({ code }) => !allowed.has(code)),
        ...union.filter(({ file }) => !added.has(file)),
      ],
      union,
    };
  };
  return seeded.map((entry, index) => {
    if (!unions[index * 2] || !unions[index * 2 + 1])
      return { ...entry, rejected: 'the text does not merge' };
    const rejected =
      entry.operator.oracle === 'types'
        ? judgeTypes(entry, judgement(entry, index * 2), judgement(entry, index * 2 + 1))
        : judgeFiles(entry, scenarios[index * 2], scenarios[index * 2 + 1]);
    return { ...entry, rejected };
  });
}

interface Judged {
  /** What is wrong with either side before they meet. */
  readonly alone: readonly Diagnostic[];
  readonly union: readonly Diagnostic[];
}

function judgeTypes({ candidate }: Seeded, conflict: Judged, twin: Judged): string | null {
  const first = ({ file, code }: Diagnostic) => `${code} in ${file}`;
  if (conflict.alone[0]) return `a side alone does not check: ${first(conflict.alone[0])}`;
  if (!conflict.union.some(({ file }) => file === candidate.consumerFile)) return 'the union checks';
  if (twin.alone[0]) return `a side of the twin does not check: ${first(twin.alone[0])}`;
  return twin.union[0] ? `the twin does not fit: ${first(twin.union[0])}` : null;
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
