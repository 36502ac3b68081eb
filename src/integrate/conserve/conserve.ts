import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';
import { isAncestor, treeOf, writeCommit } from '#git/merges/branches.ts';
import { mergePairs } from '#git/merges/unions.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { type Change, diffTrees, type TreeEntry } from '#git/trees/tree.ts';
import type { AcceptedLoss, Loss } from '#schema/integration.ts';
import { prepareData } from './data-losses.ts';
import { entitiesOfAll } from './entities.ts';
import { lossesInFile, type Versions } from './losses-in-file.ts';

interface Conserved {
  readonly files: number;
  readonly entities: readonly string[];
  /** What it has from an earlier branch that it is built on. */
  readonly inherited: readonly string[];
}

export interface Conservation {
  readonly lost: readonly Loss[];
  /** Losses that a recorded decision or a later branch explains. */
  readonly superseded: readonly (Loss & { readonly reason: string })[];
  /** By branch: how many files it changed, and what it added or changed in them ('src/a.ts#save'). */
  readonly conserved: ReadonlyMap<string, Conserved>;
}

/**
 * Checks that every change of each branch is in the result. Merging a branch into a result that contains its work changes
 * nothing: files are compared, by definitions and lines, only where it would change something.
 */
export async function conserve(
  git: Git,
  target: string,
  tips: readonly BranchTip[],
  result: string,
  decisions: readonly AcceptedLoss[] = [],
): Promise<Conservation> {
  const lost: Loss[] = [];
  const superseded: (Loss & { reason: string })[] = [];
  const conserved = new Map<string, { files: number; entities: string[]; inherited: string[] }>();
  const below: Below[] = [];
  for (const tip of tips) {
    const base = await git.text(['merge-base', target, tip.commit]);
    const [changes = []] = await diffTrees(git, [[await treeOf(git, base), await treeOf(git, tip.commit)]], {
      renames: false,
    });
    const suspects = await pathsThatDiffer(git, base, tip.commit, result, changes);
    const versions = await readVersions(git, { base, branch: tip.commit, result }, changes);
    await prepareData(versions.keys());
    const inherits = inheritedFrom(await versionsBelow(git, base, tip, below, versions));
    const parts = changes.map(({ path }) => {
      const all = changedEntities(path, versions.get(path));
      return { all, own: all.filter((entity) => !inherits(path, entity, versions.get(path))) };
    });
    conserved.set(tip.ref, {
      files: parts.filter(({ all, own }) => all.length === 0 || own.length > 0).length,
      entities: parts.flatMap(({ own }) => own),
      inherited: parts.flatMap(({ all, own }) => all.filter((entity) => !own.includes(entity))),
    });
    below.push({ tip, versions });
    let onTop: Promise<string | null> | undefined;
    for (const change of changes.filter(({ path }) => suspects.has(path))) {
      const found = lossesInFile(tip.ref, change, versions.get(change.path));
      for (const loss of found) {
        const decided = decisions.find((each) => explains(each, loss))?.reason;
        if (decided === undefined) onTop ??= changedOnTop(git, tip, tips);
        const reason = decided ?? (await onTop) ?? null;
        if (reason === null) lost.push(loss);
        else superseded.push({ ...loss, reason });
      }
    }
  }
  return { lost, superseded, conserved };
}

interface Below {
  readonly tip: BranchTip;
  readonly versions: ReadonlyMap<string, Versions>;
}

/** The files of the earlier branches that a branch is built on. Git is asked where they have a file in common. */
async function versionsBelow(
  git: Git,
  base: string,
  tip: BranchTip,
  below: readonly Below[],
  own: ReadonlyMap<string, Versions>,
): Promise<ReadonlyMap<string, Versions>[]> {
  const near = below.filter(({ versions }) => [...versions.keys()].some((path) => own.has(path)));
  if (near.length === 0) return [];
  const history = await git.text(['rev-list', tip.commit, `^${base}`]);
  const commits = new Set(history.split('\n'));
  return near
    .filter((each) => each.tip.commit !== tip.commit && commits.has(each.tip.commit))
    .map(({ versions }) => versions);
}

