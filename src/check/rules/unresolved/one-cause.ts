import { dialectOf } from '#code/languages/index.ts';
import type { Problem } from '#code/link/problem.ts';
import { directoryOf } from '#code/resolve/repository-path.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { symbolId } from '#schema/identity.ts';

/** An unresolved import, reported together with all others of the same cause. */
export interface SharedCause {
  readonly problem: Problem;
  /** The same for all of one cause. */
  readonly providerKey: string;
  readonly statement: string;
}

/** A missing folder is one cause, however many of its files are imported. */
export function oncePerCause(problems: readonly Problem[], tree: GitTree): SharedCause[] {
  const groups = Map.groupBy(problems, (problem) => causeOf(problem, tree));
  const taken = new Set<string>();
  return [...groups].sort(byName).flatMap(([cause, group]) => {
    const [first, ...others] = group.toSorted((a, b) => byName([a.provider], [b.provider]));
    const known = first ? firstTried(first) : cause;
    // The first path that was tried may be a package that lacks several modules.
    const providerKey = taken.has(known) ? symbolId(cause, '') : known;
    taken.add(known);
    const missing = new Set(group.map((problem) => missingPath(problem, tree)));
    const statement =
      others.length === 0 || missing.size < 2
        ? (first?.statement ?? '')
        : `${JSON.stringify(first?.provider)} and ${missing.size - 1} more lead to no file`;
    return group.map((problem) => ({ problem, providerKey, statement }));
  });
}

function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstTried({ kind, tried, provider }: Problem): string {
  return kind === 'module-missing' ? symbolId(tried[0] ?? provider, '') : provider;
}

/** The outermost folder that is missing, else the module itself. */
function causeOf(problem: Problem, tree: GitTree): string {
  if (problem.kind !== 'module-missing') return problem.provider;
  let missing = missingPath(problem, tree);
  for (let above = directoryOf(missing); above !== '' && !tree.isDirectory(above); above = directoryOf(above))
    missing = above;
  return missing;
}

/**
 * The path that an import means, without its extension. A dotted name is searched below several roots: the module belongs to the root that
 * matches the longest part of it.
 */
function missingPath({ file, tried, provider }: Problem, tree: GitTree): string {
  const absent = tried
    .filter((path) => tree.blob(path) === undefined && !tree.isDirectory(path.replace(/\/$/, '')))
    .map((path) => path.replace(/(\/(index|__init__))?(\.d)?\.\w+$|\/$/, ''));
  const isDotted = dialectOf(file)?.imports.specifiers === 'dotted';
  const names = isDotted ? provider.replace(/^\.+/, '').split('.') : [];
  const reached = (path: string) =>
    names.findLastIndex((_, at) => `/${path}`.endsWith(`/${names.slice(0, at + 1).join('/')}`));
  const [furthest] = absent.toSorted((a, b) => reached(b) - reached(a));
  return furthest ?? provider;
}
