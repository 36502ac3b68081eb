import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Git } from '#git/git.ts';
import { buildRepository } from './build-repository.ts';
import type { NamedScenario } from './read-scenarios.ts';
import { mergeText, writeTrees } from './trees.ts';

/*
 * Who guards the scenarios? git, the TypeScript compiler and the Python interpreter: text that should merge
 * merges, each branch is fine alone, a blocking conflict breaks the union and a benign twin does not.
 */

/** A scenario as git merges it. */
export interface Case {
  readonly scenario: NamedScenario;
  readonly index: number;
  /** Who meets in the union: the branches, and base when it has moved. */
  readonly members: readonly string[];
  /** The tree of all of them; null when the text does not merge. */
  readonly union: string | null;
}

/** The scenarios in one repository below `root`, and what git makes of each. */
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
  const cases = scenarios.map((scenario, index) => ({
    scenario,
    index,
    members: members[index] ?? [],
    union: unions[index] ?? null,
  }));
  return { git, cases };
}

/** Writes base, members and union of each case to folders below `target`: `<index>.<base, main, a, b, c or union>`. */
export async function writeCases(git: Git, cases: readonly Case[], target: string): Promise<void> {
  const revisions = cases.flatMap(({ scenario, index, members }) => [
    [`${index}.base`, `${index}/main${scenario.main ? '~1' : ''}`] as const,
    ...members.map((name) => [`${index}.${name}`, `${index}/${name}`] as const),
  ]);
  const ids = await git.text(['rev-parse', ...revisions.map(([, revision]) => `${revision}^{tree}`)]);
  const trees = new Map(ids.split('\n').map((id, at) => [revisions[at]?.[0] ?? '', id]));
  for (const { index, union } of cases) if (union) trees.set(`${index}.union`, union);
  mkdirSync(target);
  await writeTrees(git, trees, target);
}

export function foldersOf({ index, members, union }: Case): string[] {
  return ['base', ...members, ...(union ? ['union'] : [])].map((name) => `${index}.${name}`);
}

export function hasFiles({ scenario }: Case, pattern: RegExp): boolean {
  return [scenario.base, ...scenario.branches.map(({ changes }) => changes)].some((files) =>
    [...files.keys()].some((path) => pattern.test(path)),
  );
}

/** What a compiler says of each folder. */
export type Errors = ReadonlyMap<string, ReadonlySet<string>>;

/** In these rules the consumer relies on something that its own branch does not have. */
const brokenAlone = new Set(['S20', 'S21']);

/** A compiler finds what the scenario says, and nothing else. */
export function proveCase({ scenario, index, members, union }: Case, errors: Errors): void {
  const known = errors.get(`${index}.base`);
  const newErrors = (name: string) =>
    [...(errors.get(`${index}.${name}`) ?? [])].filter((error) => !known?.has(error));
  if (brokenAlone.has(scenario.rule)) {
    expect(members.flatMap(newErrors), 'some branch alone').not.toEqual([]);
  } else {
    for (const name of members) expect(newErrors(name), `${name} alone`).toEqual([]);
  }
  if (!union) return;
  if (scenario.expected.findings.length === 0) expect(newErrors('union'), 'benign union').toEqual([]);
  else if (scenario.expected.status === 'fail') expect(newErrors('union'), 'broken union').not.toEqual([]);
}
