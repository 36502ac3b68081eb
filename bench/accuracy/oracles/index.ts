import type { Git } from '#git/call/git.ts';
import type { Merge } from '#git/merges/unions.ts';
import type { Candidate, Way } from '../operator.ts';
import type { Project } from '../project.ts';
import { doesNotParse, hasCollidingPaths, hasDuplicateKeys, type Tree } from './files.ts';
import { keyOf, type Run } from './run.ts';
import { keepBoth, textIn } from './text.ts';
import { type Diagnostic, type Look, lookAt } from './types.ts';

/** What confirms that a union fails; none of it is part of the product. */
export const oracles = {
  types: 'tsc',
  run: 'node',
  keys: 'YAML reader',
  paths: 'path list',
  parse: 'parser',
  conflict: 'git',
  'keep-both': 'git, tsc',
  'lost-edit': 'git, text',
  python: 'python',
  built: 'how it was made',
  probe: 'run of the seeded files',
  npm: "npm's resolver, resolvelib",
  pytest: 'pytest, node:test',
  sqlite: 'SQLite',
  graphql: 'graphql-js',
  protobuf: 'protobufjs',
  openapi: 'a validator',
  routes: 'Express, Fastify, Hono',
  frameworks: 'Django, Alembic, FastAPI, Flask',
  models: 'SQLAlchemy over SQLite',
} as const;
export type OracleName = keyof typeof oracles;

const fileOracles = { keys: hasDuplicateKeys, paths: hasCollidingPaths, parse: doesNotParse } as const;

/** Two sides before their union: their trees, and the result of git's merge. */
export interface Meeting {
  readonly a: string;
  readonly b: string;
  readonly merge: Merge;
}

export interface Trial {
  readonly operator: Way;
  readonly candidate: Candidate;
  readonly conflict: Meeting;
  readonly twin: Meeting;
  /** B only adds files: failures outside them are A's, and B alone can be checked together with other additions. */
  readonly isAddition: boolean;
}

type Which = 'conflict' | 'twin';

/** A tree with side B of every addition, each under a unique name. */
export interface Together {
  readonly tree: string;
  readonly copiesOf: (trial: number, which: Which) => ReadonlySet<string>;
}

/** The verdict of the oracles about each trial of the TypeScript projects. */
export async function judge(
  git: Git,
  project: Project,
  trials: readonly Trial[],
  base: string,
  together: Together,
): Promise<(string | null)[]> {
  const judges = await Promise.all(trials.map((trial, at) => judgeOf(git, trial, at, together)));
  const needed = judges.flatMap(({ trees }) => trees);
  const runs = judges.flatMap(({ runs: own }) => own);
  const looks = await lookAt(git, project, [base, together.tree, ...needed], runs);
  const [debt] = looks.get(base)?.errors ?? [];
  if (debt) throw new Error(`${project.name} does not check clean: ${debt.code} in ${debt.file}`);
  return judges.map(({ verdict }) =>
    verdict((tree) => looks.get(tree) ?? { errors: [], observed: new Map() }),
  );
}

type See = (tree: string) => Look;

/** What to examine, and the conclusion. */
interface Judge {
  readonly trees: readonly string[];
  readonly runs: readonly Run[];
  readonly verdict: (see: See) => string | null;
}

function decided(verdict: string | null): Judge {
  return { trees: [], runs: [], verdict: () => verdict };
}

async function judgeOf(git: Git, trial: Trial, at: number, together: Together): Promise<Judge> {
  const { operator, conflict, twin } = trial;
  switch (operator.oracle) {
    case 'types':
    case 'run':
      if (conflict.merge.status !== 'clean' || twin.merge.status !== 'clean')
        return decided('the text does not merge');
      return (operator.oracle === 'run' ? judgeRun : judgeTypes)({
        trial,
        unions: { conflict: conflict.merge.tree, twin: twin.merge.tree },
        copiesOf: (which) => together.copiesOf(at, which),
        together: together.tree,
      });
    case 'keys':
    case 'paths':
    case 'parse':
      return decided(await judgeFiles(git, trial, fileOracles[operator.oracle]));
    case 'conflict':
      return judgeSides(trial, conflict.merge.status === 'conflict' && twin.merge.status === 'clean');
    case 'lost-edit':
      return judgeSides(
        trial,
        conflict.merge.status === 'conflict' &&
          twin.merge.status === 'clean' &&
          (await isEditLost(git, trial, conflict.merge.tree)),
      );
    case 'keep-both':
      return judgeKeepBoth(git, trial);
    case 'python':
    case 'built':
    case 'probe':
    case 'npm':
    case 'pytest':
    case 'sqlite':
    case 'graphql':
    case 'protobuf':
    case 'openapi':
    case 'routes':
    case 'frameworks':
    case 'models':
      throw new Error(`${operator.name} has a judge of its own`);
  }
}

const first = ({ file, code }: Diagnostic) => `${code} in ${file}`;

/** Sides whose text merges. */
interface Merged {
  readonly trial: Trial;
  readonly unions: { readonly [which in Which]: string };
  readonly together: string;
  /** The files of B in the tree with all additions. */
  readonly copiesOf: (which: Which) => ReadonlySet<string>;
}

function sidesOf({ trial: { isAddition, conflict, twin } }: Merged): string[] {
  return isAddition ? [] : [conflict.a, conflict.b, twin.a, twin.b];
}

