import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import { mergePairs } from '#git/merges/unions.ts';
import { buildRepository } from '#test/support/scenario/build-repository.ts';
import type { Fork } from '#test/support/scenario/scenario.ts';
import { Random } from '../random.ts';
import {
  branchOf,
  type Candidate,
  type Edits,
  type Ground,
  type Operator,
  type Sides,
  type Way,
} from './operator.ts';
import type { Meeting, Together, Trial } from './oracles/index.ts';

type Refs = readonly [base: string, a: string, b: string, bystander: string];

/** A conflict confirmed by the oracle, with a clean twin; both are branches of one repository. */
export interface Seeded {
  readonly project: string;
  readonly operator: Way;
  readonly candidate: Candidate;
  /** The repository, and its refs: base, side A, side B and an unrelated third branch. */
  readonly dir: string;
  readonly conflict: Refs;
  readonly twin: Refs;
  /** Why it was left out; null if it counts. */
  readonly rejected: string | null;
}

/** At most this many rounds of drawing replacements for rejected candidates. */
const mostRounds = 4;

/** For each trial why it does not count; null if sides, text and oracle agree on the conflict and on its twin. */
export type Judge<Where> = (
  git: Git,
  project: Where,
  trials: readonly Trial[],
  base: string,
  together: Together,
) => Promise<(string | null)[]>;

/** A project with its operators and its judge. */
export interface Field<Where extends Ground> {
  readonly project: Where;
  readonly operators: readonly Operator<Where>[];
  readonly judge: Judge<Where>;
}

/**
 * Draws candidates, builds them as branches, and keeps those on which sides, text and oracle agree; draws replacements for
 * the others, until each operator has as many as wanted or has no more to offer.
 */
export async function sow<Where extends Ground>(
  { project, operators, judge }: Field<Where>,
  wanted: (operator: Way) => number,
  seed: number,
  dir: string,
): Promise<Seeded[]> {
  // Each operator draws from a separate stream, whichever other operators run.
  const supplies = operators.map((operator) => ({
    operator,
    candidates: operator.candidates(project, Random.named(`${seed} ${operator.name}`))[Symbol.iterator](),
  }));
  const all: Seeded[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const drawn = supplies.flatMap(({ operator, candidates }) => {
      const kept = all.filter((entry) => entry.operator === operator && entry.rejected === null).length;
      const missing = Math.max(0, wanted(operator) - kept);
      // Half of the replacements are rejected again.
      return draw(candidates, round === 0 ? missing : missing * 2).map((candidate) => ({
        operator,
        candidate,
      }));
    });
    if (drawn.length === 0) break;
    const sown = await sowRound(project, judge, drawn, join(dir, String(round)));
    all.push(...withinWanted(sown, all, wanted));
  }
  return all;
}

function draw(candidates: Iterator<Candidate>, count: number): Candidate[] {
  return Array.from({ length: count }, () => candidates.next().value as Candidate | undefined).filter(
    (candidate) => candidate !== undefined,
  );
}

function withinWanted(
  sown: readonly Seeded[],
  before: readonly Seeded[],
  wanted: (operator: Way) => number,
): Seeded[] {
  const kept = new Map<Way, number>();
  for (const { operator, rejected } of before)
    if (rejected === null) kept.set(operator, (kept.get(operator) ?? 0) + 1);
  return sown.filter(({ operator, rejected }) => {
    const count = kept.get(operator) ?? 0;
    if (rejected === null) kept.set(operator, count + 1);
    return count < wanted(operator);
  });
}

interface Drawn {
  readonly operator: Way;
  readonly candidate: Candidate;
}

