import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import type { GitTree } from '#git/trees/tree.ts';

const isConfig = (path: string): boolean =>
  posix.basename(path) === 'tsconfig.json' && !/(^|\/)node_modules\//.test(path);

/** Above this number only projects with changed files are checked, and those that refer to them. */
const fewProjects = 60;

/** Config files of the projects that may contain a changed file; the compiler decides which of them do. */
export async function projectsAround(
  tree: GitTree,
  changed: readonly string[],
  read: (path: string) => Promise<string | null>,
): Promise<string[]> {
  const configs = tree.matching(isConfig);
  const references = new Map<string, string[]>();
  const open = [...configs];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (references.has(path)) continue;
    const targets = referencesOf(path, await read(path), tree);
    references.set(path, targets);
    open.push(...targets);
  }
  const all = [...references.keys()].sort();
  if (all.length <= fewProjects) return all;
  const chosen = new Set(all.filter((path) => changed.some((file) => isBelow(file, posix.dirname(path)))));
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const [path, targets] of references)
      if (targets.some((target) => chosen.has(target))) chosen.add(path);
  }
  for (const path of chosen) for (const target of references.get(path) ?? []) chosen.add(target);
  return [...chosen].sort();
}

function isBelow(file: string, folder: string): boolean {
  return folder === '.' || file.startsWith(`${folder}/`);
}

function referencesOf(config: string, text: string | null, tree: GitTree): string[] {
  const value = text === null ? null : (parse(text) as { references?: unknown } | undefined);
  if (!value || !Array.isArray(value.references)) return [];
  return value.references.flatMap((reference: unknown) => {
    const path = (reference as { path?: unknown } | null)?.path;
    if (typeof path !== 'string') return [];
    const target = posix.join(posix.dirname(config), path);
    return [target, posix.join(target, 'tsconfig.json')]
      .filter((each) => tree.blob(each) !== undefined)
      .slice(0, 1);
  });
}
