import type { Found } from '#contract/judge/judged.ts';
import { treeOf } from '#git/merges/branches.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { diffTrees } from '#git/trees/tree.ts';
import type { ContractEvidence } from '#schema/contract-report.ts';
import type { Union } from './union-room.ts';

/** Names the branch that adds each piece of evidence: the first whose version has the line and whose base does not. */
export async function whoBrought(
  union: Union,
  found: readonly Found[],
): Promise<(piece: Found) => ContractEvidence> {
  const { git, base, branches } = union;
  const files = [...new Set(found.map(({ file }) => file))];
  const before = await readFilesAt(git, base.commit, files);
  const result = await linesOf(union, files);
  const versions: { ref: string; changed: ReadonlySet<string>; texts: ReadonlyMap<string, string> }[] = [];
  for (const { ref, commit } of branches) {
    const start = await git.text(['merge-base', base.commit, commit]);
    const [changes = []] = await diffTrees(git, [[await treeOf(git, start), await treeOf(git, commit)]], {
      renames: false,
    });
    const changed = new Set(changes.map(({ path }) => path));
    const wanted = files.filter((file) => changed.has(file));
    versions.push({ ref, changed, texts: await readFilesAt(git, commit, wanted) });
  }
  return ({ file, line, what }) => {
    const text = line === null ? null : (result.get(file)?.[line - 1] ?? null);
    const holds = (content: string | undefined) =>
      content !== undefined && (text === null || content.split(/\r?\n/).includes(text));
    const isOld = holds(before.get(file));
    const bringer = isOld
      ? undefined
      : (versions.find(({ texts }) => holds(texts.get(file))) ??
        versions.find(({ changed }) => [...changed].some((path) => path.startsWith(`${file}/`))));
    return { file, line, branch: bringer?.ref ?? base.ref, what };
  };
}

async function linesOf(union: Union, files: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const texts = await readFilesAt(union.git, union.tree.id, files);
  return new Map([...texts].map(([file, text]) => [file, text.split(/\r?\n/)]));
}
