import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';
import { treeOf } from '#git/merges/branches.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitTree } from '#git/trees/tree.ts';
import { Contract } from '#schema/contract.ts';
import type { IntegrationStep } from '#schema/integration.ts';
import type { Plan } from '#schema/plan.ts';
import { checkContract } from './check-contract.ts';

interface Landing {
  readonly target: BranchTip;
  readonly merged: readonly BranchTip[];
  readonly commit: string;
  /** Demand only what these tasks produce; undefined: everything. */
  readonly tasks: ReadonlySet<string> | undefined;
}

/** Checks whether what would land keeps the contract. */
export async function contractStep(
  git: Git,
  contract: Contract,
  { target, merged, commit, tasks }: Landing,
): Promise<Pick<IntegrationStep, 'status' | 'detail'>> {
  const demanded = demandedOf(contract, tasks);
  if (demanded.entities.length === 0 && contract.entities.length > 0)
    return { status: 'skipped', detail: 'everything it names is made by tasks that stay behind' };
  const objects = new ObjectReader(git);
  try {
    const tree = await GitTree.read(git, await treeOf(git, commit));
    const union = { git, objects, tree, base: target, branches: merged, excluded: [] };
    const { items } = await checkContract(union, demanded, 'plan');
    const bad = items.filter(({ status }) => status !== 'satisfied');
    const broken = bad.filter(({ status }) => status !== 'undecided');
    const shown = (broken.length > 0 ? broken : bad)
      .slice(0, 3)
      .map(
        ({ kind, name, status, detail, brokenBy }) =>
          `${kind} ${name} ${status}: ${detail}${brokenBy.length === 0 ? '' : ` (broken by ${brokenBy.join(', ')})`}`,
      );
    const rest = (broken.length > 0 ? broken : bad).length - shown.length;
    return bad.length === 0
      ? { status: 'pass', detail: `${items.length} ${items.length === 1 ? 'item' : 'items'} satisfied` }
      : {
          status: broken.length > 0 ? 'fail' : 'undecided',
          detail: `${shown.join('; ')}${rest > 0 ? `; ${rest} more` : ''}`,
        };
  } finally {
    objects.close();
  }
}

/** Items of tasks that do not land are not there yet, and neither is anything that needs those items. */
function demandedOf(contract: Contract, tasks: Landing['tasks']): Contract {
  if (!tasks) return contract;
  const isThere = ({ createdByTask }: { createdByTask: string | null }) =>
    createdByTask === null || tasks.has(createdByTask);
  const entities = contract.entities.filter(isThere);
  const names = new Set(entities.map(({ name }) => name));
  const relationships = contract.relationships.filter(
    (each) => isThere(each) && names.has(each.from) && names.has(each.to),
  );
  const isWhole =
    entities.length === contract.entities.length && relationships.length === contract.relationships.length;
  return { ...contract, entities, relationships, coreQueries: isWhole ? contract.coreQueries : [] };
}

/** The contract of a plan; null if it has none, or one in another format. */
export function contractOfPlan({ contract }: Pick<Plan, 'contract'>): Contract | null {
  const parsed = Contract.safeParse(contract);
  return parsed.success ? parsed.data : null;
}
