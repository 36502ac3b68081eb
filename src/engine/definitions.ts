import { readBaseConfig } from '../evidence/base-config.ts';
import { readGateDefinitions } from '../evidence/gates/definitions.ts';
import type { GateInput } from '../evidence/gates/inputs.ts';
import { readGateInputs } from '../evidence/gates/read-inputs.ts';
import type { Config } from '../model/config.ts';
import type { GateDefinitions } from '../model/gates.ts';
import type { Workshop } from './workshop.ts';

/** What success means in a run: as it stands in the commit the run started from, whatever agents write since. */
export interface Definitions {
  readonly config: Config;
  readonly gates: GateDefinitions;
  readonly inputs: readonly GateInput[];
}

const known = new WeakMap<Workshop, Map<string, Promise<Definitions>>>();

/** A commit never changes, so it is read once. */
export function definitionsAt(workshop: Workshop, commit: string): Promise<Definitions> {
  const byCommit = known.get(workshop) ?? new Map<string, Promise<Definitions>>();
  known.set(workshop, byCommit);
  const found = byCommit.get(commit) ?? read(workshop, commit);
  byCommit.set(commit, found);
  return found;
}

async function read({ repository }: Workshop, commit: string): Promise<Definitions> {
  const config = await readBaseConfig(repository, commit);
  const gates = await readGateDefinitions(repository, commit, config);
  return { config, gates, inputs: await readGateInputs(repository.git, gates) };
}