/** Errors of either side alone. */
function wrongAlone(
  { trial, unions, together, copiesOf }: Merged,
  which: Which,
  see: See,
): Diagnostic | undefined {
  const { isAddition, candidate, operator } = trial;
  if (!isAddition) return [trial[which].a, trial[which].b].flatMap((tree) => see(tree).errors)[0];
  const copies = copiesOf(which);
  const added = new Set((which === 'conflict' ? candidate.b : candidate.twin.b).keys());
  const allowed = new Set(operator.allowedAlone);
  return (
    see(together).errors.find(({ file, code }) => copies.has(file) && !allowed.has(code)) ??
    see(unions[which]).errors.find(({ file }) => !added.has(file))
  );
}

function judgeTypes(merged: Merged): Judge {
  const { trial, unions } = merged;
  return {
    trees: [unions.conflict, unions.twin, ...sidesOf(merged)],
    runs: [],
    verdict: (see) => {
      const wrong = wrongAlone(merged, 'conflict', see);
      if (wrong) return `a side alone does not check: ${first(wrong)}`;
      const { consumerFile } = trial.candidate;
      if (!see(unions.conflict).errors.some(({ file }) => file === consumerFile)) return 'the union checks';
      const wrongTwin = wrongAlone(merged, 'twin', see) ?? see(unions.twin).errors[0];
      return wrongTwin ? `the twin does not fit: ${first(wrongTwin)}` : null;
    },
  };
}

/** The code of B behaves differently in the union than on B alone. */
function judgeRun(merged: Merged): Judge {
  const { trial, unions } = merged;
  const modules = trial.candidate.runs ?? [trial.candidate.consumerFile];
  const alone = (which: Which): Run =>
    trial.isAddition
      ? { tree: merged.together, modules: [...merged.copiesOf(which)] }
      : { tree: trial[which].b, modules };
  const united = (which: Which): Run => ({ tree: unions[which], modules });
  const runs = [alone('conflict'), united('conflict'), alone('twin'), united('twin')];
  return {
    trees: [unions.conflict, unions.twin, ...sidesOf(merged)],
    runs,
    verdict: (see) => {
      const wrong =
        wrongAlone(merged, 'conflict', see) ?? wrongAlone(merged, 'twin', see) ?? see(unions.twin).errors[0];
      if (wrong) return `a side alone or the twin does not check: ${first(wrong)}`;
      const [before, after, beforeTwin, afterTwin] = runs.map((run) =>
        see(run.tree).observed.get(keyOf(run)),
      );
      if (!before || !after || !beforeTwin || !afterTwin) return 'running it came to no end';
      if (before === after) return 'the union does what B does alone';
      return beforeTwin === afterTwin ? null : 'the twin does not do what its B does alone';
    },
  };
}

async function judgeFiles(
  git: Git,
  { candidate, conflict, twin }: Trial,
  fails: (tree: Tree) => boolean,
): Promise<string | null> {
  if (conflict.merge.status !== 'clean' || twin.merge.status !== 'clean') return 'the text does not merge';
  const look = async (tree: string): Promise<boolean> =>
    fails({
      paths: (await git.text(['ls-tree', '-r', '--name-only', tree])).split('\n'),
      text: await textIn(git, tree, candidate.consumerFile),
    });
  for (const tree of [conflict.a, conflict.b, twin.a, twin.b])
    if (await look(tree)) return 'a side alone has the problem';
  if (!(await look(conflict.merge.tree))) return 'the oracle sees no problem';
  return (await look(twin.merge.tree)) ? 'the oracle sees a problem in the twin' : null;
}

/** Git has decided; it remains to check that each side is fine alone. */
function judgeSides({ conflict, twin }: Trial, holds: boolean): Judge {
  if (!holds) return decided('git does not see it that way');
  const trees = [conflict.a, conflict.b, twin.a, twin.b];
  return { trees, runs: [], verdict: (see) => wrongSide(trees, see) };
}

function wrongSide(trees: readonly string[], see: See): string | null {
  const [wrong] = trees.flatMap((tree) => see(tree).errors);
  return wrong ? `a side alone does not check: ${first(wrong)}` : null;
}

async function isEditLost(git: Git, { candidate, conflict }: Trial, union: string): Promise<boolean> {
  if (!candidate.edit) return false;
  const { text, movedTo } = candidate.edit;
  const wasMade = (await textIn(git, conflict.b, candidate.consumerFile)).includes(text);
  return wasMade && !(await textIn(git, union, movedTo)).includes(text);
}

/** Git reports a conflict in both; with the lines of both sides, the conflict compiles and its twin does not. */
async function judgeKeepBoth(git: Git, { candidate, conflict, twin }: Trial): Promise<Judge> {
  if (conflict.merge.status !== 'conflict' || twin.merge.status !== 'conflict')
    return decided('git does not see it that way');
  const both = await keepBoth(git, conflict, candidate.consumerFile);
  const bothOfTwin = await keepBoth(git, twin, candidate.consumerFile);
  const sides = [conflict.a, conflict.b, twin.a, twin.b];
  return {
    trees: [...sides, both, bothOfTwin],
    runs: [],
    verdict: (see) => {
      if (see(both).errors.length > 0) return 'the lines of both sides do not check together';
      if (see(bothOfTwin).errors.length === 0) return 'the lines of both sides of the twin check together';
      return wrongSide(sides, see);
    },
  };
}
