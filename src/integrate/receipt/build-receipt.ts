import { treeOf } from '#git/merges/branches.ts';
import type { Conservation } from '#integrate/conserve/conserve.ts';
import type { IntegrationRequest } from '#integrate/integration.ts';
import type { MergedBranches } from '#integrate/merge/merge-branches.ts';
import type { IntegrationStep, KnownFinding, LeftBranch, Receipt } from '#schema/integration.ts';

/** The receipt of a result: what would land, and every step that proved it, with the tree it was proved on. */
export async function buildReceipt(
  { git, id, target, decisions, tasksOf, unproven }: IntegrationRequest,
  { commit, merged, resolved }: MergedBranches,
  proof: {
    readonly steps: readonly IntegrationStep[];
    readonly left: readonly LeftBranch[];
    readonly findings: readonly KnownFinding[];
    readonly conserved: Conservation['conserved'];
    readonly evidence: Receipt['evidence'];
    readonly unrun: string | null;
  },
): Promise<Receipt> {
  const tree = await treeOf(git, commit);
  return {
    schema: 'joinery/receipt@1',
    id,
    target: { ref: target.ref, before: target.commit, tree: await treeOf(git, target.commit) },
    integration: { commit, tree },
    branches: await Promise.all(
      merged.map(async ({ ref, commit: own }) => ({
        ref,
        commit: own,
        tree: await treeOf(git, own),
        ...(tasksOf ? { tasks: [...tasksOf(ref)] } : {}),
        files: proof.conserved.get(ref)?.files ?? 0,
        entities: [...(proof.conserved.get(ref)?.entities ?? [])],
      })),
    ),
    left: [...proof.left],
    decisions: [...decisions],
    resolved: [...resolved],
    findings: [...proof.findings],
    steps: proof.steps.map((step) => ({ ...step, tree })),
    evidence: [...proof.evidence],
    ...(proof.unrun === null ? {} : { unproven: { reason: proof.unrun, by: unproven } }),
  };
}
