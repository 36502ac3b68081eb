import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Git } from '#git/call/git.ts';
import { buildRepository } from './build-repository.ts';
import type { NamedScenario } from './read-scenarios.ts';
import { mergeText, writeTrees } from './trees.ts';

/*
 * The scenarios are checked by git, the TypeScript compiler and the Python interpreter: text that should merge merges, each
 * branch is fine alone, a blocking conflict breaks the union and a benign twin does not.
 */

/** A scenario with git's merges. */
export interface Case {
  readonly scenario: NamedScenario;
  /** The members of the union: the branches, and base if it has moved. */
  readonly members: readonly string[];
  /** Tree ids of `base`, of each member and, if the text merges, of `union`. */
  readonly trees: ReadonlyMap<string, string>;
}

/** The scenarios in one repository below `root`, and git's merge of each. */
export async function mergeCases(
  scenarios: readonly NamedScenario[],
  root: string,
): Promise<{ git: Git; cases: Case[] }> {
  const git = await buildRepository(scenarios, join(root, 'repository'));
  const members = scenarios.map(({ branches, main }) => [
    ...(main ? ['main'] : []),
    ...branches.map(({ name }) => name),
  ]);
  const unions = await mergeText(
    git,
    members.map((names, index) => names.map((name) => `${index}/${name}`)),
  );
  const revisions = scenarios.map(({ main }, index) => [
    ['base', `${index}/main${main ? '~1' : ''}^{tree}`] as const,
    ...(members[index] ?? []).map((name) => [name, `${index}/${name}^{tree}`] as const),
  ]);
  const ids = (await git.text(['rev-parse', ...revisions.flat().map(([, revision]) => revision)])).split(
    '\n',
  );
  const cases = scenarios.map((scenario, index) => {
    const trees = new Map((revisions[index] ?? []).map(([name]) => [name, ids.shift() ?? '']));
    const union = unions[index];
    return { scenario, members: members[index] ?? [], trees: union ? trees.set('union', union) : trees };
  });
  return { git, cases };
}

/** Writes each tree of the cases to a folder below `target` and returns the folders, which are named by tree id. */
export async function writeCases(git: Git, cases: readonly Case[], target: string): Promise<string[]> {
  // A conflict and its twin share their base and often a branch: those are compiled once.
  const ids = [...new Set(cases.flatMap(({ trees }) => [...trees.values()]))];
  mkdirSync(target);
  await writeTrees(git, new Map(ids.map((id) => [id, id])), target);
  return ids;
}

/** Rules about files as such, names, duplicates, data, wiring and settings: no compiler can judge them. */
export function isForCompilers({ scenario }: Case): boolean {
  return !/^(T06|T07|[NDKMGC])/.test(scenario.rule);
}

export function hasFiles({ scenario }: Case, pattern: RegExp): boolean {
  return [scenario.base, ...scenario.branches.map(({ changes }) => changes)].some((files) =>
    [...files.keys()].some((path) => pattern.test(path)),
  );
}

/** A compiler's errors for each folder. */
export type Errors = ReadonlyMap<string, ReadonlySet<string>>;

/** In these rules the consumer relies on something that its own branch does not have. */
export const brokenAlone = new Set(['S20', 'S21']);

/** Asserts that a compiler finds what the scenario says, and nothing else. */
export function proveCase({ scenario, members, trees }: Case, errors: Errors): void {
  const errorsOf = (name: string) => errors.get(trees.get(name) ?? '') ?? new Set();
  const newErrors = (name: string) => [...errorsOf(name).difference(errorsOf('base'))];
  if (brokenAlone.has(scenario.rule)) {
    expect(members.flatMap(newErrors), 'some branch alone').not.toEqual([]);
  } else {
    for (const name of members) expect(newErrors(name), `${name} alone`).toEqual([]);
  }
  if (!trees.has('union')) return;
  if (scenario.expected.findings.length === 0) expect(newErrors('union'), 'benign union').toEqual([]);
  else if (scenario.expected.status === 'fail') expect(newErrors('union'), 'broken union').not.toEqual([]);
}