async function sowRound<Where extends Ground>(
  project: Where,
  judge: Judge<Where>,
  drawn: readonly Drawn[],
  dir: string,
): Promise<Seeded[]> {
  const forks = drawn.flatMap(({ candidate }) => [
    forkOf(project, candidate, candidate.base),
    forkOf(project, candidate.twin, candidate.base),
  ]);
  const together = forkOf(project, { a: allAdded(project, drawn), b: new Map() });
  rmSync(dir, { recursive: true, force: true });
  const git = await buildRepository([...forks, together], dir);
  const refs = (at: number): Refs => [`${at}/main`, `${at}/a`, `${at}/b`, `${at}/c`];
  const treeOf = await treesOf(git);
  const meetings = await meet(
    git,
    forks.map((_, at) => refs(at)),
    treeOf,
  );
  const trials = drawn.map(({ operator, candidate }, at): Trial => {
    const [conflict, twin] = meetings.slice(at * 2, at * 2 + 2);
    if (!conflict || !twin) throw new Error('every fork has a meeting');
    return { operator, candidate, conflict, twin, isAddition: addsOnly(project, operator, candidate) };
  });
  const verdicts = await judge(git, project, trials, treeOf(`${forks.length}/main`), {
    tree: treeOf(`${forks.length}/a`),
    copiesOf: (at, which) => {
      const sides = which === 'conflict' ? trials[at]?.candidate : trials[at]?.candidate.twin;
      const number = at * 2 + (which === 'conflict' ? 0 : 1);
      return new Set([...(sides?.b.keys() ?? [])].map((path) => aside(path, number)));
    },
  });
  return drawn.map(({ operator, candidate }, at) => ({
    project: project.name,
    operator,
    candidate,
    dir,
    conflict: refs(at * 2),
    twin: refs(at * 2 + 1),
    rejected: verdicts[at] ?? null,
  }));
}

/** The tree of every branch, from one git call. */
async function treesOf(git: Git): Promise<(ref: string) => string> {
  const lines = await git.text(['for-each-ref', '--format=%(refname:lstrip=2) %(tree)', 'refs/heads']);
  const trees = new Map(lines.split('\n').map((line) => line.split(' ') as [string, string]));
  return (ref) => trees.get(ref) ?? '';
}

async function meet(git: Git, all: readonly Refs[], treeOf: (ref: string) => string): Promise<Meeting[]> {
  const merges = await mergePairs(
    git,
    all.map(([, a, b]) => [a, b] as const),
  );
  return all.map(([, a, b], at) => ({
    a: treeOf(a),
    b: treeOf(b),
    merge: merges[at] ?? { status: 'failed', reason: 'git did not answer' },
  }));
}

/** The name of a file of side B in the tree that contains all of them. */
function aside(path: string, fork: number): string {
  return path.replace(/\.ts$/, `-${fork}.ts`);
}

function allAdded(project: Ground, drawn: readonly Drawn[]): Edits {
  return new Map(
    drawn.flatMap(({ operator, candidate }, at) =>
      addsOnly(project, operator, candidate)
        ? [candidate, candidate.twin].flatMap(({ b }, which) =>
            [...b].map(([path, text]) => [aside(path, at * 2 + which), text] as const),
          )
        : [],
    ),
  );
}

function addsOnly(project: Ground, { oracle }: Way, { base, b, twin }: Candidate): boolean {
  return (
    (oracle === 'types' || oracle === 'run') &&
    base === undefined &&
    [...b.keys(), ...twin.b.keys()].every((path) => !project.files.has(path))
  );
}

const contents = new WeakMap<Ground, ReadonlyMap<string, Buffer>>();

/** The same buffers for every fork of a project, so that they are written once. */
function contentsOf(project: Ground): ReadonlyMap<string, Buffer> {
  const known = contents.get(project);
  if (known) return known;
  const made = new Map(bytes([...project.files, ...project.settings]));
  contents.set(project, made);
  return made;
}

function bytes(files: Iterable<readonly [string, string]>): (readonly [string, Buffer])[] {
  return [...files].map(([path, text]) => [path, Buffer.from(text)] as const);
}

function forkOf(project: Ground, sides: Sides, added: Candidate['base'] = new Map()): Fork {
  return {
    base: new Map([...contentsOf(project), ...bytes(added)]),
    branches: [branchOf('a', sides.a), branchOf('b', sides.b), branchOf('c', sides.c ?? project.bystander)],
    main: null,
  };
}
