import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { BaseRules } from './base-rules.ts';
import { followedFiles, isFollowed } from './followed-files.ts';
import { type GateInput, gateInputs } from './inputs.ts';

/** Longest chain of scripts that call scripts. */
const mostRounds = 5;
/** A longer file is not a script. */
const mostBytes = 300_000;

/** Everything that decides what the gates of a commit run, read from that commit. */
export async function readGateInputs(
  objects: ObjectReader,
  /** Tree of that commit. */
  tree: GitTree,
  { config, gates: { gates } }: BaseRules,
): Promise<GateInput[]> {
  const commands = gates.map(({ command }) => command);
  const texts = new Map<string, string>();
  const files = { has: (path: string) => tree.entry(path) !== undefined, texts };
  let named: string[] = [];
  let unread: string[] = tree.matching(isFollowed);
  for (let round = 0; round < mostRounds && unread.length > 0; round++) {
    await Promise.all(unread.map(async (path) => texts.set(path, await textOf(objects, tree, path))));
    named = followedFiles(commands, files);
    unread = named.filter((path) => tree.blob(path) !== undefined && !texts.has(path));
  }
  return gateInputs({ gates }, named, config.worktree.folders);
}

async function textOf(objects: ObjectReader, tree: GitTree, path: string): Promise<string> {
  const id = tree.blob(path);
  const blob = id === undefined ? null : await objects.blob(id, mostBytes);
  return blob?.content?.toString('utf8') ?? '';
}
