import { type RoleText, readRoles } from '#agents/prompt/roles.ts';
import { checkContract } from '#app/contracts/check-contract.ts';
import type { Union } from '#app/contracts/union-room.ts';
import { statedName } from '#contract/judge/signature.ts';
import { GitError } from '#git/call/git-error.ts';
import { treeOf } from '#git/merges/branches.ts';
import { readFilesAt, readFilesIn } from '#git/trees/files-at.ts';
import { GitTree } from '#git/trees/tree.ts';
import type { ContractFact, Facts, KnownBranch } from '#review/opinion/hold-to-facts.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Contract } from '#schema/contract.ts';
import type { ContractItem } from '#schema/contract-report.ts';

/** Branches that took part in a check, each with its merge base. */
export function comparedBranches({ branches }: CheckReport): CheckReport['branches'] {
  return branches.filter(({ state }) => state === 'checked' || state === 'conflicted');
}

/** The prompt of a role from base: a branch must not write the instructions of its judges. */
export async function roleOnBase({ git, base }: Union, name: RoleText['name']): Promise<string> {
  const roles = await readRoles((paths) => readFilesAt(git, base.commit, paths));
  return roles.find((role) => role.name === name)?.text ?? '';
}

/** The diff of each branch since its merge base. */
export async function readDiffs(
  { git }: Union,
  report: CheckReport,
): Promise<{ readonly ref: string; readonly diff: string }[]> {
  const diffs: { ref: string; diff: string }[] = [];
  for (const { ref, mergeBase, commit } of comparedBranches(report)) {
    const options = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-prefix', '--unified=3'];
    const range = ['--end-of-options', mergeBase, commit];
    const { stdout } = await git.run(['diff', ...options, ...range]);
    diffs.push({ ref, diff: stdout.toString('utf8') });
  }
  return diffs;
}

/** What claims are verified against: the files they name on every branch, and what the code says about the contract. */
export async function readFacts(
  union: Union,
  report: CheckReport,
  files: readonly string[],
  contract: { readonly path: string; readonly value: Contract } | null,
): Promise<Facts> {
  const branches: KnownBranch[] = [];
  for (const { ref, commit, mergeBase } of comparedBranches(report)) {
    const names = await union.git.text(['diff', '--name-only', '-z', '--no-renames', mergeBase, commit]);
    const changed = new Set(names.split('\0').filter((name) => name !== ''));
    branches.push({ ref, commit, changed, files: await textsOf(union, commit, files) });
  }
  const { ref, commit } = union.base;
  const base = { ref, commit, changed: new Set<string>(), files: await textsOf(union, commit, files) };
  return { branches, base, contract: contract && (await contractFacts(union, contract)) };
}

/** Leaves out files that cannot be read: nothing can be said about them. */
async function textsOf(
  { git, objects }: Union,
  commit: string,
  files: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (files.length === 0) return texts;
  const tree = await GitTree.read(git, await treeOf(git, commit));
  for (const file of files.filter((path) => tree.entry(path) !== undefined)) {
    try {
      for (const [path, text] of await readFilesIn(tree, objects, [file])) texts.set(path, text);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
  }
  return texts;
}

const ranks: Readonly<Record<ContractItem['kind'], number>> = {
  relationship: 0,
  query: 1,
  entity: 2,
  question: 3,
};

/** Relations come before entities: "Order → User" also contains the word User. */
async function contractFacts(
  union: Union,
  { path, value }: { readonly path: string; readonly value: Contract },
): Promise<ContractFact[]> {
  const { items } = await checkContract(union, value, path);
  return items
    .toSorted((a, b) => ranks[a.kind] - ranks[b.kind])
    .map(({ kind, name, status, detail }) => {
      const entity = kind === 'entity' ? value.entities.find((each) => each.name === name) : undefined;
      const called = entity?.function === undefined ? undefined : statedName(entity.function).name;
      const words = [name, entity?.table, entity?.path, called].flatMap((word) => word ?? []);
      return { name, words, status, detail };
    });
}