/** What a branch has from one that it is built on is counted for the one that brought it, unless it changed it again. */
function inheritedFrom(
  earlier: readonly ReadonlyMap<string, Versions>[],
): (path: string, entity: string, versions: Versions | undefined) => boolean {
  return (path, entity, versions) =>
    earlier.some((files) => {
      const known = files.get(path);
      if (known?.branch === undefined || known.branch === null) return false;
      if (known.branch === versions?.branch) return true;
      const name = entity.slice(path.length + 1);
      const before = known.entities.base?.get(name)?.hash;
      const had = known.entities.branch?.get(name)?.hash;
      const has = versions?.entities.branch?.get(name)?.hash;
      return had !== undefined && had !== before && had === has;
    });
}

/** A branch built on another one changes that branch's work deliberately. */
async function changedOnTop(git: Git, tip: BranchTip, tips: readonly BranchTip[]): Promise<string | null> {
  for (const other of tips) {
    if (other.commit !== tip.commit && (await isAncestor(git, tip.commit, other.commit)))
      return `${other.ref} is built on it and changed it`;
  }
  return null;
}

function explains({ branch, path, entity }: AcceptedLoss, loss: Loss): boolean {
  return branch === loss.branch && path === loss.path && (entity === null || entity === loss.entity);
}

/** Paths that merging the branch again would change; empty when the result contains all its work. */
async function pathsThatDiffer(
  git: Git,
  base: string,
  branch: string,
  result: string,
  changes: readonly Change[],
): Promise<Set<string>> {
  const tree = await treeOf(git, result);
  // As if the result were built on the base alone, so that git compares contents and not histories.
  const alone = await writeCommit(git, {
    tree,
    parents: [base],
    message: 'result',
    at: new Date(0).toISOString(),
  });
  const [again] = await mergePairs(git, [[alone, branch]]);
  if (again?.status === 'clean' && again.tree === tree) return new Set();
  if (!again || again.status === 'failed') return new Set(changes.map(({ path }) => path));
  const [differences = []] = await diffTrees(git, [[tree, again.tree]], { renames: false });
  const paths = differences.map(({ path }) => path);
  return new Set(again.status === 'conflict' ? [...paths, ...again.paths] : paths);
}

interface Commits {
  readonly base: string;
  readonly branch: string;
  readonly result: string;
}

async function readVersions(
  git: Git,
  commits: Commits,
  changes: readonly Change[],
): Promise<Map<string, Versions>> {
  const paths = changes
    .filter(({ before, after }) => (after ?? before)?.kind === 'file')
    .map(({ path }) => path);
  const [base, branch, result] = await Promise.all(
    [commits.base, commits.branch, commits.result].map((commit) =>
      readFilesAt(git, commit, paths, { skipLarge: true }),
    ),
  );
  const texts = changes.flatMap(({ path, before, after }) => {
    const versions = {
      base: base?.get(path) ?? null,
      branch: branch?.get(path) ?? null,
      result: result?.get(path) ?? null,
    };
    return isText(before, versions.base) && isText(after, versions.branch) && !isBinary(versions.result)
      ? [[path, versions] as const]
      : [];
  });
  const entities = await entitiesOfAll(
    texts.flatMap(([path, { base, branch, result }]) =>
      [base, branch, result].map((text) => [path, text] as const),
    ),
  );
  return new Map(
    texts.map(([path, versions], at) => {
      const [ofBase = null, ofBranch = null, ofResult = null] = entities.slice(3 * at, 3 * at + 3);
      return [path, { ...versions, entities: { base: ofBase, branch: ofBranch, result: ofResult } }];
    }),
  );
}

/** Whether a version can be compared by lines; one that does not exist can. */
function isText(entry: TreeEntry | null, text: string | null): boolean {
  return entry === null || (entry.kind === 'file' && text !== null && !isBinary(text));
}

function isBinary(text: string | null): boolean {
  return text?.includes('\0') ?? false;
}

function changedEntities(path: string, versions: Versions | undefined): string[] {
  const before = versions?.entities.base ?? null;
  const after = versions?.entities.branch ?? null;
  if (!after) return versions?.branch === null ? [] : [`${path}#`];
  const changed = [...after].filter(([name, { hash }]) => before?.get(name)?.hash !== hash);
  return changed.map(([name]) => `${path}#${name}`);
}
