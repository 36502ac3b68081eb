import { z } from 'zod';
import { type RoleText, readRoles } from '#agents/prompt/roles.ts';
import { type BaseRules, readBaseRules } from '#gates/definitions/base-rules.ts';
import type { GateInput } from '#gates/definitions/inputs.ts';
import { readGateInputs } from '#gates/definitions/read-inputs.ts';
import type { Git } from '#git/call/git.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { filesOfTree } from '#git/trees/files-at.ts';
import { GitTree } from '#git/trees/tree.ts';
import { openRegistry } from '#handoff/contracts/built-in.ts';
import { isContractFile, registerContract } from '#handoff/contracts/project-contracts.ts';
import type { ContractRegistry } from '#handoff/contracts/registry.ts';
import { ConfigError } from '#schema/errors.ts';
import { ScopedRule } from '#schema/scoped-rule.ts';

/** What success means in a run: read from the commit the run started from, whatever agents write later. */
export interface Definitions extends BaseRules {
  readonly inputs: readonly GateInput[];
  readonly roles: readonly RoleText[];
  /** Handoff contracts, including the project's own. */
  readonly contracts: ContractRegistry;
  /** Rules that only some steps receive. */
  readonly stepRules: readonly ScopedRule[];
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
    const all = filesOfTree(tree, objects);
    const files = all.read;
    const rules = await readBaseRules(commit, all);
    return {
      ...rules,
      inputs: await readGateInputs(objects, tree, rules),
      roles: await readRoles(files),
      contracts: contractsIn(await files(tree.matching(isContractFile))),
      stepRules: stepRulesIn((await files([stepRulesFile])).get(stepRulesFile)),
    };
  } finally {
    objects.close();
  }
}

function contractsIn(files: ReadonlyMap<string, string>): ContractRegistry {
  const registry = openRegistry();
  for (const [path, text] of files) registerContract(registry, path, text);
  return registry;
}

const stepRulesFile = '.joinery/step-rules.json';

function stepRulesIn(text: string | undefined): ScopedRule[] {
  if (text === undefined) return [];
  try {
    return z.array(ScopedRule).parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError({
      code: 'bad-step-rules',
      message: `${stepRulesFile} cannot be used: ${(cause as Error).message.split('\n').slice(0, 3).join(' ')}`,
      hint: 'a list of { "id", "appliesTo": { "roles", "tasks", "paths" }, "text" }: docs/handoffs.md',
      cause,
    });
  }
}
