import { type RoleText, readRoles } from '#agents/prompt/roles.ts';
import { type BaseRules, readBaseRules } from '#gates/definitions/base-rules.ts';
import type { GateInput } from '#gates/definitions/inputs.ts';
import { readGateInputs } from '#gates/definitions/read-inputs.ts';
import { readFilesIn } from '#git/files-at.ts';
import type { Git } from '#git/git.ts';
import { ObjectReader } from '#git/object-reader.ts';
import { GitTree } from '#git/tree.ts';

/** What success means in a run: as it stands in the commit the run started from, whatever agents write since. */
export interface Definitions extends BaseRules {
  readonly inputs: readonly GateInput[];
  readonly roles: readonly RoleText[];
}

/** Where commits are read from. */
type ObjectSource = { readonly git: Git };

const known = new WeakMap<ObjectSource, Map<string, Promise<Definitions>>>();

/** A commit never changes, so it is read once. */
export function definitionsAt(objects: ObjectSource, commit: string): Promise<Definitions> {
  const byCommit = known.get(objects) ?? new Map<string, Promise<Definitions>>();
  known.set(objects, byCommit);
  const found = byCommit.get(commit) ?? read(objects, commit);
  byCommit.set(commit, found);
  return found;
}

async function read({ git }: ObjectSource, commit: string): Promise<Definitions> {
  const objects = new ObjectReader(git);
  try {
    const tree = await GitTree.read(git, commit);
    const files = (paths: readonly string[]) => readFilesIn(tree, objects, paths);
    const rules = await readBaseRules(commit, files);
    return { ...rules, inputs: await readGateInputs(objects, tree, rules), roles: await readRoles(files) };
  } finally {
    objects.close();
  }
}
